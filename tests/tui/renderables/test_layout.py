"""The rows are shared out without a gap, at any size."""

from __future__ import annotations

import pytest

from batchtui.tui.renderables.layout import layout


@pytest.mark.parametrize("num_slots", [1, 8, 256])
def test_the_panels_fill_the_screen_at_any_height(num_slots: int) -> None:
    for height in range(1, 200):
        rows = layout(height, num_slots)
        assert sum(rows) == height
        assert min(rows) >= 0
        assert rows.slots >= 1


def test_at_24_rows_eight_slots_and_the_head_of_the_queue_are_seen() -> None:
    rows = layout(24, 8)
    assert rows.slots == 10
    assert rows.queue >= 6
    assert rows.changed >= 4
    assert rows.ended == 0


def test_room_that_is_left_goes_to_those_who_have_ended() -> None:
    assert layout(40, 8).ended >= 6


def test_many_slots_leave_the_queue_its_room() -> None:
    assert layout(50, 256).queue >= 6
