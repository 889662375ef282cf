"""The top line as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.batch_facts import batch_facts
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.facts import nodes_facts
from batchtui.tui.renderables.scene import Moment, NodesScene, Scene
from batchtui.tui.renderables.topline import top_line
from batchtui.tui.widgets.panel import Panel


def facts_of(scene: Moment, width: int) -> list[Line]:
    """What is said of the unit that the step keys move."""
    moved = scene.moved
    if isinstance(moved, NodesScene):
        return nodes_facts(moved)
    assert isinstance(scene, Scene)
    return batch_facts(scene, width)


class TopLine(Panel):
    """What is run, and where it stands."""

    def draw(self, scene: Moment, width: int, height: int) -> list[Line]:
        """One line."""
        return top_line(scene.moved, facts_of(scene, width), width)
