"""Opens a modal screen over another one, which notes what reaches it, and reads what is shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path, PurePath
from typing import Any, ClassVar

from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from batchtui.tui.renderables.line import cells

STYLES = Path(__file__).parents[3] / "tui" / "styles"
HOSTILE = "[bold]é[/] \x1b[31m\u202e日本語\n\x07"


class Below(Screen[None]):
    """Stands in for the dashboard: it binds what that binds, and more."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, "note") for key in ("n", "s", "space", "c", "q", "x", "enter", "down", "tab")
    ]

    def __init__(self) -> None:
        super().__init__()
        self.reached = 0

    def compose(self) -> ComposeResult:
        yield Static("\n".join(f"row {number}" for number in range(10)), markup=False)

    def action_note(self) -> None:
        self.reached += 1

    def action_interrupt(self) -> None:
        self.reached += 1


class OverlaidApp(App[None]):
    CSS_PATH: ClassVar[list[str | PurePath]] = [STYLES / "panels.tcss", STYLES / "modals.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "screen.interrupt")]

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"slot-ended": "#4fc1d9", "past": "#a0a0ff"}

    def get_default_screen(self) -> Screen[None]:
        return Below()


class Overlaid:
    """A modal screen that is open, and every answer that it has given."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.answers: list[Any] = []  # Any: of whichever screen

    @property
    def is_open(self) -> bool:
        return isinstance(self.pilot.app.screen, ModalScreen)

    @property
    def reached(self) -> int:
        below = self.pilot.app.screen_stack[0]
        assert isinstance(below, Below)
        return below.reached

    @property
    def rows(self) -> list[str]:
        width, height = self.pilot.app.size
        strips = self.pilot.app.screen._compositor.render_strips()
        assert len(strips) == height
        assert all(cells(strip.text) == strip.cell_length == width for strip in strips)
        return [strip.text for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    def row(self, words: str) -> int:
        """The row in which some words stand."""
        return next(y for y, row in enumerate(self.rows) if words in row)

    def style(self, words: str) -> Style:
        """The style in which some words are shown."""
        for strip in self.pilot.app.screen._compositor.render_strips():
            for text, style, _ in strip:
                if words in text:
                    return style or Style()
        raise AssertionError(f"{words!r} is not shown")

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Type into the widget that has the keys; a pilot would wait after each letter."""
        widget = self.pilot.app.screen.focused
        assert widget is not None
        for letter in text:
            widget.post_message(events.Key(letter, letter))
        await self.pilot.pause()

    async def click(self, words: str) -> None:
        """Click where some words begin."""
        y = self.row(words)
        x = cells(self.rows[y].partition(words)[0])
        await self.pilot.click(offset=(x, y))
        await self.pilot.pause()

    async def resize(self, width: int, height: int) -> None:
        await self.pilot.resize_terminal(width, height)
        await self.pilot.pause()


@asynccontextmanager
async def overlaid(
    screen: ModalScreen[Any],
    size: tuple[int, int] = (80, 24),
    theme: str = "textual-dark",
) -> AsyncIterator[Overlaid]:
    app = OverlaidApp()
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        opened = Overlaid(pilot)
        app.push_screen(screen, opened.answers.append)
        await pilot.pause()
        await pilot.pause()
        yield opened
