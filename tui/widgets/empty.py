"""EVALS as a widget, for as long as there is nothing to show in it."""

from __future__ import annotations

from batchtui.tui.renderables.empty import evals_panel
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.scrolling import ScrollingPanel


class EvalsPanel(ScrollingPanel):
    """The figures over all requests that were judged."""

    def num_rows(self, scene: Scene) -> int:
        """None yet."""
        return 0

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """What would fill it."""
        frame = self.bordered(width, height)
        return evals_panel(scene, frame, split=self.split_of(scene), focused=self.has_focus)
