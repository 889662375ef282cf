"""The footer as a widget."""

from __future__ import annotations

from textual import events

from batchtui.tui.renderables.footer import action_at, footer
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.panel import Panel


class FooterLine(Panel):
    """The keys of the mode; a click on one does what it says.

    ``joint`` is the column at which a border between two panels meets this one.
    """

    joint: int | None = None

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The lower border and the keys."""
        return footer(scene, width, height, self.joint)

    async def on_click(self, event: events.Click) -> None:
        """Run the action under the mouse."""
        if self.scene is None or event.y != self.size.height - 1:
            return
        name = action_at(self.scene, self.size.width, event.x)
        if name is not None:
            await self.run_action(f"screen.{name}")
