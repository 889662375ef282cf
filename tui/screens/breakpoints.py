"""The breakpoints: added, changed, switched off and on, deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from batchtui.engine.debugger.breakpoints import Breakpoint, Breakpoints
from batchtui.engine.errors import InputError
from batchtui.tui.renderables.line import Line, ends, fit
from batchtui.tui.renderables.text import foreign
from batchtui.tui.screens.picking import PickingScreen
from batchtui.tui.screens.prompt import PromptScreen
from batchtui.tui.widgets.keys_line import Key

HINT = "finish r7 | discard | queue > 10 | wait > 2s | slot 3 | step 120, joined by `and`"
"""What a breakpoint of batching may say."""

_GUTTER = 2


class BreakpointsScreen(PickingScreen[None]):
    """Every breakpoint: whether it is on, its words, how often it was hit."""

    WIDTH: ClassVar[int] = 72
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("a", "add", "add"),
        Key("e", "edit", "accept"),
        Key("space", "on/off", "switch"),
        Key("d", "delete", "delete"),
        Key("esc", "close", "cancel"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add", "add"),
        Binding("e", "accept", "edit"),
        Binding("space", "switch", "on/off"),
        Binding("d,delete", "delete", "delete"),
        Binding("q", "cancel", "close"),
    ]

    # Any: of whichever system's views.
    def __init__(self, breakpoints: Breakpoints[Any], *, hint: str = HINT, ascii: bool) -> None:
        super().__init__("BREAKPOINTS", ascii=ascii)
        self._hint = hint
        self._breakpoints = breakpoints

    def rows(self, width: int) -> Sequence[Line]:
        """A row each; the hits at its right."""
        return [self._row(each, width - _GUTTER) for each in self._breakpoints]

    def share_out(self) -> None:
        """Where nothing is listed, say how that is changed."""
        self.message.hint = "" if len(self._breakpoints) else "no breakpoint is set: a adds one"
        super().share_out()

    def action_add(self) -> None:
        """Ask for one more."""

        def add(text: str) -> Breakpoint:
            return self._breakpoints.add(text)

        self._ask("add breakpoint", "", add)

    def action_accept(self) -> None:
        """Ask for other words for the picked one."""
        old = self._picked
        if old is not None:
            self._ask("breakpoint", old.text, lambda text: self._breakpoints.replace(old, text))

    def action_switch(self) -> None:
        """Switch the picked one off, or on."""
        if self._picked is not None:
            self._breakpoints.toggle(self._picked)
            self.share_out()

    def action_delete(self) -> None:
        """Forget the picked one."""
        if self._picked is not None:
            self._breakpoints.remove(self._picked)
            self.share_out()

    @property
    def _picked(self) -> Breakpoint | None:
        return None if self.picked is None else list(self._breakpoints)[self.picked]

    def _ask(self, title: str, value: str, change: Callable[[str], Breakpoint]) -> None:
        def accept(text: str | None) -> None:
            if text is not None:
                changed = change(text)
                self.list.picked = list(self._breakpoints).index(changed)
                self.share_out()

        screen = PromptScreen(
            title, value, self._hint, self._error, ascii=self._ascii, replaced=False
        )
        self.app.push_screen(screen, accept)

    def _error(self, text: str) -> str:
        try:
            self._breakpoints.parse(text)
        except InputError as error:
            return str(error)
        return ""

    def _row(self, each: Breakpoint, width: int) -> Line:
        hits = f" {each.hits:,} hit{'' if each.hits == 1 else 's'}"
        state: Line = [("on   ", "decode")] if each.enabled else [("off  ", "dim")]
        words = foreign(each.text, "name" if each.enabled else "dim", ascii_only=self._ascii)
        return fit(ends([*state, *words], [(hits, "dim")], width), width)
