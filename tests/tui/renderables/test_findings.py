"""What looks wrong, in the last rows of a small panel."""

from __future__ import annotations

from collections.abc import Callable

from batchtui.engine.batching.explain.lints import Lint
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.findings import found_lines, num_found_lines
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.scene import Scene

Draw = Callable[..., Scene]

LONG = Lint(kind="idle-slot", words="slot 7 idle 3 steps while 4 wait; " * 3, since=1)
SHORT = Lint(kind="idle-slot", words="slot 7 idle", since=1)


def said(scene: Scene, frame: Frame) -> list[str]:
    return [text_of(line) for line in found_lines(scene, frame)]


def test_it_takes_two_rows_and_says_that_there_is_more(demo: BatchSession, draw: Draw) -> None:
    lines = said(draw(demo, lints=(LONG,)), Frame(36, 7))
    assert lines[0].startswith("! lint: slot 7 idle 3 steps")
    assert lines[1].endswith("[!] more")
    assert all(width_of([(line, "")]) == 34 for line in lines)


def test_a_short_one_takes_one_row(demo: BatchSession, draw: Draw) -> None:
    assert said(draw(demo, lints=(SHORT,)), Frame(36, 7))[0].rstrip() == "! lint: slot 7 idle"
    both = said(draw(demo, lints=(SHORT, LONG)), Frame(36, 7))
    assert both[0].endswith("[!] more")


def test_no_row_is_taken_for_nothing_or_from_a_tiny_panel(demo: BatchSession, draw: Draw) -> None:
    assert num_found_lines(draw(demo), Frame(36, 7)) == 0
    assert num_found_lines(draw(demo, lints=(LONG,)), Frame(36, 5)) == 0


def test_hostile_words_are_harmless(demo: BatchSession, draw: Draw) -> None:
    lint = Lint(kind="dead-stop", words="\x1b[2J\u202e 漢字" * 9, since=1)
    for width in range(3, 60):
        lines = found_lines(draw(demo, lints=(lint,)), Frame(width, 8))
        assert {width_of(line) for line in lines} == {width - 2}
        assert not any(set(text_of(line)) & set("\x1b\u202e") for line in lines)
