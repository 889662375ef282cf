"""A whole screen of panels as lines, without an app."""

from __future__ import annotations

from batchtui.tui.renderables.batch_facts import batch_facts
from batchtui.tui.renderables.batch_teller import BatchTeller
from batchtui.tui.renderables.changed import changed_lines, changed_panel
from batchtui.tui.renderables.dock import dock_panel
from batchtui.tui.renderables.empty import evals_panel, nodes_panel
from batchtui.tui.renderables.ended import ended_panel
from batchtui.tui.renderables.footer import footer
from batchtui.tui.renderables.frame import Frame, ends_below, frames
from batchtui.tui.renderables.layout import PANELS, Layout, Wish, layout
from batchtui.tui.renderables.line import Line, width_of
from batchtui.tui.renderables.lints import lint_line
from batchtui.tui.renderables.queue import queue_panel
from batchtui.tui.renderables.ribbon import ribbon_lines
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.slots import divider, slots_panel
from batchtui.tui.renderables.topline import top_line


def alone(width: int, height: int) -> Frame:
    """The frame of a panel with nothing beside it, below another."""
    return Frame(width, height)


def panels(scene: Scene, places: Layout) -> dict[str, list[Line]]:
    """The lines of every panel that is shown."""
    framed = frames(places, len(scene.view.slots))
    shown = [name for name in PANELS if getattr(places, name).is_shown]
    return {name: _panel(name, scene, places, framed.get(name)) for name in shown}


def composed(scene: Scene, width: int, height: int, wish: Wish | None = None) -> list[Line]:
    """The screen; every cell of it is drawn by exactly one panel."""
    wish = wish or Wish(why=scene.why is not None)
    places = layout(width, height, len(scene.view.slots), wish)
    drawn = panels(scene, places)
    rows: list[list[tuple[int, Line]]] = [[] for _ in range(height)]
    for name, lines in drawn.items():
        rect = getattr(places, name)
        assert len(lines) == rect.height, name
        for row, line in enumerate(lines, rect.y):
            assert width_of(line) == rect.width, (name, row)
            rows[row].append((rect.x, line))
    ordered = [sorted(row, key=lambda part: part[0]) for row in rows]
    return [[span for _, line in row for span in line] for row in ordered]


def _panel(name: str, scene: Scene, places: Layout, frame: Frame | None) -> list[Line]:
    rect = getattr(places, name)
    if name == "top":
        return top_line(scene, batch_facts(scene, rect.width), rect.width)
    if name == "ribbon":
        framed = places.framed and places.changed.is_shown
        return ribbon_lines(scene, rect.width, rect.height, phases=not framed)
    if name == "footer":
        up, slots_width = ends_below(places)
        split = {divider(scene, slots_width)} if slots_width else set()
        found = lint_line(scene.lints, rect.width, scene.glyphs)
        return footer(scene, rect.width, rect.height, up | split, found)
    if frame is None:
        return changed_lines(scene, BatchTeller(scene), rect.width, rect.height)
    return _bordered(name, scene, places, frame)


def _bordered(name: str, scene: Scene, places: Layout, frame: Frame) -> list[Line]:
    is_focused = scene.choice.panel == name
    if name == "changed":
        return changed_panel(scene, BatchTeller(scene), frame)
    if name == "slots":
        return slots_panel(scene, frame, 0, focused=is_focused)
    split = None if frame.split is None else divider(scene, frame.slots_width) - frame.split
    if name == "dock":
        return dock_panel(scene, frame, split=split)
    if name == "queue" and scene.choice.panel == "ended":
        return ended_panel(scene, frame, 0, focused=True, split=split)
    if name == "queue":
        finds = places.footer.height < 3
        return queue_panel(scene, frame, 0, focused=is_focused, split=split, is_finding=finds)
    draw = nodes_panel if name == "nodes" else evals_panel
    return draw(scene, frame, focused=is_focused, split=split)
