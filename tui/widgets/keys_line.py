"""The keys of a modal screen, at its foot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events

from batchtui.tui.renderables.line import Line
from batchtui.tui.widgets.lines import Lines


class Key(NamedTuple):
    """A key as it is shown, what it does, and the screen's action of that."""

    shown: str
    label: str
    action: str

    @property
    def width(self) -> int:
        """The cells it takes, with the gap that follows."""
        return len(self.shown) + len(self.label) + 3


class KeysLine(Lines):
    """Every key, in as many rows as they need; a click on one does what it says."""

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__(id="keys")
        self._keys = keys

    @property
    def width(self) -> int:
        """The cells that one row of all keys takes."""
        return max(0, sum(key.width for key in self._keys) - 2)

    def num_rows(self, width: int) -> int:
        """How many rows the keys take."""
        return len(self._broken(width))

    def lines(self, width: int, height: int) -> list[Line]:
        """The keys."""
        self.rows = [
            [
                span
                for key in row
                for span in ((key.shown, "key"), (f" {key.label}", "dim"), ("  ", ""))
            ]
            for row in self._broken(width)
        ]
        return [row[:-1] for row in self.rows[:height]]

    async def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        rows = self._broken(self.size.width)
        left = 0
        for key in rows[event.y] if event.y < len(rows) else ():
            if left <= event.x < left + key.width - 2:
                await self.run_action(f"screen.{key.action}")
                return
            left += key.width

    def _broken(self, width: int) -> list[list[Key]]:
        rows: list[list[Key]] = [[]]
        room = width + 2
        for key in self._keys:
            if rows[-1] and key.width > room:
                rows.append([])
                room = width + 2
            rows[-1].append(key)
            room -= key.width
        return rows
