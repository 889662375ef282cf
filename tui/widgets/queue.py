"""QUEUE as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.queue import num_rows, queue_panel
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.slots import divider
from batchtui.tui.renderables.table import Place
from batchtui.tui.widgets.scrolling import ScrollingPanel


class QueuePanel(ScrollingPanel):
    """Who waits, and why; ``beside`` says that the ended stand at its right."""

    beside = False

    def num_rows(self, scene: Scene) -> int:
        """As many as wait."""
        return num_rows(scene)

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The title, the heads, and the requests from ``top`` on."""
        place = Place(self.top, divider(scene, self.screen.size.width), beside=self.beside)
        return queue_panel(scene, width, height, place, focused=self.has_focus)
