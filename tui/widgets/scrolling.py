"""A panel with more rows than fit: scrolled by keys and by the mouse wheel."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

from textual import events
from textual.message import Message

from batchtui.tui.widgets.panel import Panel


class Pick(NamedTuple):
    """What a row is about: a slot, a request, or both."""

    slot: int | None
    request_id: str


class ScrollingPanel(Panel, can_focus=True):
    """Shows the rows from ``top`` on."""

    class Clicked(Message):
        """A row was clicked; ``again`` says that it was the second time at once."""

        def __init__(self, panel: ScrollingPanel, pick: Pick, *, again: bool) -> None:
            super().__init__()
            self.panel = panel
            self.pick = pick
            self.again = again

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.top = 0

    # Any, here and below: a scene of the system whose panel it is.
    @abstractmethod
    def num_rows(self, scene: Any) -> int:
        """How many rows there are in all."""
        raise NotImplementedError

    def picks(self, scene: Any) -> list[Pick]:
        """What can be picked, in the order of the rows."""
        return []

    @property
    def frame_lines(self) -> int:
        """Lines of the panel that do not scroll."""
        return 2

    @property
    def page(self) -> int:
        """How many rows are seen at once."""
        return max(1, self.size.height - self.frame_lines)

    def scroll_rows(self, count: int) -> None:
        """Move the window by some rows, as far as there are any."""
        self.top += count
        self.redraw()

    def reveal(self, row: int) -> None:
        """Scroll as little as can be for a row to be seen."""
        top = min(max(self.top, row - self.page + 1), row)
        if top != self.top:
            self.top = top
            self.redraw()

    def redraw(self) -> None:
        """Draw anew; what was scrolled to may have gone meanwhile."""
        if self.scene is not None:
            last = max(0, self.num_rows(self.scene) - self.page)
            self.top = min(max(0, self.top), last)
        super().redraw()

    def on_focus(self, event: events.Focus) -> None:
        """The title says who has the keys."""
        self.redraw()

    def on_blur(self, event: events.Blur) -> None:
        """The title says who has the keys."""
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Say which row is under the mouse."""
        row = event.y - self.frame_top + self.top
        if self.scene is None or event.y < self.frame_top:
            return
        picks = self.picks(self.scene)
        if row < len(picks) and row < self.top + self.page:
            self.post_message(self.Clicked(self, picks[row], again=event.chain == 2))

    @property
    def frame_top(self) -> int:
        """The lines above the first row."""
        return self.frame_lines

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll by the wheel."""
        self.scroll_rows(2)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll by the wheel."""
        self.scroll_rows(-2)
        event.stop()
