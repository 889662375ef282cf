"""Signals that end the process, after what was begun has been cleared away."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_UNTOUCHED: dict[signal.Signals, signal._HANDLER] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGHUP: signal.SIG_DFL,
}


class _Ended(BaseException):
    """Passes by whoever catches exceptions, as ctrl+c does."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def clearing_away(*, interrupts: bool = True) -> Iterator[None]:
    """Let the ``finally`` of the block run when a signal ends it, undisturbed by a second one.

    Ctrl+c goes on as KeyboardInterrupt; by any other the process ends, as it would have. Without
    ``interrupts`` ctrl+c is left to whoever sees to it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    ours = [each for each, handler in _UNTOUCHED.items() if signal.getsignal(each) is handler]
    ours = [each for each in ours if interrupts or each != signal.SIGINT]

    def end(number: int, frame: FrameType | None) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt if number == signal.SIGINT else _Ended(number)

    for each in ours:
        signal.signal(each, end)
    try:
        yield
    except _Ended as ended:
        signal.signal(ended.number, signal.SIG_DFL)
        signal.raise_signal(ended.number)
    finally:
        for each in ours:
            signal.signal(each, _UNTOUCHED[each])
