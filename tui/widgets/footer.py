"""The footer as a widget."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events

from batchtui.tui.renderables.footer import WITH_LINTS, action_at, footer
from batchtui.tui.renderables.line import Line, clip, ends, width_of
from batchtui.tui.renderables.lints import lint_line
from batchtui.tui.renderables.scene import Moment, NodesScene, Scene
from batchtui.tui.renderables.slots import divider
from batchtui.tui.widgets.panel import Panel


class FooterLine(Panel):
    """What looks wrong, and the keys of the mode; a click on one does what it says.

    ``up`` are the columns at which borders end at the border below all panels; ``slots_width`` is
    that of the slots if they are right above it, else 0.
    """

    up: Iterable[int] = ()
    slots_width = 0

    def draw(self, scene: Moment, width: int, height: int) -> list[Line]:
        """The lower border, what looks wrong, and the keys."""
        if not isinstance(scene, Scene):
            found: Line = [(" ", ""), *_told(scene, width - 2)]
            return footer(scene, width, height, self.up, found)
        up = {*self.up, *([divider(scene, self.slots_width)] if self.slots_width else [])}
        found = lint_line(scene.lints, width, scene.glyphs)
        return footer(scene, width, height, up, found)

    async def on_click(self, event: events.Click) -> None:
        """Run the action under the mouse."""
        if self.scene is None:
            return
        name = None
        if event.y == self.size.height - 1:
            name = action_at(self.scene, self.size.width, event.x)
        elif event.y == 1 and self.size.height >= WITH_LINTS and self._has_found:
            name = "lints"
        if name is not None:
            await self.run_action(f"screen.{name}")

    @property
    def _has_found(self) -> bool:
        if isinstance(self.scene, NodesScene):
            return bool(self.scene.told)
        return isinstance(self.scene, Scene) and bool(self.scene.lints)


def _told(scene: Moment, width: int) -> Line:
    """What should be known of a search besides its verdict: the first of it, and how much more."""
    told = scene.told if isinstance(scene, NodesScene) else ()
    if not told:
        return []
    more: Line = [(f"  +{len(told) - 1} (! lists)", "hint")] if len(told) > 1 else []
    return ends(clip([("! ", "alarm"), (told[0], "")], width - width_of(more)), more, width)
