"""A line that is typed: Textual's Input, still, and harmless whatever is pasted into it."""

from __future__ import annotations

from rich.highlighter import Highlighter
from rich.text import Text
from textual import events
from textual.geometry import Region
from textual.widgets import Input

from batchtui.tui.renderables.line import cells
from batchtui.tui.renderables.text import foreign

HIDDEN = "?"
"""Stands for a character that must not reach the terminal; the value keeps the character."""


class TypedInput(Input):
    """An Input whose cursor does not blink, so that no timer runs while nobody types.

    ``replaced`` says that what is typed first takes the place of the value.
    """

    def __init__(
        self, value: str = "", *, ascii: bool, replaced: bool = False, id: str | None = None
    ) -> None:
        self._ascii = ascii
        super().__init__(
            value, highlighter=_Disguise(ascii=ascii), select_on_focus=replaced, compact=True, id=id
        )
        self.cursor_blink = False

    def on_paste(self, event: events.Paste) -> None:
        """Take all lines of what is pasted, as one."""
        event.prevent_default()
        event.stop()
        if event.text:
            self.replace(" ".join(event.text.splitlines()), *self.selection)

    def on_resize(self, event: events.Resize) -> None:
        """Textual keeps the cursor in sight while one types, but not when the room changes."""
        cursor = Region(self._cursor_offset, 0, 1, 1)
        self.scroll_to_region(cursor, force=True, animate=False)

    def _position_to_cell(self, position: int) -> int:
        """Where a character stands; Textual does not know that some are shown as another."""
        return cells(disguised(self.value[:position], ascii=self._ascii))


class _Disguise(Highlighter):
    """Shows ``HIDDEN`` for what is hostile; a character for a character, for the cursor's sake."""

    def __init__(self, *, ascii: bool) -> None:
        self._ascii = ascii

    def __call__(self, text: str | Text) -> Text:
        """The text as it may be shown."""
        shown = disguised(str(text), ascii=self._ascii)
        return Text(shown, no_wrap=True, overflow="ignore", end="")

    def highlight(self, text: Text) -> None:
        """Nothing stands out."""


def disguised(text: str, *, ascii: bool) -> str:
    """``text`` with ``HIDDEN`` for each character that must not reach the terminal."""
    spans = foreign(text, "", ascii_only=ascii)
    return "".join(HIDDEN if style == "escape" else piece for piece, style in spans)
