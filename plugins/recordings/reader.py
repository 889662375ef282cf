"""Reads the entries of a recording's file: all of them once, then chunk by chunk."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO

import msgspec

from batchtui.engine.batching.entries import DECODER, VIEWER
from batchtui.engine.debugger.recording import Entry
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.decode import decode

BATCH_BYTES = 1 << 16  # what is decoded at once stays in the cache


class Reader:
    """Entries of a file that stands behind its header: a ``ChunkLog``.

    While ``entries`` is run through, its user says after each turn how many entries it ``took``,
    so that chunks can be found again. Only ``whole`` reads what was replied.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        self.is_torn = False
        self._file = file
        self._name = name
        self._lock = threading.Lock()
        self._starts = [file.tell()]
        self._lines = [1]  # how many lines stand before each chunk
        self._end = self._starts[0]  # of what has been decoded
        self._sizes: list[int] = []  # of lines that belong to no full chunk yet
        self._taken = 0  # how many of them have been taken
        self._num_lines = 1

    def entries(self, progress: Callable[[int], None] | None = None) -> Iterator[Entry]:
        """Every entry in order; a last line that is cut off is left out, and ``is_torn`` is set.

        Raises:
            InputError: a line is none; it is named.
        """
        return chain.from_iterable(self._batches(progress))

    def _batches(self, progress: Callable[[int], None] | None) -> Iterator[list[Entry]]:
        while lines := self._file.readlines(BATCH_BYTES):
            decoded = self._decoded(lines)
            self._num_lines += len(lines)
            self._end += sum(map(len, lines))
            yield decoded
            if progress is not None:
                progress(self._end)

    def took(self, count: int, *, is_full: bool) -> None:
        """A turn of so many entries was taken; a chunk may be full with it."""
        self._taken += count
        if is_full:
            sizes = self._sizes
            self._starts.append(self._starts[-1] + sum(sizes[: self._taken]))
            self._lines.append(self._lines[-1] + self._taken)
            del sizes[: self._taken]
            self._taken = 0

    def where(self, count: int) -> str:
        """How a message names the next entries, so many of them."""
        first = self._lines[-1] + self._taken + 1
        lines = f"line {first}" if count == 1 else f"lines {first} to {first + count - 1}"
        return f"{self._name} {lines}"

    def torn(self, step: int) -> str:
        """A sentence about where the file was cut off; "" if it was not."""
        if not self.is_torn:
            return ""
        num_entries = self._lines[-1] - 1 + self._taken
        return f"cut off after entry {num_entries} (step {max(step, 0)}): the rest is missing"

    def read(self, chunk: int) -> list[Entry]:
        """The entries of a chunk that is full, to be looked at.

        Raises:
            InputError: the file has been changed meanwhile.
        """
        data = self._bytes(self._starts[chunk], self._starts[chunk + 1])
        try:
            with without_garbage_collector():
                return VIEWER.decode_lines(data)
        except (msgspec.MsgspecError, ValueError) as error:
            first = self._lines[chunk] + 1
            raise InputError(
                f"{self._name} from line {first} on is not what it was: it has been changed"
            ) from error

    def whole(self) -> Iterator[Entry]:
        """Every entry that was taken, with all that is in it.

        Raises:
            InputError: what was replied is no reply; its line is named.
        """
        ends = [*self._starts[1:], self._starts[-1] + sum(self._sizes[: self._taken])]
        for start, end, num_lines in zip(self._starts, ends, self._lines, strict=True):
            data = self._bytes(start, end)
            try:
                entries: list[Entry] = DECODER.decode_lines(data)
            except (msgspec.MsgspecError, ValueError, RecursionError):
                for number, line in enumerate(data.splitlines(), num_lines + 1):
                    if line.strip():
                        decode(DECODER, line, f"{self._name} line {number}")
                raise
            yield from entries

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _bytes(self, start: int, end: int) -> bytes:
        try:
            with self._lock:
                self._file.seek(start)
                return self._file.read(end - start)
        except (OSError, ValueError) as error:
            raise InputError(f"{self._name} cannot be read any more") from error

    def _decoded(self, lines: list[bytes]) -> list[Entry]:
        try:
            entries: list[Entry] = VIEWER.decode_lines(b"".join(lines))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return self._one_by_one(lines)
        if len(entries) != len(lines) or not lines[-1].endswith(b"\n"):
            return self._one_by_one(lines)
        self._sizes += map(len, lines)
        return entries

    def _one_by_one(self, lines: list[bytes]) -> list[Entry]:
        """With blank lines counted to those after them, and the fault of a line named."""
        entries: list[Entry] = []
        size = 0
        for number, line in enumerate(lines, self._num_lines + 1):
            size += len(line)
            if not line.strip():
                continue
            is_last = line is lines[-1] and self._is_at_end()
            try:
                entries.append(decode(VIEWER, line, f"{self._name} line {number}"))
            except InputError:
                if not is_last:
                    raise
                self.is_torn = True
                break
            self._sizes.append(size)
            size = 0
            self.is_torn = is_last and not line.endswith(b"\n")
        return entries

    def _is_at_end(self) -> bool:
        return self._file.tell() == os.fstat(self._file.fileno()).st_size


@contextmanager
def without_garbage_collector() -> Iterator[None]:
    """Nothing that is read has cycles: to look for them again and again takes half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
