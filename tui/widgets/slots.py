"""SLOTS and STREAMS as a widget."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.slots import frame_lines, num_rows, rows, slots_panel
from batchtui.tui.widgets.scrolling import Pick, ScrollingPanel


class SlotsPanel(ScrollingPanel):
    """One row for each slot and its stream."""

    def num_rows(self, scene: Scene) -> int:
        """As many as there are slots."""
        return num_rows(scene)

    def picks(self, scene: Scene) -> list[Pick]:
        """Each row's slot, and who sits in it."""
        return [Pick(slot.index, slot.request_id) for slot in rows(scene, self.size.height)]

    def show(self, scene: Scene) -> None:
        """Where rows have no fixed order the picked one stays in sight."""
        super().show(scene)
        slots = rows(scene, self.size.height)
        if slots is not scene.view.slots and scene.choice.slot is not None:
            places = (row for row, slot in enumerate(slots) if slot.index == scene.choice.slot)
            self.reveal(next(places, self.top))

    @property
    def frame_lines(self) -> int:
        """The borders, the heads, and the map if there is one."""
        return super().frame_lines if self.scene is None else frame_lines(self.scene, *self.size)

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The title, the heads, and the slots from ``top`` on."""
        return slots_panel(scene, self.bordered(width, height), self.top, focused=self.has_focus)
