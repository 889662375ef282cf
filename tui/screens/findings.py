"""A list of findings to go to, one of which is picked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from batchtui.tui.renderables.line import Line
from batchtui.tui.screens.picking import PickingScreen
from batchtui.tui.widgets.keys_line import Key


class FindingsScreen(PickingScreen[int | None]):
    """Prepared lines: the index of the one that was picked, or None. ``empty`` stands for none."""

    WIDTH: ClassVar[int] = 120
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("enter", "go there", "accept"),
        Key("left right", "scroll", "aside(8)"),
        Key("esc", "close", "cancel"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "aside(8)", "scroll right"),
        Binding("left,h", "aside(-8)", "scroll left"),
        Binding("q", "cancel", "close"),
    ]

    def __init__(self, title: str, lines: Sequence[Line], *, empty: str, ascii: bool) -> None:
        super().__init__(title, ascii=ascii)
        self._lines = lines
        self.message.hint = "" if lines else empty

    @property
    def keys(self) -> tuple[Key, ...]:
        """Where there is nothing, there is only a way out."""
        return self.KEYS if self._lines else self.KEYS[-1:]

    def rows(self, width: int) -> Sequence[Line]:
        """As they were given."""
        return self._lines

    def action_aside(self, count: int) -> None:
        """Scroll sideways."""
        self.list.move_aside(count)

    def action_accept(self) -> None:
        """Go to the picked one."""
        self.dismiss(self.picked)
