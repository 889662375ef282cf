"""A panel with more rows than fit: scrolled by keys and by the mouse wheel."""

from __future__ import annotations

from abc import abstractmethod

from textual import events

from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.panel import Panel


class ScrollingPanel(Panel, can_focus=True):
    """Shows the rows from ``top`` on."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.top = 0

    @abstractmethod
    def num_rows(self, scene: Scene) -> int:
        """How many rows there are in all."""
        raise NotImplementedError

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

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll by the wheel."""
        self.scroll_rows(2)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll by the wheel."""
        self.scroll_rows(-2)
        event.stop()
