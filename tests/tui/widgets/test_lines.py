"""Lines that scroll sideways."""

from __future__ import annotations

import pytest

from batchtui.tui.renderables.line import Line, text_of, width_of
from batchtui.tui.widgets.lines import shifted

LINE: Line = [("abcdef", "name"), ("日本語", ""), ("xyz", "dim")]


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "abcdef日本語xyz"),
        (1, "..def日本語xyz"),
        (4, "..日本語xyz"),
        (5, ".. 本語xyz"),
        (6, "..本語xyz"),
        (10, "..xyz"),
        (13, ".."),
        (99, ".."),
    ],
)
def test_what_is_scrolled_out_is_two_dots(count: int, shown: str) -> None:
    assert text_of(shifted(LINE, count)) == shown


def test_what_is_left_keeps_its_place_and_style() -> None:
    line = shifted(LINE, 7)
    assert width_of(line) == width_of(LINE) - 7
    assert line[-1] == ("xyz", "dim")


def test_nothing_stays_nothing() -> None:
    assert shifted([], 8) == []
