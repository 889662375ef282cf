"""The panels: how they share the screen, who has the keys, how they are scrolled."""

from __future__ import annotations

from abc import abstractmethod

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen

from batchtui.tui.renderables.layout import Layout, layout
from batchtui.tui.widgets.changed import ChangedPanel
from batchtui.tui.widgets.ended import EndedPanel
from batchtui.tui.widgets.footer import FooterLine
from batchtui.tui.widgets.panel import Panel
from batchtui.tui.widgets.queue import QueuePanel
from batchtui.tui.widgets.scrolling import ScrollingPanel
from batchtui.tui.widgets.slots import SlotsPanel
from batchtui.tui.widgets.top_line import TopLine


class PanelsScreen(Screen[None]):
    """Panels in a column, as many as there is room for."""

    def __init__(self, num_slots: int) -> None:
        super().__init__()
        self._num_slots = num_slots
        self._ended_wanted = False

    def compose(self) -> ComposeResult:
        """Six panels; they share their borders."""
        yield TopLine(id="top")
        yield ChangedPanel(id="changed")
        yield SlotsPanel(id="slots")
        with Container(id="below"):
            yield QueuePanel(id="queue")
            yield EndedPanel(id="ended")
        yield FooterLine(id="footer")

    def on_resize(self, event: events.Resize) -> None:
        """Share the screen out anew."""
        self.share_out(ended_wanted=self._ended_wanted)

    def share_out(self, *, ended_wanted: bool) -> None:
        """Share the screen out; where queue and ended exclude each other, show the one asked."""
        self._ended_wanted = ended_wanted
        width, height = self.size
        rows = layout(width, height, self._num_slots, ended_wanted=ended_wanted)
        for name in ("top", "changed", "slots", "queue", "ended", "footer"):
            panel, num_rows = self.query_one(f"#{name}", Panel), getattr(rows, name)
            panel.display = num_rows > 0
            panel.styles.height = num_rows
        self._share_below(rows, width)

    def _share_below(self, rows: Layout, width: int) -> None:
        """Queue and ended: side by side, one above the other, or one of them."""
        below, beside = self.query_one("#below"), rows.queue_width > 0
        queue, ended = self.query_one(QueuePanel), self.query_one(EndedPanel)
        below.display = rows.queue + rows.ended > 0
        below.styles.height = max(rows.queue, rows.ended) if beside else rows.queue + rows.ended
        below.styles.layout = "horizontal" if beside else "vertical"
        queue.styles.width = rows.queue_width if beside else width
        ended.styles.width = width - rows.queue_width if beside else width
        queue.beside = ended.beside = beside
        ended.below_slots = rows.queue == 0
        self.query_one(FooterLine).joint = rows.queue_width - 1 if beside else None

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
        """Give a panel the keys; queue and ended make room for one another."""
        if kind is not SlotsPanel:
            self.share_out(ended_wanted=kind is EndedPanel)
        self.query_one(kind).focus()
        self.paint()

    def _scroll(self, count: int) -> None:
        self.paint()
        self._panel.scroll_rows(count)
