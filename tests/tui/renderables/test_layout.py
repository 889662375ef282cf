"""The screen is shared out without a gap, at any size."""

from __future__ import annotations

import itertools

import pytest

from batchtui.tui.renderables.layout import PANELS, Layout, Rect, Wish, layout

WISHES = [
    Wish(),
    Wish(below="nodes"),
    Wish(below="evals"),
    Wish(why=True),
    *(Wish(zoomed=name) for name in ("changed", "slots", "queue", "nodes", "evals")),
]


def rects(places: Layout) -> dict[str, Rect]:
    return {name: getattr(places, name) for name in PANELS if getattr(places, name).is_shown}


def tiles(places: Layout, width: int, height: int) -> bool:
    """Whether the panels cover the screen, and none covers another."""
    shown = list(rects(places).values())
    inside = all(
        rect.x >= 0
        and rect.y >= 0
        and rect.x + rect.width <= width
        and rect.y + rect.height <= height
        for rect in shown
    )
    apart = not any(overlap(one, other) for one, other in itertools.combinations(shown, 2))
    return inside and apart and sum(rect.width * rect.height for rect in shown) == width * height


def overlap(one: Rect, other: Rect) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


@pytest.mark.parametrize("wish", WISHES, ids=str)
@pytest.mark.parametrize("num_slots", [1, 8, 16, 256])
def test_the_panels_tile_the_screen_at_any_size(num_slots: int, wish: Wish) -> None:
    widths = [20, 21, 33, 40, 71, 72, 79, 80, 81, 100, 120, 139, 140, 141, 159, 160, 200]
    for width, height in itertools.product(widths, range(5, 71)):
        places = layout(width, height, num_slots, wish)
        assert tiles(places, width, height), (width, height)


@pytest.mark.parametrize("num_slots", [1, 8, 16, 256])
def test_the_areas_add_up_at_every_size(num_slots: int) -> None:
    for width, height in itertools.product(range(1, 201), range(1, 71)):
        shown = rects(layout(width, height, num_slots))
        assert sum(rect.width * rect.height for rect in shown.values()) == width * height
        assert "slots" in shown


def test_at_24_rows_everything_is_seen_as_in_the_sketch() -> None:
    places = layout(80, 24, 8)
    assert [getattr(places, name).height for name in PANELS] == [1, 1, 3, 10, 7, 7, 7, 0, 2]
    assert (places.nodes.x, places.evals.x) == (35, 61)
    assert not places.framed


def test_at_160_columns_and_50_rows_the_dock_is_at_the_right() -> None:
    places = layout(160, 50, 16)
    assert [getattr(places, name).height for name in PANELS] == [1, 2, 6, 18, 10, 10, 10, 28, 3]
    assert places.dock == Rect(111, 9, 49, 28)
    assert places.evals == Rect(111, 37, 49, 10)
    assert places.queue.width == places.nodes.width == 111


def test_why_covers_the_bottom_row_and_leaves_the_streams() -> None:
    plain, asked = layout(80, 24, 8), layout(80, 24, 8, Wish(why=True))
    assert asked.slots == plain.slots
    assert asked.dock == Rect(0, 15, 80, 7)
    assert not asked.queue.is_shown


def test_where_there_is_room_why_leaves_the_queue_too() -> None:
    asked = layout(120, 40, 8, Wish(why=True))
    assert asked.queue.height >= 5
    assert asked.dock.height >= 9
    assert not asked.nodes.is_shown


@pytest.mark.parametrize("name", ["queue", "nodes", "evals"])
def test_a_narrow_screen_shows_the_one_that_is_wished(name: str) -> None:
    places = layout(60, 24, 8, Wish(below=name))
    assert [panel for panel in ("queue", "nodes", "evals") if panel in rects(places)] == [name]


def test_zoom_gives_a_panel_the_whole_body() -> None:
    places = layout(120, 40, 8, Wish(zoomed="queue"))
    assert set(rects(places)) == {"top", "ribbon", "queue", "footer"}


def test_many_slots_leave_the_queue_its_room() -> None:
    assert layout(80, 50, 256).queue.height >= 6
    assert layout(160, 50, 256).queue.height >= 8
