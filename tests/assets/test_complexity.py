"""docs/complexity.md says what the script measures."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
NUMBERS = re.compile(r"\d+\.\d|\d+")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = ROOT / "assets" / "pictures" / "complexity.py"
    spec = importlib.util.spec_from_file_location("complexity", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["complexity"] = module
    spec.loader.exec_module(module)
    return module


def _rows(name: str) -> list[str]:
    text = (ROOT / "docs" / "complexity.md").read_text(encoding="utf-8")
    table = text.split(f"<!-- {name}: begin -->")[1].split(f"<!-- {name}: end -->")[0]
    return [line for line in table.splitlines() if line.startswith("|")]


def test_the_tables_have_a_row_for_each_size_and_number_of_bad_nodes(script: ModuleType) -> None:
    wanted = [(n, bad) for n in script.SIZES for bad in script.numbers_of_bad(n)]
    rows = _rows("tests")[2:]
    assert [tuple(map(int, NUMBERS.findall(row)[:2])) for row in rows] == wanted
    rows = _rows("minutes")[2:]
    assert [tuple(map(int, NUMBERS.findall(row)[:2])) for row in rows] == [
        each for each in wanted if each[0] > 64
    ]


def test_no_measured_figure_is_below_its_bound() -> None:
    for row in _rows("tests")[2:]:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        least_tests, least_rounds = float(cells[2]), float(cells[4])
        for cell in cells[5:]:
            tests, rounds = map(float, cell.split("/"))
            assert tests >= max(least_tests - 0.1, float(cells[1]) + 1)
            assert rounds >= least_rounds


@pytest.mark.parametrize("num_bad", [0, 3])
def test_measuring_again_gives_the_row_of_the_table(script: ModuleType, num_bad: int) -> None:
    assert script.tests_row(64, num_bad, script.SIZES[64]) in _rows("tests")


def test_the_picture_is_well_formed_and_has_every_curve(script: ModuleType) -> None:
    text = script.PICTURE.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert text.count("<polyline") == 3 * len(script.STRATEGIES) + 2
    for name in script.COLOURS:
        assert f">{name}</text>" in text
    assert "nan" not in text
    docs = (ROOT / "docs" / "complexity.md").read_text(encoding="utf-8")
    assert f"assets/pictures/{script.PICTURE.name}" in docs


def test_only_what_is_between_the_marks_is_rewritten(script: ModuleType) -> None:
    text = "a\n<!-- t: begin -->\nold\n<!-- t: end -->\nb\n"
    assert script.written(text, "t", ["| 1 |"]) == (
        "a\n<!-- t: begin -->\n\n| 1 |\n\n<!-- t: end -->\nb\n"
    )
