"""One of several values, changed by left and right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from batchtui.tui.renderables.line import Line, clip
from batchtui.tui.renderables.text import plain
from batchtui.tui.widgets.lines import Lines


class ChoiceValue(Lines, can_focus=True):
    """Shows the value that is chosen, between arrows that light up while it has the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "change(1)", "next"),
        Binding("left,h", "change(-1)", "previous"),
    ]

    def __init__(self, value: str, choices: Sequence[str], *, ascii: bool, id: str) -> None:
        super().__init__(id=id)
        self._choices = choices
        self._index = choices.index(value) if value in choices else 0
        self._ascii = ascii

    @property
    def value(self) -> str:
        """What is chosen."""
        return self._choices[self._index]

    def lines(self, width: int, height: int) -> list[Line]:
        """One line."""
        arrows = "key" if self.has_focus else "dim"
        words: Line = [(plain(self.value, ascii_only=self._ascii), "name")]
        return [[("< ", arrows), *clip(words, max(0, width - 4)), (" >", arrows)]]

    def action_change(self, count: int) -> None:
        """Choose another, round and round."""
        self._index = (self._index + count) % len(self._choices)
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        """The left arrow goes back, anything else on."""
        self.action_change(-1 if event.x < 2 else 1)

    def watch_has_focus(self, _has_focus: bool) -> None:
        """The arrows say who has the keys."""
        super().watch_has_focus(_has_focus)
        self.redraw()
