"""A panel: draws lines of styled spans by Textual's line API, and repaints only rows that changed.

Style names of the renderables become component classes, so that every colour stands in the style
sheet and follows the theme.
"""

from __future__ import annotations

from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, merged
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.slots import divider

STYLES = (
    *("border", "past", "title", "focused", "digit", "dim", "name", "key", "hint", "phase", "unit"),
    *("free", "prefill", "decode", "held", "ended", "dropped"),
    *("said", "fresh", "fresh-mark", "escape", "ended-note", "dropped-note"),
    *("entered", "left", "moved", "warning", "alarm", "real", "picked", "picked-mark"),
    *("chip-paused", "chip-running", "chip-past", "chip-ended", "chip-fault"),
)
"""Every name that a renderable may give to a span."""

FILLED = frozenset(
    (
        *("ended", "dropped", "real", "picked"),
        *("chip-paused", "chip-running", "chip-past", "chip-ended", "chip-fault"),
    )
)
"""Those that colour the whole cell, so that a blank in them is seen."""


class Panel(Widget):
    """Shows what ``draw`` says of the scene.

    ``frame`` is how its borders meet others', if it has any.
    """

    frame: Frame | None = None

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"panel--{style}" for style in STYLES}

    def __init__(self, *, id: str | None = None) -> None:
        self._styles_by_name: dict[str, Style] = {}
        self._lines: list[Line] = []
        self.scene: Any = None  # of the system whose panel it is
        super().__init__(id=id)

    def draw(self, scene: Any, width: int, height: int) -> list[Line]:
        """The lines for this scene. Pure."""
        raise NotImplementedError

    def bordered(self, width: int, height: int) -> Frame:
        """Its frame, in the size that it has; one of its own before it was given any."""
        frame = self.frame or Frame(width, height)
        return frame if (frame.width, frame.height) == (width, height) else Frame(width, height)

    def split_of(self, scene: Scene) -> int | None:
        """Where the border between slots and streams comes down on it, if it does."""
        if self.frame is None or self.frame.split is None:
            return None
        return divider(scene, self.frame.slots_width) - self.frame.split

    def show(self, scene: Any) -> None:
        """Take a new scene in."""
        self.scene = scene
        self.redraw()

    def redraw(self) -> None:
        """Draw the scene anew and repaint the rows that have changed."""
        width, height = self.size
        if self.scene is None or not width or not height:
            return
        old, self._lines = self._lines, self.draw(self.scene, width, height)
        if len(old) != len(self._lines):
            self.refresh()
            return
        rows = (
            row for row, pair in enumerate(zip(old, self._lines, strict=True)) if pair[0] != pair[1]
        )
        regions = [Region(0, row, width, 1) for row in rows]
        if regions:
            self.refresh(*regions)

    def on_resize(self, event: events.Resize) -> None:
        """Every line depends on the width."""
        self._lines = []
        self.redraw()

    def render_line(self, y: int) -> Strip:
        """One row, in the colours of the style sheet."""
        width = self.size.width
        if y >= len(self._lines):
            return Strip.blank(width, self._style(""))
        spans = merged(self._lines[y], FILLED)
        segments = [Segment(text, self._style(style)) for text, style in spans]
        return Strip(segments).adjust_cell_length(width, self._style(""))

    def notify_style_update(self) -> None:
        """Another theme, other colours."""
        self._styles_by_name.clear()
        super().notify_style_update()

    def _style(self, name: str) -> Style:
        """A style by its name; Textual works it out from all ancestors, at 0.1 ms a time."""
        style = self._styles_by_name.get(name)
        if style is None:
            style = self.get_component_rich_style(f"panel--{name}") if name else self.rich_style
            self._styles_by_name[name] = style
        return style
