"""The verdict as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.verdict import verdict_panel
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.widgets.panel import Panel


class VerdictPanel(Panel):
    """Who is bad, and what it has cost."""

    def draw(self, scene: NodesScene, width: int, height: int) -> list[Line]:
        """The figures."""
        return verdict_panel(scene, self.bordered(width, height))
