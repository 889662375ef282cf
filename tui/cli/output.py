"""Standard output: for our data alone, in whole pieces, and harmless to a terminal."""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import FrameType
from typing import TextIO

import msgspec

from batchtui.engine.errors import WorkError

_CONTROL_IN_JSON = re.compile(rb"\x7f|\xc2[\x80-\x9f]")


class Output:
    """Writes lines and JSON to a text stream, past its encoding's limits."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()

    def line(self, text: str) -> None:
        """Write a line; what the stream's encoding lacks is escaped."""
        self._write(f"{text}\n".encode(self._stream.encoding, "backslashreplace"))

    def json(self, data: bytes) -> None:
        """Write a piece of a JSON document, which is UTF-8 whatever the locale is."""
        if self._is_terminal:
            # JSON leaves DEL and the C1 controls as they are; a terminal may obey them.
            data = _CONTROL_IN_JSON.sub(lambda found: b"\\u00%02x" % found[0][-1], data)
        self._write(data)

    def document(self, value: object) -> None:
        """Write one whole JSON document."""
        self.json(msgspec.json.encode(value) + b"\n")
        self.flush()

    def flush(self) -> None:
        """Hand over what was written, or learn now that it cannot be."""
        with _named():
            self._stream.buffer.flush()

    def _write(self, data: bytes) -> None:
        with _named():
            self._stream.buffer.write(data)


@contextmanager
def _named() -> Iterator[None]:
    """What the system says against a write says which; a reader who has gone is no fault."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise WorkError(f"standard output cannot be written: {reason}") from error


@contextmanager
def our_stdout() -> Iterator[Output]:
    """Standard output for us; what a plugin prints meanwhile goes to stderr."""
    output = Output(sys.stdout)
    with redirect_stdout(sys.stderr):
        yield output
    output.flush()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let a ctrl+c wait until the block is done; a second one does not wait.

    A write to a slow reader is where a run spends its time and where ctrl+c meets it: half a row
    would spoil the document.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # somebody else sees to it, or it is to be ignored
        return
    asked = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if asked:
        raise KeyboardInterrupt


def one_line(text: str) -> str:
    """A text as one line that shows as it is, whatever a name from outside had in it."""
    return "".join(each if each.isprintable() else " " for each in text).strip()


def aligned(rows: list[tuple[str, ...]], *, numbers: bool = False) -> Iterator[str]:
    """Rows as lines of columns; ``numbers`` stand to the right, but for the first column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first.ljust(widths[0])]
        for cell, width in zip(others, widths[1:], strict=True):
            cells.append(cell.rjust(width) if numbers else cell.ljust(width))
        yield "  ".join(cells).rstrip()
