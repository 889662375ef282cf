"""What an exception of somebody else's code becomes: a ``Failure``.

It names the type and the place, never the message: that may hold a prompt or a password.
"""

from __future__ import annotations

import traceback
from pathlib import Path

from batchtui.engine.machine import Failure


def failure_of(error: BaseException) -> Failure:
    """An exception as data."""
    return Failure(kind="raise", detail=place_of(error))


def place_of(error: BaseException) -> str:
    """The type of an exception and the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    return f"{type(error).__name__} at {Path(frames[-1].filename).name}:{frames[-1].lineno}"
