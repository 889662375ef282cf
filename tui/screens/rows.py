"""Moves among the rows of a panel, and says which of them are shown and in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from batchtui.tui.renderables import ended, queue
from batchtui.tui.renderables.scene import Sort
from batchtui.tui.screens.prompt import PromptScreen
from batchtui.tui.screens.selecting import SelectingScreen
from batchtui.tui.widgets.scrolling import Pick, ScrollingPanel

_SORTS = {"queue": ("", *queue.SORTS), "ended": ("", *ended.SORTS)}


class RowsScreen(SelectingScreen):
    """The panels, and their rows."""

    def action_row_down(self) -> None:
        """Pick the row below."""
        self._move_by(1)

    def action_row_up(self) -> None:
        """Pick the row above."""
        self._move_by(-1)

    def action_page_down(self) -> None:
        """Move down by a page."""
        self._move_by(self.focused_panel.page)

    def action_page_up(self) -> None:
        """Move up by a page."""
        self._move_by(-self.focused_panel.page)

    def action_first_row(self) -> None:
        """Pick the first row."""
        self._pick_row(0)

    def action_last_row(self) -> None:
        """Pick the last row."""
        self._pick_row(len(self.panel_rows()) - 1)

    def _move_by(self, count: int) -> None:
        place = self._picked_row()
        if place is None:
            self._pick_row(0 if count > 0 else len(self.panel_rows()) - 1)
        else:
            self._pick_row(place + count)

    def _picked_row(self) -> int | None:
        """The row of what is picked; None if it is not among them."""
        choice, rows = self.choice, self.panel_rows()
        for place, row in enumerate(rows):
            if row.slot is not None and row.slot == choice.slot:
                return place
            if row.slot is None and row.request_id == choice.request_id:
                return place
        return None

    def _pick_row(self, place: int) -> None:
        rows = self.panel_rows()
        if not rows:
            self.paint()
            return
        place = min(max(place, 0), len(rows) - 1)
        self._take(rows[place])
        self.focused_panel.reveal(place)

    def _take(self, row: Pick) -> None:
        self.choice = replace(self.choice, slot=row.slot, request_id=row.request_id)
        self.paint()

    def on_scrolling_panel_clicked(self, event: ScrollingPanel.Clicked) -> None:
        """Pick the row under the mouse; twice shows all of it."""
        name = event.panel.id or self.choice.panel
        self.choice = replace(self.choice, panel=name)
        self._take(event.pick)
        if event.again:
            self.call_later(self.run_action, "detail")

    # Filter and order.

    def action_filter(self) -> None:
        """Show only rows that hold a text."""
        if self.choice.panel not in _SORTS:
            self.focus_panel("queue")
        hint = "a text that rows hold; !text: that they do not; nothing: all rows"
        prompt = PromptScreen("filter", self.choice.filter, hint, ascii=self.ascii)
        self.app.push_screen(prompt, self._filter)

    def _filter(self, text: str | None) -> None:
        if text is not None:
            self.choice = replace(self.choice, filter=text.strip())
            self.paint()

    def action_sort_left(self) -> None:
        """Sort by the column to the left."""
        self._sort_by(-1)

    def action_sort_right(self) -> None:
        """Sort by the column to the right."""
        self._sort_by(1)

    def action_reverse(self) -> None:
        """Sort the other way round."""
        self._set_sort(lambda sort: replace(sort, reverse=not sort.reverse))

    def _sort_by(self, count: int) -> None:
        columns = _SORTS.get(self.choice.panel, _SORTS["queue"])

        def moved(sort: Sort) -> Sort:
            return Sort(columns[(columns.index(sort.column) + count) % len(columns)], sort.reverse)

        self._set_sort(moved)

    def _set_sort(self, change: Callable[[Sort], Sort]) -> None:
        if self.choice.panel not in _SORTS:
            self.paint("the queue and the ended can be sorted: 3 goes there")
            return
        if self.choice.panel == "queue":
            self.choice = replace(self.choice, queue_sort=change(self.choice.queue_sort))
        else:
            self.choice = replace(self.choice, ended_sort=change(self.choice.ended_sort))
        self.paint()
