"""What went wrong, as one line, a code and a status: whatever it was that was raised.

2     the usage, the input, a plugin
130   ctrl+c
1     everything else; of a bug only its type and place are told, since its message may hold a
      prompt
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import NamedTuple

import typer

from batchtui.engine.errors import BatchtuiError
from batchtui.tui.cli.output import one_line

FAILED = 1
USAGE = 2
INTERRUPTED = 130


class Fault(NamedTuple):
    """A fault, ready to be told."""

    message: str
    code: str
    status: int

    @property
    def document(self) -> dict[str, str]:
        """What a JSON document says of it."""
        return {"code": self.code, "message": self.message}


class Told(Exception):
    """A fault that the document on stdout has told already, as its last key."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def fault_of(error: BaseException) -> Fault:
    """Put an exception in words."""
    if isinstance(error, BatchtuiError):
        return Fault(one_line(str(error)), error.code, error.exit_code)
    if isinstance(error, typer.TyperException):
        return Fault(_usage(error), "usage", USAGE)
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return Fault("interrupted", "interrupted", INTERRUPTED)
    if isinstance(error, MemoryError):
        return Fault("out of memory: try fewer slots or a shorter workload", "failed", FAILED)
    if isinstance(error, OSError) and error.strerror:
        return Fault(f"the system refused: {one_line(error.strerror.lower())}", "failed", FAILED)
    return Fault(f"unexpected {place(error)}: a bug in that file, please report it", "bug", FAILED)


def place(error: BaseException) -> str:
    """The type of an exception and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return one_line(type(error).__name__ + where)


def _usage(error: typer.TyperException) -> str:
    message = one_line(error.format_message())
    if not message.endswith("."):
        return message  # it says itself what is wanted
    context = getattr(error, "ctx", None)  # not every one says where it is
    return f"{message[:-1]}: see `{context.command_path if context else 'batchtui'} --help`"
