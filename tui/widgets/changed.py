"""CHANGED as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.batch_teller import BatchTeller
from batchtui.tui.renderables.changed import Teller, changed_lines, changed_panel
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.teller import NodesTeller
from batchtui.tui.renderables.scene import Moment, NodesScene, Scene
from batchtui.tui.widgets.panel import Panel


class ChangedPanel(Panel):
    """What the last step decided; without a frame where rows are few."""

    def draw(self, scene: Moment, width: int, height: int) -> list[Line]:
        """The sentences that fit."""
        moment, teller = scene.moved, teller_of(scene)
        if self.frame is None:
            return changed_lines(moment, teller, width, height)
        return changed_panel(moment, teller, self.bordered(width, height))


def teller_of(scene: Moment) -> Teller:
    """Who puts the unit that the step keys move in words."""
    moved = scene.moved
    if isinstance(moved, NodesScene):
        return NodesTeller(moved)
    assert isinstance(scene, Scene)
    return BatchTeller(scene)
