"""Everything about one thing, to be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from batchtui.tui.renderables.line import Line
from batchtui.tui.screens.picking import PickingScreen
from batchtui.tui.widgets.keys_line import Key


class DetailScreen(PickingScreen[None]):
    """Lines made for a width, which scroll."""

    PICKS: ClassVar[bool] = False
    WIDTH: ClassVar[int] = 100
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("up down", "scroll", "page(1)"),
        Key("esc", "close", "cancel"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "cancel", "close"),
        Binding("space", "page(1)", "page down"),
    ]

    def __init__(self, lines: Callable[[int], list[Line]], title: str, *, ascii: bool) -> None:
        super().__init__(title, ascii=ascii)
        self._lines = lines

    def rows(self, width: int) -> Sequence[Line]:
        """What there is to be read, at this width."""
        return self._lines(width)

    def action_accept(self) -> None:
        """Close."""
        self.dismiss(None)
