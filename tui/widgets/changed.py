"""CHANGED as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.changed import changed_panel
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.panel import Panel


class ChangedPanel(Panel):
    """What the last step decided."""

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The title and the sentences that fit."""
        return changed_panel(scene, width, height)
