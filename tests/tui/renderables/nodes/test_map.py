"""The map says of every node what the view says."""

from __future__ import annotations

from collections.abc import Callable

from tests.tui.searching import at_step, scene_of, to_end

from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, text_of, width_of
from batchtui.tui.renderables.nodes.letters import ranks_of
from batchtui.tui.renderables.nodes.map import grid_in, map_lines, map_panel, map_rows
from batchtui.tui.renderables.scene import Mode, NodesChoice, NodesScene

Find = Callable[..., NodesSession]


def text(lines: list[Line]) -> str:
    return "\n".join(text_of(line) for line in lines)


def style_at(lines: list[Line], row: int, column: int) -> str:
    for said, style in lines[row]:
        if column < len(said):
            return style
        column -= len(said)
    raise AssertionError((row, column))


def test_each_letter_stands_where_the_grid_says(gpus: NodesSession) -> None:
    for step in range(15):
        scene = scene_of(at_step(gpus, step))
        for frame in (Frame(80, 6), Frame(40, 9), Frame(120, 20)):
            grid = grid_in(scene, frame)
            lines = [text_of(line) for line in map_lines(scene, grid)]
            drawn = scene.view.drawn()
            for row, column, nodes in grid.places():
                assert lines[row][column] == min(
                    (drawn[node] for node in nodes), key=lambda letter: ranks_of(letter)[0]
                )


def test_squeezed_a_bad_node_is_still_seen(find: Find) -> None:
    scene = scene_of(to_end(find(4096, (4076,))))
    frame = Frame(80, 10)
    grid = grid_in(scene, frame)
    place = grid.place_of(4076)
    assert grid.per > 1
    assert place is not None
    assert text_of(map_lines(scene, grid)[place[0]])[place[1]] == "#"
    assert text(map_lines(scene, grid)).count("#") == 1
    assert f"{grid.per} nodes a letter: the worst" in text(map_panel(scene, frame, focused=False))


def test_the_panel_has_the_lines_it_was_given(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 3))
    for height in range(1, 30):
        for width in (20, 44, 80, 160):
            lines = map_panel(scene, Frame(width, height), focused=False)
            assert [width_of(line) for line in lines] == [width] * height


def test_the_title_counts_and_drops_what_has_no_room(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 3))
    title = text(map_panel(scene, Frame(80, 6), focused=True)[:1])
    assert "1 MAP ─ 64 nodes ─ 33 good  0 bad  31 open" in title
    assert "good" not in text(map_panel(scene, Frame(30, 6), focused=True)[:1])


def test_the_legend_is_there_where_the_map_leaves_a_row(link: NodesSession, find: Find) -> None:
    small, large = scene_of(link), scene_of(find(512))
    assert map_rows(small.racks, Frame(80, 3)) == 1
    assert ". untested" in text(map_panel(small, Frame(80, 3), focused=False))
    assert map_rows(large.racks, Frame(80, 3)) == 2
    assert ". untested" not in text(map_panel(large, Frame(80, 3), focused=False))


def test_the_picked_node_is_filled_and_named(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 9), NodesChoice(node=17))
    grid = grid_in(scene, Frame(80, 6))
    place = grid.place_of(17)
    assert place is not None
    assert style_at(map_lines(scene, grid), *place) == "picked"
    assert "gpu-017  . untested" in text(map_panel(scene, Frame(80, 6), focused=False))


def test_what_was_cleared_just_now_is_marked_while_nothing_runs(gpus: NodesSession) -> None:
    session = at_step(gpus, 1)

    def style(scene: NodesScene, node: int) -> str:
        grid = grid_in(scene, Frame(80, 6))
        place = grid.place_of(node)
        assert place is not None
        return style_at(map_lines(scene, grid), *place)

    assert style(scene_of(session), 0) == "entered"
    assert style(scene_of(session, mode=Mode.RUNNING), 0) == "decode"
    assert style(scene_of(at_step(session, 2)), 0) == "decode"


def test_a_map_that_is_too_high_is_shown_from_a_row_on(find: Find) -> None:
    scene, frame = scene_of(find(4096)), Frame(20, 8)
    rows = [text_of(line) for line in map_lines(scene, grid_in(scene, frame))]
    assert len(rows) > 8
    shown = [text_of(line) for line in map_panel(scene, frame, 3, focused=False)]
    assert [line[2 : 2 + len(rows[3])] for line in shown[1:4]] == rows[3:6]
