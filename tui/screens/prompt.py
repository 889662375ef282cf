"""Asks for one line, at the foot of the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input

from batchtui.tui.renderables.line import clip, width_of
from batchtui.tui.screens.modal import Modal
from batchtui.tui.widgets.keys_line import Key, KeysLine
from batchtui.tui.widgets.lines import Lines
from batchtui.tui.widgets.typed import TypedInput


class PromptScreen(Modal[str | None]):
    """What was typed, once ``check`` finds nothing wrong with it, or None.

    ``replaced`` says that what is typed first takes the place of the value.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("enter", "accept", "accept"),
        Key("esc", "close", "cancel"),
    )

    def __init__(
        self,
        title: str,
        value: str = "",
        hint: str = "",
        check: Callable[[str], str] = lambda text: "",
        *,
        ascii: bool,
        replaced: bool = True,
    ) -> None:
        super().__init__(title, ascii=ascii)
        self.message.hint = hint
        self._replaced = replaced
        self._value = value
        self._check = check

    def body(self) -> Widget:
        """The line that is typed."""
        return TypedInput(self._value, ascii=self._ascii, replaced=self._replaced)

    def num_rows(self, width: int) -> int:
        """One."""
        return 1

    def compose(self) -> ComposeResult:
        """The message above title, line and keys."""
        self._label = Lines(id="label")
        with Vertical(id="prompt"):
            yield self.message
            with Horizontal(id="line"):
                yield self._label
                yield self.body()
                yield KeysLine(self.KEYS)

    def share_out(self) -> None:
        """The line has what the title leaves, which is half of it at least."""
        width, height = self.size
        inner = max(1, width - 2)
        title = clip([(self.text(self._title), "title"), (":", "title")], max(1, width // 2 - 2))
        self._label.show_rows([title])
        self._label.styles.width = width_of(title) + 1
        keys = self.query_one(KeysLine)
        keys.styles.width = keys.width
        keys.display = width_of(title) + keys.width <= width // 2
        below = min(self.message.num_rows(inner), max(0, height - 1))
        self.message.display = below > 0
        self.message.styles.height = below
        self.query_one("#prompt").styles.height = below + 1
        self.message.redraw()

    def on_input_changed(self, event: Input.Changed) -> None:
        """What was wrong is being changed."""
        self.say("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        self.action_accept()

    def action_accept(self) -> None:
        """Give the line back, or say what is wrong with it."""
        value = self.query_one(TypedInput).value
        error = self._check(value)
        if error:
            self.say(error)
        else:
            self.dismiss(value)
