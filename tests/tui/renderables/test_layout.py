"""The screen is shared out without a gap, at any size."""

from __future__ import annotations

import pytest

from batchtui.tui.renderables.layout import Layout, layout


def total(rows: Layout) -> int:
    below = max(rows.queue, rows.ended) if rows.queue_width else rows.queue + rows.ended
    return rows.top + rows.changed + rows.slots + below + rows.footer


@pytest.mark.parametrize("num_slots", [1, 8, 256])
@pytest.mark.parametrize("width", [1, 80, 120, 300])
def test_the_panels_fill_the_screen_at_any_size(width: int, num_slots: int) -> None:
    for height in range(1, 200):
        for ended_wanted in (False, True):
            rows = layout(width, height, num_slots, ended_wanted=ended_wanted)
            assert total(rows) == height
            assert min(rows) >= 0
            assert rows.slots >= 1
            assert rows.queue_width < width


def test_at_24_rows_eight_slots_and_the_head_of_the_queue_are_seen() -> None:
    rows = layout(80, 24, 8)
    assert rows.slots == 10
    assert rows.queue >= 6
    assert rows.changed >= 4
    assert rows.ended == 0


def test_where_only_one_of_them_fits_the_ended_can_have_the_place_of_the_queue() -> None:
    rows, wanted = layout(80, 24, 8), layout(80, 24, 8, ended_wanted=True)
    assert (wanted.queue, wanted.ended) == (0, rows.queue)


def test_room_that_is_left_is_for_queue_and_ended_alike() -> None:
    rows = layout(80, 50, 8)
    assert 0 <= rows.queue - rows.ended <= 1
    assert rows.ended >= 6


@pytest.mark.parametrize("num_slots", [8, 256])
def test_a_wide_screen_has_queue_and_ended_side_by_side(num_slots: int) -> None:
    rows = layout(160, 50, num_slots)
    assert rows.queue == rows.ended >= 8
    assert rows.queue_width >= 100


def test_many_slots_leave_the_queue_its_room() -> None:
    assert layout(80, 50, 256).queue >= 6
