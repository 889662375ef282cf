"""Moves a session whose model blocks, in one thread of its own: keys are answered meanwhile.

One step or phase at a time. The thread touches the driver alone; what is shown is settled by the
screen once the move is over. It is a daemon: ``Session.close`` ends a call that can be ended, and
who quits does not wait for any other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from batchtui.tui.session import Session


class Mover:
    """Makes moves in the background.

    Args:
        over: called in the thread after each move; must not block.
    """

    def __init__(self, session: Session[Any], over: Callable[[], object]) -> None:
        self._session = session
        self._over = over
        self._wanted: SimpleQueue[bool | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self.busy = False

    def move(self, *, whole_step: bool) -> None:
        """Begin a step or a phase. Not while ``busy``."""
        assert not self.busy
        self.busy = True
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="batchtui-model", daemon=True)
            self._thread.start()
        self._wanted.put(whole_step)

    def settle(self) -> None:
        """The move is over: show what came of it."""
        self.busy = False
        self._session.settle()

    def close(self) -> None:
        """Make no more moves: the thread ends once it has made the present one."""
        self._wanted.put(None)

    def _run(self) -> None:
        while (whole_step := self._wanted.get()) is not None:
            self._session.move(whole_step=whole_step)
            with suppress(RuntimeError):  # its loop is closed: the screen is gone
                self._over()
