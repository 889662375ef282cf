"""Ctrl+c that is noted, so that what is in hand can be brought to an end and told."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def noted() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether there was a ctrl+c during the block; a second one does not
    wait."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False  # somebody else sees to it, or it is to be ignored
        return
    is_asked = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal is_asked
        if is_asked:
            raise KeyboardInterrupt
        is_asked = True

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: is_asked
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
