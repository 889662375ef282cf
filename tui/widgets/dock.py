"""The dock as a widget: explanations, and the picked request."""

from __future__ import annotations

from textual import events

from batchtui.tui.renderables.dock import dock_panel, num_rows
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.dock import nodes_dock, num_reasons
from batchtui.tui.renderables.scene import Moment, NodesScene, Scene
from batchtui.tui.widgets.panel import Panel


class DockPanel(Panel):
    """Why the picked is what it is; the wheel scrolls what has no room."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.top = 0

    def show(self, scene: Moment) -> None:
        """Another question is read from its beginning."""
        before = self.scene.why if self.scene is not None else None
        if before is None or scene.why is None or before.title != scene.why.title:
            self.top = 0
        super().show(scene)

    def draw(self, scene: Moment, width: int, height: int) -> list[Line]:
        """The explanation, or who is picked."""
        frame = self.bordered(width, height)
        if not isinstance(scene, Scene):
            assert isinstance(scene, NodesScene)
            return nodes_dock(scene, frame, self.top)
        if isinstance(asked := scene.asked, NodesScene):
            return nodes_dock(asked, frame, self.top)
        return dock_panel(scene, frame, self.top, split=self.split_of(scene))

    def scroll_rows(self, count: int) -> None:
        """Move the window by some lines, as far as there are any."""
        if self.scene is None:
            return
        frame = self.bordered(*self.size)
        last = max(0, self._num_rows(frame) - frame.room)
        self.top = min(max(0, self.top + count), last)
        self.redraw()

    def _num_rows(self, frame: Frame) -> int:
        scene = self.scene
        asked = scene.asked if isinstance(scene, Scene) else scene
        if isinstance(asked, NodesScene):
            return num_reasons(asked, frame)
        return num_rows(scene, frame)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll by the wheel."""
        self.scroll_rows(1)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll by the wheel."""
        self.scroll_rows(-1)
        event.stop()
