"""Prepared lines as a widget, for what lies over the dashboard and so has no scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import split_text
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from batchtui.tui.renderables.line import Line, cells, clip, width_of
from batchtui.tui.widgets.panel import Panel


class Lines(Panel):
    """Shows rows from the first on, as many as there is room for."""

    def __init__(self, rows: Sequence[Line] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows = rows

    def show_rows(self, rows: Sequence[Line]) -> None:
        """Take other rows in."""
        self.rows = rows
        self.redraw()

    def lines(self, width: int, height: int) -> list[Line]:
        """What is seen of the rows in a window of this size."""
        return [clip(row, width) for row in self.rows[:height]]

    def redraw(self) -> None:
        """Draw the rows anew."""
        width, height = self.size
        self._lines = self.lines(width, height) if width and height else []
        self.refresh()


class ScrolledLines(Lines, can_focus=True):
    """Rows that scroll; one of them may be ``picked`` and is then always seen.

    ``top`` is the first row that is seen, ``aside`` how many cells have been scrolled out at the
    left. The picked row has a mark in the gutter, which is there only if a row can be picked.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--picked"}

    class Clicked(Message):
        """A row was clicked; ``again`` if it was the picked one already."""

        def __init__(self, row: int, *, again: bool) -> None:
            super().__init__()
            self.row = row
            self.again = again

    class Scrolled(Message):
        """The wheel was turned."""

    def __init__(self, rows: Sequence[Line] = (), *, picks: bool, id: str | None = None) -> None:
        super().__init__(rows, id=id)
        self.picked: int | None = 0 if picks else None
        self.top = 0
        self.aside = 0

    @property
    def page(self) -> int:
        """How many rows are seen at once."""
        return max(1, self.size.height)

    @property
    def num_below(self) -> int:
        """How many rows are below those that are seen."""
        return max(0, len(self.rows) - self.top - self.page)

    def move(self, count: int) -> None:
        """Pick another row; where none is picked, scroll."""
        if self.picked is None:
            self.top += count
        else:
            self.picked += count
        self.redraw()

    def move_aside(self, count: int) -> None:
        """Scroll sideways, as far as there is text."""
        longest = max(map(width_of, self.rows), default=0)
        room = self.size.width - self._gutter
        self.aside = min(max(0, self.aside + count), max(0, longest - room))
        self.redraw()

    def redraw(self) -> None:
        """Draw anew; what was picked, or scrolled to, may have gone meanwhile."""
        last = max(0, len(self.rows) - self.page)
        if self.picked is not None:
            self.picked = min(max(0, self.picked), max(0, len(self.rows) - 1))
            self.top = min(max(self.top, self.picked - self.page + 1), self.picked)
        self.top = min(max(0, self.top), last)
        super().redraw()

    def lines(self, width: int, height: int) -> list[Line]:
        """The rows from ``top`` on, each after its gutter."""
        shown = enumerate(self.rows[self.top : self.top + height], self.top)
        return [self._row(index, row, width) for index, row in shown]

    def render_line(self, y: int) -> Strip:
        """One row; the picked one on a ground of its own."""
        strip = super().render_line(y)
        if self.picked is None or self.top + y != self.picked or y >= len(self._lines):
            return strip
        style = self.get_component_rich_style("lines--picked")
        ground = Style(bgcolor=style.bgcolor, bold=style.bold)
        return Strip(
            Segment(text, (own or Style()) + ground if not (own and own.reverse) else own)
            for text, own, _ in strip
        )

    def on_click(self, event: events.Click) -> None:
        """Pick the row under the mouse."""
        row = self.top + event.y
        if self.picked is None or row >= len(self.rows):
            return
        again = row == self.picked
        self.picked = row
        self.redraw()
        self.post_message(self.Clicked(row, again=again))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll by the wheel."""
        self._turn_wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll by the wheel."""
        self._turn_wheel(event, -1)

    def _turn_wheel(self, event: events.MouseEvent, way: int) -> None:
        self.move(way if self.picked is not None else 2 * way)
        self.post_message(self.Scrolled())
        event.stop()

    @property
    def _gutter(self) -> int:
        return 0 if self.picked is None else 2

    def _row(self, index: int, row: Line, width: int) -> Line:
        mark: Line = [("> " if index == self.picked else "  ", "key")] if self._gutter else []
        return [*mark, *clip(shifted(row, self.aside), max(0, width - self._gutter))]


def shifted(line: Line, count: int) -> Line:
    """A line without its first cells, with two dots where they were."""
    if count <= 0 or not line:
        return line
    left: Line = [("..", "dim")]
    count += 2
    for text, style in line:
        size = cells(text)
        if count < size:
            left.append((split_text(text, count)[1] if count else text, style))
        count = max(0, count - size)
    return left
