"""The top line as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.topline import top_line
from batchtui.tui.widgets.panel import Panel


class TopLine(Panel):
    """What is run, and where it stands."""

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """One line."""
        return top_line(scene, width)
