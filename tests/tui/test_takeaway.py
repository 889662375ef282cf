"""What is taken away from a dashboard goes to a file that was not there."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.tui.saved import assert_replays

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.takeaway import save, suggested


class Screen:
    def __init__(self, session: BatchSession, rows: list[list[str]] | None = None) -> None:
        self.session = session
        self._rows = rows or [["a", "b"], ["1", "x,\ny"]]

    def rows(self) -> list[list[str]]:
        return self._rows

    def picture(self) -> str:
        return "<svg>é</svg>"


@pytest.mark.parametrize(
    ("what", "workload", "step", "name"),
    [
        ("session", "demo.json", 12, "demo-step-12.jsonl"),
        ("rows", "demo", -1, "demo-step-0.csv"),
        ("picture", "../a b/\x1b[1m.json", 3, "a-b-1m-step-3.svg"),
        ("session", ".json", 0, "json-step-0.jsonl"),
        ("session", "/", 0, "run-step-0.jsonl"),
    ],
)
def test_a_name_is_suggested_that_is_one(what: str, workload: str, step: int, name: str) -> None:
    assert suggested(what, workload, step) == name


def test_a_session_is_saved_as_a_recording(demo_at_12: BatchSession, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    assert save("session", str(path), Screen(demo_at_12)) == f"saved as {path}"
    assert_replays(path)


def test_rows_are_saved_as_csv(demo: BatchSession, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    save("rows", str(path), Screen(demo))
    with path.open(newline="") as file:
        assert list(csv.reader(file)) == [["a", "b"], ["1", "x,\ny"]]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-x", "-1+2", "@x", "\t=1"])
def test_a_cell_that_would_be_a_formula_is_text(
    demo: BatchSession, tmp_path: Path, cell: str
) -> None:
    path = tmp_path / "rows.csv"
    save("rows", str(path), Screen(demo, [[cell]]))
    assert path.read_text() == f"'{cell}\n"


@pytest.mark.parametrize("cell", ["-1", "-0.5", "7", "a=b"])
def test_a_cell_that_would_be_none_is_as_it_is(
    demo: BatchSession, tmp_path: Path, cell: str
) -> None:
    path = tmp_path / "rows.csv"
    save("rows", str(path), Screen(demo, [[cell]]))
    assert path.read_text() == f"{cell}\n"


def test_a_picture_is_saved_as_it_is(demo: BatchSession, tmp_path: Path) -> None:
    path = tmp_path / "p.svg"
    save("picture", str(path), Screen(demo))
    assert path.read_text(encoding="utf-8") == "<svg>é</svg>"


@pytest.mark.parametrize("what", ["session", "rows", "picture"])
def test_a_file_that_is_there_is_refused_and_kept(
    demo: BatchSession, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "there"
    path.write_text("mine")
    assert save(what, str(path), Screen(demo)).endswith("is there already: choose another name")
    assert path.read_text() == "mine"


@pytest.mark.parametrize("what", ["session", "rows", "picture"])
@pytest.mark.parametrize("name", ["nowhere/x", "x" * 300, "nul\0"])
def test_a_file_that_cannot_be_made_is_one_line(
    demo: BatchSession, tmp_path: Path, what: str, name: str
) -> None:
    said = save(what, str(tmp_path / name), Screen(demo))
    assert "saved" not in said
    assert "\n" not in said and "\0" not in said


def test_what_was_not_recorded_says_so(demo: BatchSession, tmp_path: Path) -> None:
    log, demo.log = demo.log, None
    said = save("session", str(tmp_path / "s"), Screen(demo))
    demo.log = log
    assert said == "this session was not recorded"
