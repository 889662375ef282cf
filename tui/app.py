"""The Textual app: one screen, its style sheets, its palette, and what is said after a crash."""

from __future__ import annotations

import gc
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from batchtui.tui.actions import ACTIONS
from batchtui.tui.demos import Demo
from batchtui.tui.screens.first import First, first_screen
from batchtui.tui.screens.moving import MovingScreen
from batchtui.tui.screens.painting import Options
from batchtui.tui.screens.palette import Palette
from batchtui.tui.session import Session

if TYPE_CHECKING:
    from batchtui.tui.nodes_session import NodesSession

# Absolute, so that an app derived elsewhere finds them too.
STYLES = Path(__file__).parent / "styles"


class BatchtuiApp(App[None]):
    """A screen on a session. After ``run``, ``return_code`` is 1 if it crashed.

    Args:
        session: what is looked at.
        beside: a search that is shown beside a batch; ``sessions`` are both, forks in the place of
            what they were forked from.
        start_step: the end of this step is looked at first; if None, the beginning, or the end of a
            recording.
        fps: frames a second in a free run; halves itself while frames take too long.
        ascii: draw, and show text, in ASCII alone; so it is where the terminal's encoding has no
            more.
        clock: seconds, monotonic.
        demo: a guided tour through the session.
        first: makes the screen; the one that fits the session, unless it is said.
    """

    TITLE = "batchtui"
    CSS_PATH: ClassVar[list[str | PurePath]] = [
        STYLES / "panels.tcss",
        STYLES / "screens.tcss",
        STYLES / "modals.tcss",
    ]
    # The screen has the keys; the app's own would quit on a ctrl+c.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "screen.interrupt", show=False, id="app_interrupt"),
    ]

    def __init__(
        self,
        session: Session[Any],
        *,
        beside: NodesSession | None = None,
        start_step: int | None = None,
        fps: float = 10,
        ascii: bool = False,
        clock: Callable[[], float] = time.monotonic,
        demo: Demo | None = None,
        first: First | None = None,
    ) -> None:
        super().__init__()
        self.sessions: list[Session[Any]] = [session, *([beside] if beside else [])]
        self._first = first or first_screen(session, beside, demo)
        self._options = Options(start_step, fps, ascii or not _can_draw(), clock)

    @property
    def session(self) -> Session[Any]:
        """What was opened first, or the fork in its place."""
        return self.sessions[0]

    def get_driver_class(self) -> type[Driver]:
        """Textual's own, but for the terminals whose state it would lose."""
        driver = super().get_driver_class()
        if driver.__module__ != "textual.drivers.linux_driver":
            return driver
        from batchtui.tui.terminal import TerminalDriver  # noqa: PLC0415 - not on Windows

        app = self

        class DashboardDriver(TerminalDriver):
            def ended(self) -> None:
                for session in app.sessions:
                    session.close()

        return DashboardDriver

    def get_default_screen(self) -> Screen[None]:
        """The app's only screen; help and palette lie over it."""
        return self._first(self.sessions[0], self._options)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The one colour that the themes lack: what has ended is neither a success nor an alarm."""
        return {"slot-ended": "#4fc1d9" if self.current_theme.dark else "#006f86"}

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every action, by its name; and the themes."""
        if isinstance(screen, MovingScreen):
            for action in ACTIONS:
                if action.name != "palette" and screen.check_action(action.name, ()):
                    run = getattr(screen, f"action_{action.name}")
                    yield SystemCommand(action.label, screen.describe(action), run)
        yield SystemCommand("theme", "Change the colours", self.action_change_theme)

    def action_command_palette(self) -> None:
        """Open the palette."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def on_mount(self) -> None:
        """Paint all of the screen again when the terminal comes back from the shell."""
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh(layout=True))
        if not self.is_headless:  # what reading the style sheets has left behind
            self.call_after_refresh(gc.collect)

    def on_unmount(self) -> None:
        """Let the process end at once: what a long run has heaped up need not be searched again."""
        if not self.is_headless:
            gc.freeze()

    def _fatal_error(self) -> None:
        """Say where it crashed, never what a variable or a message held: that may be a prompt."""
        self.bell()
        error = self._exception
        frames = traceback.extract_tb(error.__traceback__) if error else []
        lines = [
            f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}" for frame in frames
        ]
        kind = type(error).__name__ if error else "an unknown error"
        headline = f"batchtui crashed: {kind}. This is a bug; please report these lines:"
        self._exit_renderables.append(Text("\n".join([headline, *lines])))
        self._close_messages_no_wait()


def _can_draw() -> bool:
    """Whether what the screen is written with has the characters that borders are made of."""
    try:
        "┌─╎".encode(getattr(sys.__stderr__, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
