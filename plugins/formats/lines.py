"""Files as bytes and as numbered lines, whatever packed or typed them.

Gzip is undone wherever the magic says so; a byte order mark, CRLF, blank lines and a missing last
newline make no difference. Lines are streamed: a file costs the memory of its longest line. What
the system says against a file is an ``InputError`` that names it, and nothing quoted from a file
reaches a message before ``printable`` has made it harmless.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from batchtui.engine.errors import InputError

GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
HEAD_BYTES = 64 * 1024

# A line this long is no request; without a bound a file without newlines would be read whole.
MAX_LINE_BYTES = 64 * 1024 * 1024


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, unpacked.

    Raises:
        InputError: it cannot be read, or its gzip is damaged; also while the block reads on.
    """
    try:
        with path.open("rb") as file:
            if file.peek(2)[:2] == GZIP_MAGIC:
                with gzip.GzipFile(fileobj=file) as unpacked:
                    yield cast("IO[bytes]", unpacked)
            else:
                yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"{name_of(path)}: the gzip is cut short or damaged: make it anew"
        ) from error
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InputError(f"{name_of(path)} cannot be read: {reason}") from error


def head(path: Path) -> bytes:
    """The beginning of a file, enough to tell what kind it is."""
    with opened(path) as file:
        return file.read(HEAD_BYTES).removeprefix(BYTE_ORDER_MARK)


def whole(path: Path) -> bytes:
    """All of a file that is one document.

    Raises:
        InputError: it is longer than a line may be.
    """
    with opened(path) as file:
        data = file.read(MAX_LINE_BYTES + 1)
    if len(data) > MAX_LINE_BYTES:
        raise InputError(f"{name_of(path)} {_too_long('one document')}")
    return data.removeprefix(BYTE_ORDER_MARK)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, each with its number from 1, stripped of white space.

    Raises:
        InputError: a line is longer than ``MAX_LINE_BYTES``.
    """
    with opened(path) as file:
        number = 0
        while line := file.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES:
                raise InputError(f"{place(path, number)} {_too_long('one line')}")
            if number == 1:
                line = line.removeprefix(BYTE_ORDER_MARK)
            if line := line.strip():
                yield number, line


def place(path: Path, number: int) -> str:
    """How an error names a line."""
    return f"{name_of(path)} line {number}"


def name_of(path: Path) -> str:
    """A file's name, fit for a message."""
    return printable(path.name or str(path), 80)


def printable(text: str, limit: int = 40) -> str:
    """Cut a text to ``limit`` characters, with everything that could steer a terminal escaped."""
    cut = text[:limit]
    shown = "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in cut
    )
    return shown + "…" if len(text) > limit else shown


def _too_long(what: str) -> str:
    return f"is longer than {MAX_LINE_BYTES // 2**20} MiB: too long for {what}"
