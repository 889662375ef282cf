"""NODES on the dashboard, narrow and wide."""

from __future__ import annotations

from collections.abc import Callable

from tests.tui.searching import at_step, scene_of, to_end

from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.nodes.panel import grid_on, nodes_panel, rows_on
from batchtui.tui.renderables.scene import NodesScene

Find = Callable[..., NodesSession]

NARROW, WIDE = Frame(26, 7), Frame(111, 10)


def said(scene: NodesScene, frame: Frame, top: int = 0) -> list[str]:
    return [text_of(line) for line in nodes_panel(scene, frame, top, focused=False)]


def test_the_panel_has_the_lines_it_was_given(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 9))
    for height in range(1, 20):
        for width in (2, 20, 26, 60, 91, 93, 111, 160):
            lines = nodes_panel(scene, Frame(width, height), focused=True)
            assert [width_of(line) for line in lines] == [width] * height


def test_a_narrow_one_has_the_map_and_two_lines(gpus: NodesSession) -> None:
    lines = said(scene_of(at_step(gpus, 9)), NARROW)
    assert lines[0].startswith("├4 NODES 64 ─")
    assert lines[1].startswith("│ A ++++++++ ++++++++")
    assert "BAD gpu-017" in lines[5]
    assert "56 good 7 open 11/~" in lines[6]


def test_at_the_end_it_says_what_it_cost(gpus: NodesSession) -> None:
    assert "15 tests, bound 11" in said(scene_of(to_end(gpus)), NARROW)[6]


def test_a_wide_one_has_tests_and_verdict_beside_the_map(gpus: NodesSession) -> None:
    lines = said(scene_of(at_step(gpus, 9)), WIDE)
    assert "1 of 8 lanes" in lines[1]
    assert "b gpu-049..051" in lines[2]
    assert " last       T10  FAIL gpu-000+017" in lines[3]
    assert any("verdict   56 good  1 bad  7 open" in line for line in lines)
    assert any("bad       gpu-017" in line for line in lines)
    assert "10m03s" in lines[-1]
    assert ". untested" in lines[-1]


def test_every_letter_stands_where_the_grid_says(find: Find) -> None:
    for nodes in (64, 512):
        scene = scene_of(at_step(find(nodes, (3,)), 2))
        drawn = scene.view.drawn()
        for frame in (NARROW, WIDE):
            grid = grid_on(scene, frame)
            for top in (0, 1):
                lines = said(scene, frame, top)
                for row, column, members in grid.places():
                    if not top <= row < top + rows_on(frame):
                        continue
                    seen = lines[1 + row - top][2 + column]
                    assert seen in {drawn[node] for node in members}
