"""QUEUE as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.queue import num_rows, queue_panel
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.slots import divider
from batchtui.tui.widgets.scrolling import ScrollingPanel


class QueuePanel(ScrollingPanel):
    """Who waits, and why."""

    def num_rows(self, scene: Scene) -> int:
        """As many as wait."""
        return num_rows(scene)

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The title, the heads, and the requests from ``top`` on."""
        joint = divider(scene, width)
        return queue_panel(scene, width, height, self.top, joint, focused=self.has_focus)
