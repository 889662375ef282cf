"""ENDED as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.ended import ended_panel, num_rows
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.scrolling import ScrollingPanel


class EndedPanel(ScrollingPanel):
    """Who ended last, and how."""

    def num_rows(self, scene: Scene) -> int:
        """As many as are remembered."""
        return num_rows(scene)

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The title, the heads, and the ended from ``top`` on."""
        return ended_panel(scene, width, height, self.top, focused=self.has_focus)
