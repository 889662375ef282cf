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
from contextlib import suppress
from types import FrameType

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from batchtui.tui.terminal_modes import give_back

_FATAL = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


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
        for descriptor in (1, 2):
            self._others[descriptor] = os.dup(descriptor)
            _lead_nowhere(descriptor)
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

    def ended(self) -> None:
        """A signal ends the process: what is left to be done once the terminal is given back."""

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Give the terminal back at once, then end by the signal; a second one does not wait."""
        signal.signal(number, signal.SIG_DFL)
        give_back(self.fileno, self._screen, self.attrs_before)
        _lead_nowhere(self._screen)  # a frame may still be on its way
        with suppress(Exception):  # nobody is left to tell it to
            self.ended()
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


def _lead_nowhere(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
