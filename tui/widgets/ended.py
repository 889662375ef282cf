"""ENDED as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.ended import ended_panel, has_heads, num_rows, rows
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.scrolling import Pick, ScrollingPanel


class EndedPanel(ScrollingPanel):
    """Who ended last, and how; in the queue's place."""

    def num_rows(self, scene: Scene) -> int:
        """As many as are remembered."""
        return num_rows(scene)

    def picks(self, scene: Scene) -> list[Pick]:
        """Each row's request."""
        return [Pick(None, request_id) for request_id in rows(scene)]

    @property
    def frame_lines(self) -> int:
        """The title and the heads."""
        return 1 + has_heads(self.bordered(*self.size))

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The title, the heads, and the ended from ``top`` on."""
        frame, split = self.bordered(width, height), self.split_of(scene)
        return ended_panel(scene, frame, self.top, focused=self.has_focus, split=split)
