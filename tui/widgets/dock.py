"""The dock as a widget: explanations, and the picked request."""

from __future__ import annotations

from textual import events

from batchtui.tui.renderables.dock import dock_panel, num_rows
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.panel import Panel


class DockPanel(Panel):
    """Why the picked request waits, runs or has ended; the wheel scrolls what has no room."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.top = 0

    def show(self, scene: Scene) -> None:
        """Another question is read from its beginning."""
        before = self.scene.why if self.scene is not None else None
        if before is None or scene.why is None or before.request_id != scene.why.request_id:
            self.top = 0
        super().show(scene)

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The explanation, or who is picked."""
        frame = self.bordered(width, height)
        return dock_panel(scene, frame, self.top, split=self.split_of(scene))

    def scroll_rows(self, count: int) -> None:
        """Move the window by some lines, as far as there are any."""
        if self.scene is None:
            return
        frame = self.bordered(*self.size)
        last = max(0, num_rows(self.scene, frame) - frame.room)
        self.top = min(max(0, self.top + count), last)
        self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll by the wheel."""
        self.scroll_rows(1)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll by the wheel."""
        self.scroll_rows(-1)
        event.stop()
