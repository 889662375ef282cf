"""A whole screen of a search as lines, without an app."""

from __future__ import annotations

from batchtui.tui.renderables.changed import changed_lines, changed_panel
from batchtui.tui.renderables.footer import footer
from batchtui.tui.renderables.frame import Frame, ends_at, frames_of
from batchtui.tui.renderables.layout import Rect
from batchtui.tui.renderables.line import Line, width_of
from batchtui.tui.renderables.nodes.dock import nodes_dock
from batchtui.tui.renderables.nodes.facts import nodes_facts
from batchtui.tui.renderables.nodes.grid import grid_of
from batchtui.tui.renderables.nodes.layout import BORDERED, NodesWish, map_width, nodes_layout
from batchtui.tui.renderables.nodes.letters import NODES_MARKS
from batchtui.tui.renderables.nodes.map import map_panel
from batchtui.tui.renderables.nodes.teller import NodesTeller
from batchtui.tui.renderables.nodes.tests import tests_panel
from batchtui.tui.renderables.nodes.verdict import verdict_panel
from batchtui.tui.renderables.ribbon import ribbon_lines
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.topline import top_line


def nodes_composed(
    scene: NodesScene, width: int, height: int, wish: NodesWish | None = None
) -> list[Line]:
    """The screen; every cell of it is drawn by exactly one panel."""
    wish = wish or NodesWish(why=scene.why is not None)
    map_rows = len(grid_of(scene.racks, max(1, map_width(width) - 4), 10_000).rows)
    places = nodes_layout(width, height, map_rows, wish)
    is_framed = places.get("changed", Rect()).height >= 5 or wish.zoomed == "changed"
    names = [name for name in BORDERED if name in places and (name != "changed" or is_framed)]
    boxes = {name: places[name] for name in names}
    frames = frames_of(boxes)
    rows: list[list[tuple[int, Line]]] = [[] for _ in range(height)]
    for name, rect in places.items():
        if name == "footer":
            lines = footer(scene, width, rect.height, ends_at(boxes, rect.y))
        else:
            lines = _panel(name, scene, rect, frames.get(name))
        assert len(lines) == rect.height, name
        for row, line in enumerate(lines, rect.y):
            assert width_of(line) == rect.width, (name, row)
            rows[row].append((rect.x, line))
    ordered = [sorted(row, key=lambda part: part[0]) for row in rows]
    return [[span for _, line in row for span in line] for row in ordered]


def _panel(name: str, scene: NodesScene, rect: Rect, frame: Frame | None) -> list[Line]:
    if name == "top":
        return top_line(scene, nodes_facts(scene), rect.width)
    if name == "ribbon":
        return ribbon_lines(scene, rect.width, rect.height, phases=True, marks=NODES_MARKS)
    if frame is None:
        return changed_lines(scene, NodesTeller(scene), rect.width, rect.height)
    return _bordered(name, scene, frame)


def _bordered(name: str, scene: NodesScene, frame: Frame) -> list[Line]:
    focused = scene.choice.panel == name
    if name == "changed":
        return changed_panel(scene, NodesTeller(scene), frame)
    if name == "map":
        return map_panel(scene, frame, 0, focused=focused)
    if name == "tests":
        return tests_panel(scene, frame, 0, focused=focused)
    return verdict_panel(scene, frame) if name == "verdict" else nodes_dock(scene, frame)
