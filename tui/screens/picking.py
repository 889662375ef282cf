"""A modal screen with a list, one of whose rows is picked."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ScreenResultType

from batchtui.tui.renderables.line import Line
from batchtui.tui.screens.modal import Modal
from batchtui.tui.widgets.lines import ScrolledLines


class PickingScreen(Modal[ScreenResultType]):
    """A list with a cursor. ``PICKS`` is False where rows are only read."""

    PICKS: ClassVar[bool] = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "down"),
        Binding("up,k", "move(-1)", "up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("pageup", "page(-1)", "page up"),
        Binding("home", "to_end(-1)", "first"),
        Binding("end", "to_end(1)", "last"),
        Binding("enter", "accept", "accept"),
    ]

    @abstractmethod
    def rows(self, width: int) -> Sequence[Line]:
        """The rows at a width."""
        raise NotImplementedError

    @abstractmethod
    def action_accept(self) -> None:
        """Do what enter does to the picked row."""
        raise NotImplementedError

    def body(self) -> ScrolledLines:
        """The list."""
        self.list = ScrolledLines(picks=self.PICKS, id="list")
        return self.list

    def on_mount(self) -> None:
        """The list has the keys."""
        self.list.focus()

    def num_rows(self, width: int) -> int:
        """A row each."""
        return len(self.rows(width))

    def share_out(self) -> None:
        """The rows depend on the width."""
        super().share_out()
        self.redraw()
        self.call_after_refresh(self.redraw)  # then it is known how many are below

    def redraw(self) -> None:
        """Draw the rows anew and say how many are not seen; not once it is closed."""
        if self._is_dismissed:
            return
        self.list.show_rows(self.rows(self.inner))
        box, below = self.query_one("#box"), self.list.num_below
        box.border_subtitle = Content(f"{below:,} more below") if below else Content("")

    @property
    def picked(self) -> int | None:
        """The picked row, if there is any."""
        return self.list.picked if self.list.rows else None

    def action_move(self, count: int) -> None:
        """Move by some rows."""
        self.list.move(count)
        self.redraw()

    def action_page(self, way: int) -> None:
        """Move by a page."""
        self.action_move(way * self.list.page)

    def action_to_end(self, way: int) -> None:
        """Move to the first or the last row."""
        self.action_move(way * len(self.list.rows))

    def on_scrolled_lines_scrolled(self, event: ScrolledLines.Scrolled) -> None:
        """Say how many are below now."""
        self.redraw()

    def on_scrolled_lines_clicked(self, event: ScrolledLines.Clicked) -> None:
        """A second click is an enter."""
        self.redraw()
        if event.again:
            self.action_accept()
