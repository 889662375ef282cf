"""CHANGED as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.changed import changed_lines, changed_panel
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.panel import Panel


class ChangedPanel(Panel):
    """What the last step decided; without a frame where rows are few."""

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The sentences that fit."""
        if self.frame is None:
            return changed_lines(scene, width, height)
        return changed_panel(scene, self.bordered(width, height))
