"""The ribbon: where marks stand, which are shown, and what a click means."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from batchtui.engine.batching.marks import MARKS as OF_HISTORY
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.glyphs import ASCII
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.ribbon import MARKS, ribbon_lines, step_at
from batchtui.tui.renderables.scene import Ribbon, Scene

Draw = Callable[..., Scene]

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def ribbon(count: int, cursor: int, first: int = 0) -> Ribbon:
    """Each step's mark is a letter of its own, as far as there are letters."""
    marks = "".join(LETTERS[step % 26] for step in range(first, first + count))
    lengths = tuple(step % 7 for step in range(first, first + count))
    return Ribbon(first, marks, lengths, cursor, first + count - 1)


def test_the_cursor_stands_in_brackets(demo: BatchSession, draw: Draw) -> None:
    scene = draw(demo, ribbon=ribbon(8, 5))
    assert text_of(ribbon_lines(scene, 80, 1)[0]).startswith("   0 abcde[f]gh ")
    assert "a b c d e[f]g h 7" in text_of(ribbon_lines(scene, 160, 1)[0])


def test_before_the_first_step_nothing_is_in_brackets(demo: BatchSession, draw: Draw) -> None:
    scene = draw(demo, ribbon=ribbon(4, -1))
    assert text_of(ribbon_lines(scene, 80, 1)[0]).startswith("   0 abcd ")


@pytest.mark.parametrize("width", [40, 80, 119, 120, 160, 200])
@pytest.mark.parametrize("cursor", [0, 1, 13, 128, 254, 255])
def test_a_click_on_a_mark_means_its_step(
    demo: BatchSession, draw: Draw, width: int, cursor: int
) -> None:
    scene = draw(demo, ribbon=ribbon(256, cursor))
    line = text_of(ribbon_lines(scene, width, 1)[0])
    begin, end = (14, line.rindex("255")) if width >= 120 else (5, len(line))
    end = min(end, width - 40 if width >= 60 else width)
    places = [x for x in range(begin, end) if line[x] in LETTERS]
    assert places
    for x in places:
        step = step_at(scene, width, x)
        assert step is not None
        assert LETTERS[step % 26] == line[x]
    picked = line.index("[")
    assert step_at(scene, width, picked + 1) == cursor


def test_clicks_beside_the_marks_mean_the_nearest(demo: BatchSession, draw: Draw) -> None:
    scene = draw(demo, ribbon=ribbon(8, 5))
    assert step_at(scene, 80, 0) == 0
    assert step_at(scene, 80, 79) == 7
    assert step_at(draw(demo, ribbon=Ribbon()), 80, 10) is None


@pytest.mark.parametrize("width", [80, 160])
@pytest.mark.parametrize("cursor", [0, 100, 255])
def test_the_cursor_is_always_among_what_is_shown(
    demo: BatchSession, draw: Draw, width: int, cursor: int
) -> None:
    line = text_of(ribbon_lines(draw(demo, ribbon=ribbon(256, cursor)), width, 1)[0])
    assert f"[{LETTERS[cursor % 26]}]" in line


def test_lengths_are_digits_or_bars(demo: BatchSession, draw: Draw) -> None:
    few = draw(demo, ribbon=Ribbon(0, "...", (0, 3, 9), 1, 2))
    assert "0[3]9" in text_of(ribbon_lines(few, 160, 2)[1])
    many = Ribbon(0, "...", (0, 30, 300), 1, 2)
    assert ".[▂]█" in text_of(ribbon_lines(draw(demo, ribbon=many), 160, 2)[1])
    plain = text_of(ribbon_lines(draw(demo, ribbon=many, glyphs=ASCII), 160, 2)[1])
    assert ".[1]7" in plain
    assert "at most 300" in plain


@pytest.mark.parametrize("phases", [False, True])
def test_every_line_has_its_width(demo_at_12: BatchSession, draw: Draw, phases: bool) -> None:
    for width in range(1, 201):
        for count in (0, 1, 12, 256):
            scene = draw(demo_at_12, ribbon=ribbon(count, count - 1))
            lines = ribbon_lines(scene, width, 2, phases=phases)
            assert [width_of(line) for line in lines] == [width, width]


def test_every_mark_of_the_history_has_a_meaning() -> None:
    assert set(MARKS) == set(OF_HISTORY) - {"."}
