"""Sessions are closed, whatever a dashboard ends with."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from batchtui.tui.cli.faults import fault_of

if TYPE_CHECKING:
    from batchtui.tui.session import Session


@dataclass
class Last:
    """The sessions that are shown at last."""

    sessions: Sequence[Session[Any]]


@contextmanager
def closing(sessions: Sequence[Session[Any]]) -> Iterator[Last]:
    """Close sessions at last, and see that nobody in a model's code meets the interpreter's end.

    A thread that comes out of native code while the interpreter goes down may bring the process
    down with it.
    """
    status, last = 0, Last(sessions)
    try:
        yield last
    except BaseException as error:
        status = fault_of(error).status
        raise
    finally:
        if not all([session.close() for session in last.sessions]):
            atexit.register(os._exit, status)
