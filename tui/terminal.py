"""The terminal: taken for the dashboard alone, and given back however the process ends.

Textual's driver, with what it leaves open. A signal that ends the process gives the terminal back
first. Nobody else writes on the screen: while it is taken, file descriptors 1 and 2 lead nowhere,
because a model's native code knows nothing of ``sys.stdout``. Bytes that are no text are passed
over instead of ending the input.
"""

from __future__ import annotations

import os
import signal
import sys
import termios
from contextlib import suppress
from types import FrameType

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

_FATAL = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

# A frame that was begun, paste, wrapping, resize reports, mouse, keyboard, alternate screen, cursor
# and focus reports: what Textual turns on, turned off.
_LEAVE = (
    b"\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"
    b"\x1b[?1016l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)


class TerminalDriver(LinuxDriver):
    """Has the terminal to itself from ``start_application_mode`` to ``close``."""

    def __init__(
        self,
        app: App[object],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._screen = os.dup(2)
        encoding = getattr(sys.__stderr__, "encoding", None) or "utf-8"
        self._file = os.fdopen(self._screen, "w", encoding=encoding, errors="backslashreplace")
        self._others: dict[int, int] = {}
        self._handlers: dict[int, signal._HANDLER] = {}

    def start_application_mode(self) -> None:
        """Take the terminal."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual gives no types here
        for stream in (sys.__stdout__, sys.__stderr__):
            if stream is not None:
                stream.flush()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):
            self._others[descriptor] = os.dup(descriptor)
            os.dup2(nowhere, descriptor)
        os.close(nowhere)
        self._handlers = {number: signal.signal(number, self._end) for number in _FATAL}

    def close(self) -> None:
        """Let the others write again."""
        super().close()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for descriptor, other in self._others.items():
            os.dup2(other, descriptor)
            os.close(other)
        self._handlers, self._others = {}, {}

    def _get_terminal_size(self) -> tuple[int, int]:
        """Columns and rows: asked of the screen, for standard output may lead nowhere."""
        try:
            return os.get_terminal_size(self._screen)
        except OSError:
            return super()._get_terminal_size()

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Give the terminal back at once, then end by the signal; a second one does not wait."""
        signal.signal(number, signal.SIG_DFL)
        with suppress(OSError, termios.error):  # the terminal itself may be gone
            if self.attrs_before is not None:
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
            os.write(self._screen, _LEAVE)
        os.kill(os.getpid(), number)

    def _sigcont_application(self, *_: object) -> None:
        """Go on; whoever was stopped by force still has the terminal, and must not take it
        twice."""
        if self._others:
            self.suspend_application_mode()
            self._must_signal_resume = True
        super()._sigcont_application()

    def run_input_thread(self) -> None:
        """Read keys; what was read together with bytes that are no UTF-8 is lost, no more."""
        while not self.exit_event.is_set():
            with suppress(UnicodeDecodeError):
                super().run_input_thread()
                return
