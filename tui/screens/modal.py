"""A screen that lies over the dashboard: a box with a title, a body, a message and its keys.

A key that is pressed here never reaches the dashboard. ``escape`` and ``ctrl+c`` close it and mean
nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget

from batchtui.tui.renderables.line import clip, text_of
from batchtui.tui.renderables.text import plain
from batchtui.tui.widgets.keys_line import Key, KeysLine
from batchtui.tui.widgets.message_line import MessageLine

_SIDES = 4
"""Cells of a box's borders and of the blanks beside them."""


class Modal(ModalScreen[ScreenResultType]):
    """A box in the middle of the screen, as wide and as high as it needs and has room for.

    ``WIDTH`` is the most it takes, ``KEYS`` what stands at its foot, ``inner`` its width now.
    """

    WIDTH: ClassVar[int] = 80
    KEYS: ClassVar[tuple[Key, ...]] = (Key("esc", "close", "cancel"),)

    # Before an Input, which would copy on a ctrl+c.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "cancel", "close", priority=True),
    ]

    def __init__(self, title: str, *, ascii: bool) -> None:
        super().__init__()
        self._title = title
        self._ascii = ascii
        self.message = MessageLine(ascii=ascii)
        self.inner = 1
        self._is_dismissed = False

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys that do something now."""
        return self.KEYS

    @abstractmethod
    def body(self) -> Widget:
        """What stands in the box."""
        raise NotImplementedError

    @abstractmethod
    def num_rows(self, width: int) -> int:
        """How many rows the body would like to have at a width."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The box."""
        self._body = self.body()
        with Vertical(id="box", classes="-ascii" if self._ascii else ""):
            yield self._body
            yield self.message
            yield KeysLine(self.keys)

    def on_resize(self, event: events.Resize) -> None:
        """Share the room out anew."""
        self.share_out()

    def share_out(self) -> None:
        """Give the keys and the message what they need, and the body the rest."""
        width, height = self.size
        box, keys = self.query_one("#box"), self.query_one(KeysLine)
        self.inner = inner = max(1, min(self.WIDTH, width) - _SIDES)
        below = self.message.num_rows(inner)
        self.message.display = below > 0
        self.message.styles.height = below
        keys.styles.height = keys.num_rows(inner)
        room = height - 2 - below - keys.num_rows(inner)
        self._body.styles.height = min(self.num_rows(inner), max(1, room))
        box.styles.width = inner + _SIDES
        box.border_title = Content(text_of(clip([(self.text(self._title), "")], inner - 2)))
        self.message.redraw()

    def text(self, words: str) -> str:
        """Words as they may be shown."""
        return plain(words, ascii_only=self._ascii)

    def say(self, error: str) -> None:
        """Say what is wrong; nothing, if nothing is."""
        if error != self.message.error:
            self.message.error = error
            self.share_out()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing does anything any more once it is closed: keys may come faster than that."""
        return not self._is_dismissed

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close, once."""
        if self._is_dismissed:
            return AwaitComplete()
        self._is_dismissed = True
        return super().dismiss(result)

    def action_cancel(self) -> None:
        """Close; nothing has been meant."""
        self.dismiss(None)
