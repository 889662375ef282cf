"""The keys at the foot of a modal screen."""

from __future__ import annotations

import pytest

from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.widgets.keys_line import Key, KeysLine

KEYS = (Key("a", "add", "add"), Key("space", "on/off", "switch"), Key("esc", "close", "cancel"))


def rows(width: int) -> list[str]:
    line = KeysLine(KEYS)
    lines = line.lines(width, line.num_rows(width))
    assert all(width_of(row) <= max(width, 12) for row in lines)
    return [text_of(row) for row in lines]


@pytest.mark.parametrize("width", [30, 80])
def test_they_stand_in_a_row_where_there_is_room(width: int) -> None:
    assert rows(width) == ["a add  space on/off  esc close"]
    assert KeysLine(KEYS).width == 30


def test_none_is_cut_where_there_is_less() -> None:
    assert rows(29) == ["a add  space on/off", "esc close"]
    assert rows(12) == ["a add", "space on/off", "esc close"]
    assert rows(1) == ["a add", "space on/off", "esc close"]
