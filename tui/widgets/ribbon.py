"""The ribbon as a widget."""

from __future__ import annotations

from textual import events
from textual.message import Message

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.letters import NODES_MARKS
from batchtui.tui.renderables.ribbon import MARKS, ribbon_lines, step_at
from batchtui.tui.renderables.scene import Moment, NodesScene
from batchtui.tui.widgets.panel import Panel


class Ribbon(Panel):
    """A mark for every step. ``phases`` says that the phases of a step stand at its right."""

    phases = False
    _dragged: int | None = None

    class Picked(Message):
        """A step was clicked, or dragged to."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def draw(self, scene: Moment, width: int, height: int) -> list[Line]:
        """Marks, and where there is a second line how many waited."""
        moved = scene.moved
        marks = NODES_MARKS if isinstance(moved, NodesScene) else MARKS
        return ribbon_lines(moved, width, height, phases=self.phases, marks=marks)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to the step under the mouse, and follow it."""
        self.capture_mouse()
        self._dragged = None
        self._pick(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the cursor along."""
        if event.button and self.app.mouse_captured is self:
            self._pick(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go."""
        self.release_mouse()

    def _pick(self, event: events.MouseEvent) -> None:
        if self.scene is None:
            return
        step = step_at(self.scene.moved, self.size.width, event.x)
        before = self.scene.moved.ribbon.cursor if self._dragged is None else self._dragged
        if step is not None and step != before:
            self._dragged = step
            self.post_message(self.Picked(step))
