"""The panels: how they share the screen, who has the keys, how they are scrolled."""

from __future__ import annotations

from abc import abstractmethod

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from batchtui.tui.renderables.layout import layout
from batchtui.tui.widgets.changed import ChangedPanel
from batchtui.tui.widgets.ended import EndedPanel
from batchtui.tui.widgets.footer import FooterLine
from batchtui.tui.widgets.panel import Panel
from batchtui.tui.widgets.queue import QueuePanel
from batchtui.tui.widgets.scrolling import ScrollingPanel
from batchtui.tui.widgets.slots import SlotsPanel
from batchtui.tui.widgets.top_line import TopLine


class PanelsScreen(Screen[None]):
    """Panels in a column, as many as the height has room for."""

    def __init__(self, num_slots: int) -> None:
        super().__init__()
        self._num_slots = num_slots

    def compose(self) -> ComposeResult:
        """Six panels; they share their borders."""
        yield TopLine(id="top")
        yield ChangedPanel(id="changed")
        yield SlotsPanel(id="slots")
        yield QueuePanel(id="queue")
        yield EndedPanel(id="ended")
        yield FooterLine(id="footer")

    def on_resize(self, event: events.Resize) -> None:
        """Share the rows out anew."""
        rows = layout(event.size.height, self._num_slots)
        for name, height in rows._asdict().items():
            panel = self.query_one(f"#{name}", Panel)
            panel.display = height > 0
            panel.styles.height = height

    @abstractmethod
    def paint(self, hint: str = "") -> None:
        """Bring the panels up to date, and say something once in the footer."""
        raise NotImplementedError

    def action_focus_slots(self) -> None:
        """Give the slots the keys."""
        self._focus(SlotsPanel)

    def action_focus_queue(self) -> None:
        """Give the queue the keys."""
        self._focus(QueuePanel)

    def action_focus_ended(self) -> None:
        """Give those who have ended the keys."""
        self._focus(EndedPanel)

    def action_row_down(self) -> None:
        """Scroll down by a row."""
        self._scroll(1)

    def action_row_up(self) -> None:
        """Scroll up by a row."""
        self._scroll(-1)

    def action_page_down(self) -> None:
        """Scroll down by a page."""
        self._scroll(self._panel.page)

    def action_page_up(self) -> None:
        """Scroll up by a page."""
        self._scroll(-self._panel.page)

    @property
    def _panel(self) -> ScrollingPanel:
        focused = self.focused
        return focused if isinstance(focused, ScrollingPanel) else self.query_one(SlotsPanel)

    def _focus(self, kind: type[ScrollingPanel]) -> None:
        self.query_one(kind).focus()
        self.paint()

    def _scroll(self, count: int) -> None:
        self.paint()
        self._panel.scroll_rows(count)
