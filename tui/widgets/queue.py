"""QUEUE as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.findings import num_found_lines
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.queue import has_heads, num_rows, queue_panel, rows
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.scrolling import Pick, ScrollingPanel


class QueuePanel(ScrollingPanel):
    """Who waits, and why; ``is_finding`` says that it also has to say what looks wrong."""

    is_finding = False

    def num_rows(self, scene: Scene) -> int:
        """As many as wait."""
        return num_rows(scene)

    def picks(self, scene: Scene) -> list[Pick]:
        """Each row's request."""
        return [Pick(None, request_id) for request_id in rows(scene)]

    @property
    def frame_lines(self) -> int:
        """The title, the heads, and what looks wrong."""
        frame = self.bordered(*self.size)
        found = num_found_lines(self.scene, frame) if self.scene and self.is_finding else 0
        return 1 + has_heads(frame) + found

    @property
    def frame_top(self) -> int:
        """The title and the heads: what looks wrong stands below."""
        return 1 + has_heads(self.bordered(*self.size))

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The title, the heads, and the requests from ``top`` on."""
        return queue_panel(
            scene,
            self.bordered(width, height),
            self.top,
            focused=self.has_focus,
            split=self.split_of(scene),
            is_finding=self.is_finding,
        )
