"""Asks for several values at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input

from batchtui.tui.renderables.line import Line, cells, clip
from batchtui.tui.renderables.text import plain
from batchtui.tui.screens.modal import Modal
from batchtui.tui.widgets.choice_value import ChoiceValue
from batchtui.tui.widgets.keys_line import Key
from batchtui.tui.widgets.lines import Lines
from batchtui.tui.widgets.typed import TypedInput


@dataclass(frozen=True)
class Field:
    """A value to be given: typed, or one of the choices if there are any."""

    name: str
    label: str
    value: str = ""
    hint: str = ""
    choices: Sequence[str] = ()

    @property
    def help(self) -> str:
        """What is said of it while it has the keys."""
        return self.hint or (f"one of: {', '.join(self.choices)}" if self.choices else "")


class FieldRow(Horizontal):
    """A label and what is given; marked while it has the keys."""

    def __init__(self, field: Field, *, ascii: bool) -> None:
        super().__init__()
        self.field = field
        self._words = plain(field.label, ascii_only=ascii)
        self._ascii = ascii

    def compose(self) -> ComposeResult:
        """Label and value, side by side."""
        field, ascii = self.field, self._ascii
        self._label = Lines(id="label")
        self._given = (
            ChoiceValue(field.value, field.choices, ascii=ascii, id="given")
            if field.choices
            else TypedInput(field.value, ascii=ascii, id="given")
        )
        yield self._label
        yield self._given

    @property
    def value(self) -> str:
        """What is given now."""
        return self._given.value

    @property
    def label_width(self) -> int:
        """The cells that the label would like to have."""
        return cells(self._words) + 2

    def show_label(self, width: int) -> None:
        """Draw the label in its column."""
        mark: Line = [("> " if self._given.has_focus else "  ", "key")]
        name: Line = [(self._words, "name" if self._given.has_focus else "dim")]
        self._label.styles.width = width + 2
        self._label.show_rows([[*mark, *clip(name, max(0, width - 2))]])

    def on_click(self, event: events.Click) -> None:
        """A click on the label is one on the field."""
        self._given.focus()


class FormScreen(Modal[dict[str, str] | None]):
    """The values by the names of their fields, once ``check`` finds nothing wrong, or None."""

    WIDTH: ClassVar[int] = 72
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("enter", "accept", "accept"),
        Key("tab", "next field", "next"),
        Key("esc", "close", "cancel"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "next", "next field"),
        Binding("up,shift+tab", "previous", "previous field"),
        Binding("enter", "accept", "accept"),
    ]

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        check: Callable[[dict[str, str]], str],
        *,
        ascii: bool,
    ) -> None:
        super().__init__(title, ascii=ascii)
        self._check = check
        self._rows = [FieldRow(field, ascii=ascii) for field in fields]

    def body(self) -> Widget:
        """A row for each field."""
        return Vertical(*self._rows, id="fields")

    def num_rows(self, width: int) -> int:
        """A row for each field."""
        return len(self._rows)

    def share_out(self) -> None:
        """The labels share a column, of half the box at the most."""
        super().share_out()
        longest = max((row.label_width for row in self._rows), default=0)
        for row in self._rows:
            row.show_label(min(longest, self.inner // 2 - 2))
        self.call_after_refresh(self._keep_in_sight)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Mark the field, and say what it takes."""
        for row in self._rows:
            if event.widget in row.children:
                self.message.hint = row.field.help
        self.share_out()

    def on_input_changed(self, event: Input.Changed) -> None:
        """What was wrong is being changed."""
        self.say("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        self.action_accept()

    def action_next(self) -> None:
        """Go to the next field."""
        self.focus_next()

    def action_previous(self) -> None:
        """Go to the field before."""
        self.focus_previous()

    def action_accept(self) -> None:
        """Give the values back, or say what is wrong with them."""
        values = {row.field.name: row.value for row in self._rows}
        error = self._check(values)
        if error:
            self.say(error)
        else:
            self.dismiss(values)

    def _keep_in_sight(self) -> None:
        if self.focused is not None:
            self.focused.scroll_visible(animate=False)
