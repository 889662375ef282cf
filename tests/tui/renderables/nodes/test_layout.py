"""The screen of a search is shared out without a gap, at any size."""

from __future__ import annotations

import itertools

import pytest

from batchtui.tui.renderables.layout import Rect
from batchtui.tui.renderables.nodes.layout import PANELS, NodesWish, map_width, nodes_layout

WISHES = [
    NodesWish(),
    NodesWish(why=True),
    NodesWish(below="verdict"),
    *(NodesWish(zoomed=name) for name in ("map", "tests", "verdict", "dock")),
    NodesWish(why=True, zoomed="map"),
]


def overlap(one: Rect, other: Rect) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


@pytest.mark.parametrize("wish", WISHES, ids=str)
@pytest.mark.parametrize("map_rows", [1, 4, 8, 32, 300])
def test_the_panels_tile_the_screen_at_any_size(map_rows: int, wish: NodesWish) -> None:
    widths = [20, 21, 33, 40, 71, 72, 79, 80, 81, 100, 120, 139, 140, 141, 160, 200, 240]
    for width, height in itertools.product(widths, range(5, 101)):
        shown = nodes_layout(width, height, map_rows, wish)
        rects = list(shown.values())
        assert all(rect.x >= 0 and rect.x + rect.width <= width for rect in rects)
        assert all(rect.y >= 0 and rect.y + rect.height <= height for rect in rects)
        assert not any(itertools.starmap(overlap, itertools.combinations(rects, 2)))
        assert sum(rect.width * rect.height for rect in rects) == width * height
        assert set(shown) <= set(PANELS)
        assert wish.zoomed or "map" in shown


def test_at_80x24_map_tests_and_verdict_are_seen() -> None:
    places = nodes_layout(80, 24, 4)
    assert (places["map"].height, places["tests"].height) == (6, 11)
    assert (places["tests"].width, places["verdict"].width) == (44, 36)
    assert "dock" not in places


def test_why_takes_the_place_of_both_below_and_leaves_the_map() -> None:
    plain, asked = nodes_layout(80, 24, 4), nodes_layout(80, 24, 4, NodesWish(why=True))
    assert asked["map"] == plain["map"]
    assert asked["dock"] == Rect(0, 11, 80, 11)
    assert "tests" not in asked


def test_at_160_columns_the_dock_is_always_there() -> None:
    places = nodes_layout(160, 50, 8)
    assert places["verdict"].x == places["dock"].x == places["map"].width == map_width(160)
    assert places["dock"].height > 20


def test_a_narrow_screen_shows_the_one_that_is_wished() -> None:
    for name in ("tests", "verdict"):
        places = nodes_layout(60, 24, 4, NodesWish(below=name))
        assert [panel for panel in ("tests", "verdict") if panel in places] == [name]


def test_a_large_map_leaves_the_tests_their_room() -> None:
    assert nodes_layout(80, 24, 300)["tests"].height >= 8
    assert nodes_layout(160, 50, 300)["tests"].height >= 8


def test_zoom_gives_a_panel_the_whole_body() -> None:
    assert set(nodes_layout(80, 24, 4, NodesWish(zoomed="map"))) == {
        *("top", "ribbon", "map", "footer")
    }
