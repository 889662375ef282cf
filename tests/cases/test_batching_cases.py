"""Every case file: the command line prints what it expects, and the reference says the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.reference.compare import of_engine, of_reference
from tests.reference.row import Case

from batchtui.tui.cli import status_of

FILES = sorted(Path(__file__).with_name("batching").glob("*.json"))


def read(path: Path) -> Case:
    case: Case = json.loads(path.read_bytes())
    return case


def found_in(rows: list[dict[str, Any]], run: dict[str, Any], case: Case) -> dict[str, Any]:
    """The outcome in the form of ``expect``, with the same keys; of twins the first row counts."""
    by_id: dict[str, dict[str, Any]] = {}
    for row in rows:
        by_id.setdefault(row["request_id"], row | {"joined": "".join(row["deltas"])})
    by_id["_run"] = run
    return {
        who: {name: by_id[who][name] for name in wanted} for who, wanted in case["expect"].items()
    }


def close_to(expect: object) -> object:
    """The same with room for rounding in its numbers with a point."""
    if isinstance(expect, dict):
        return {name: close_to(value) for name, value in expect.items()}
    return pytest.approx(expect, abs=1e-6) if isinstance(expect, float) else expect


def test_there_are_cases() -> None:
    assert len(FILES) >= 37


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_run_json_prints_what_the_case_expects(
    path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    case = read(path)
    assert status_of(["run", str(path), "--json"]) == 0
    printed = json.loads(capsysbinary.readouterr().out)
    assert found_in(printed["requests"], printed["run"], case) == close_to(case["expect"])
    assert [row["request_id"] for row in printed["requests"]] == [
        request["request_id"] for request in case["requests"]
    ]
    for row in printed["requests"]:
        assert "".join(row["deltas"]) == row["text"]
        assert "" not in row["deltas"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_reference_finds_what_the_case_expects(path: Path) -> None:
    case = read(path)
    *rows, run = of_reference(case)
    assert found_in(rows, run, case) == close_to(case["expect"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_engine_and_reference_agree_on_the_whole_case(path: Path, tmp_path: Path) -> None:
    case = read(path)
    assert of_engine(case, tmp_path) == of_reference(case)
