"""Borders of panels, and where they meet."""

from __future__ import annotations

from collections.abc import Callable

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.frame import Frame, Ruled, bottom, ends_below, frames
from batchtui.tui.renderables.layout import layout
from batchtui.tui.renderables.line import Line, text_of, width_of
from batchtui.tui.renderables.scene import Head, Scene

Draw = Callable[..., Scene]


def lines(frame: Frame, scene: Scene) -> list[str]:
    body: list[Line | Ruled] = [[("in", "")], Ruled([("at", "title")])]
    return [text_of(line) for line in frame.panel(scene, [("T", "title")], body)]


def test_a_panel_alone_has_both_sides(demo: BatchSession, draw: Draw) -> None:
    assert lines(Frame(6, 4, is_top=True), draw(demo)) == ["┌T───┐", "│in  │", "├at──┤", "│    │"]


def test_a_panel_with_a_neighbour_at_its_right_leaves_that_side_to_it(
    demo: BatchSession, draw: Draw
) -> None:
    frame = Frame(6, 3, is_right=False)
    assert lines(frame, draw(demo)) == ["├T────", "│in   ", "├at───"]


def test_a_panel_at_the_right_meets_the_rules_of_its_neighbour(
    demo: BatchSession, draw: Draw
) -> None:
    frame = Frame(6, 3, is_left=False, from_left=True, left_rules=frozenset({1}))
    assert lines(frame, draw(demo)) == ["┬T───┤", "┤in  │", "├at──┤"]


def test_where_a_border_comes_from_above_and_goes_on_it_is_a_cross(
    demo: BatchSession, draw: Draw
) -> None:
    frame = Frame(6, 1, is_left=False, from_left=True, up=frozenset({0, 3}))
    assert lines(frame, draw(demo)) == ["┼T─┴─┤"]


def test_the_past_is_drawn_double_at_the_outside_alone(demo: BatchSession, draw: Draw) -> None:
    scene = draw(demo, head=Head(9, 0, 2, 8))
    assert lines(Frame(6, 3, is_top=True), scene) == ["╔T═══╗", "║in  ║", "╟at──╢"]
    assert text_of(bottom(scene, 6, [2])) == "╚═╧══╝"


def test_nothing_is_wider_or_higher_than_asked(demo: BatchSession, draw: Draw) -> None:
    scene = draw(demo)
    for width in range(12):
        for height in range(5):
            drawn = Frame(width, height).panel(scene, [("title", "")], [[("much text", "")]] * 9)
            assert [width_of(line) for line in drawn] == [width] * height


def test_the_frames_of_a_layout_know_their_neighbours() -> None:
    made = frames(layout(160, 50, 16), 16)
    assert made["changed"].is_top
    assert made["dock"].left_rules == {18}
    assert made["evals"].up == {0}
    assert made["evals"].from_left
    assert (made["queue"].split, made["queue"].slots_width) == (0, 111)
    assert ends_below(layout(160, 50, 16)) == (frozenset({111}), 0)


def test_the_rule_below_a_map_of_slots_ends_at_the_dock() -> None:
    assert frames(layout(160, 30, 40), 40)["dock"].left_rules == {2}
    assert frames(layout(160, 50, 16), 16)["dock"].left_rules == {18}
