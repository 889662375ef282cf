"""Asks for one of several things; the first of them is the default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events

from batchtui.tui.renderables.line import Line, cells
from batchtui.tui.screens.picking import PickingScreen
from batchtui.tui.widgets.keys_line import Key
from batchtui.tui.widgets.lines import ScrolledLines


@dataclass(frozen=True)
class Choice:
    """What can be chosen, what it is called, and perhaps what it does."""

    value: str
    label: str
    description: str = ""


class ChooseScreen(PickingScreen[str | None]):
    """A menu: the value of the choice that was taken, or None."""

    WIDTH: ClassVar[int] = 72
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("enter", "choose", "accept"),
        Key("esc", "close", "cancel"),
    )

    def __init__(self, title: str, choices: Sequence[Choice], *, ascii: bool) -> None:
        super().__init__(title, ascii=ascii)
        self._choices = choices

    def rows(self, width: int) -> Sequence[Line]:
        """Labels and descriptions, in two columns."""
        labels = [self.text(choice.label) for choice in self._choices]
        column = max(map(cells, labels), default=0)
        rows: list[Line] = []
        for choice, label in zip(self._choices, labels, strict=True):
            gap = " " * (column - cells(label) + 2)
            rows.append([(label, "name"), (gap, ""), (self.text(choice.description), "dim")])
        return rows

    def share_out(self) -> None:
        """Where descriptions are cut, the picked one's is a message."""
        self.message.hint = self._cut_description()
        super().share_out()

    def action_move(self, count: int) -> None:
        """Pick another."""
        super().action_move(count)
        self.share_out()

    def on_scrolled_lines_clicked(self, event: ScrolledLines.Clicked) -> None:
        """A click chooses."""
        self.action_accept()

    def on_key(self, event: events.Key) -> None:
        """Go to the next choice that begins with a letter."""
        letter = event.character
        if letter is None or not event.is_printable or letter in "jk " or self.picked is None:
            return
        num = len(self._choices)
        for step in range(1, num + 1):
            if (
                self._choices[(self.picked + step) % num]
                .label.casefold()
                .startswith(letter.casefold())
            ):
                self.action_move((self.picked + step) % num - self.picked)
                return

    def action_accept(self) -> None:
        """Take the picked one."""
        self.dismiss(None if self.picked is None else self._choices[self.picked].value)

    def _cut_description(self) -> str:
        width = min(self.WIDTH, self.size.width) - 6
        labels = max((cells(self.text(choice.label)) for choice in self._choices), default=0)
        longest = max((cells(self.text(choice.description)) for choice in self._choices), default=0)
        picked = self.list.picked
        if not self._choices or picked is None or labels + 2 + longest <= width:
            return ""
        return self._choices[picked].description
