"""Every nodes case: the search finds, and the command line prints, what it expects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.report import findings_of, report_of
from batchtui.plugins.formats.nodes_case import open_nodes_case
from batchtui.plugins.searches import SearchOptions, ledger_of, prepare_search
from batchtui.tui.cli import status_of

FILES = sorted(Path(__file__).with_name("nodes").glob("*.json"))


def expected(path: Path) -> dict[str, Any]:
    expect: dict[str, Any] = json.loads(path.read_bytes())["expect"]
    return expect


def found_by(path: Path) -> dict[str, Any]:
    """What the search finds, or the error that it is refused with."""
    try:
        case = open_nodes_case(str(path))
        if case.ledger is not None:
            return findings_of(ledger_of(case))._asdict()
        run = prepare_search(case, SearchOptions())
    except InputError as error:
        return {"error": error.code}
    for _ in run.simulation:
        pass
    report = report_of(run.search.state)
    return report._asdict() | report.findings._asdict()


def test_there_are_cases() -> None:
    assert len(FILES) >= 13


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_search_finds_what_the_case_expects(path: Path) -> None:
    found = found_by(path)
    assert {key: found[key] for key in expected(path)} == expected(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nodes_json_prints_what_the_case_expects(
    path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    expect = expected(path)
    status = status_of(["nodes", str(path), "--json"])
    printed = json.loads(capsysbinary.readouterr().out)
    if "error" in expect:
        assert (printed["error"]["code"], status) == (expect["error"], 2)
        return
    assert {key: printed[key] for key in expect} == expect
    unsure = expect.get("undetermined") or expect.get("contradictions")
    assert status == (4 if expect["bad"] else 5 if unsure else 0)
