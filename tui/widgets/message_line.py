"""What a modal screen says about what is being typed: a hint, or what is wrong with it."""

from __future__ import annotations

import textwrap

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.text import plain
from batchtui.tui.widgets.lines import Lines

MAX_ROWS = 3
"""A message that does not fit a narrow screen is broken into at most so many rows."""


class MessageLine(Lines):
    """One line, or more where it is narrow; takes no room while there is nothing to say."""

    def __init__(self, hint: str = "", *, ascii: bool) -> None:
        super().__init__(id="message")
        self.hint = hint
        self.error = ""
        self._ascii = ascii

    def num_rows(self, width: int) -> int:
        """How many rows the message takes."""
        return len(self._message(width))

    def lines(self, width: int, height: int) -> list[Line]:
        """The error, or else the hint."""
        self.rows = self._message(width)
        return super().lines(width, height)

    def _message(self, width: int) -> list[Line]:
        words = f"! {self.error}" if self.error else self.hint
        style = "alarm" if self.error else "dim"
        broken = textwrap.wrap(plain(words, ascii_only=self._ascii), max(1, width))
        rows: list[Line] = [[(row, style)] for row in broken[:MAX_ROWS]]
        if len(broken) > MAX_ROWS:
            rows[-1] = [(" ".join(broken[MAX_ROWS - 1 :]), style)]
        return rows
