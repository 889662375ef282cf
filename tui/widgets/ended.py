"""ENDED as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.ended import ended_panel, num_rows
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.slots import divider
from batchtui.tui.renderables.table import Place
from batchtui.tui.widgets.scrolling import ScrollingPanel


class EndedPanel(ScrollingPanel):
    """Who ended last, and how.

    ``beside`` says that it stands at the queue's right, ``below_slots`` that it has its place.
    """

    beside = False
    below_slots = False

    def num_rows(self, scene: Scene) -> int:
        """As many as are remembered."""
        return num_rows(scene)

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The title, the heads, and the ended from ``top`` on."""
        joint = divider(scene, width) if self.below_slots else None
        place = Place(self.top, joint, beside=self.beside)
        return ended_panel(scene, width, height, place, focused=self.has_focus)
