"""Reads the entries of a recording's file: all of them once, then chunk by chunk."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO

import msgspec

from batchtui.engine.debugger.codec import Codec, decoded
from batchtui.engine.debugger.recording import Entry, Passed
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.decode import decode

BATCH_BYTES = 1 << 16  # what is decoded at once stays in the cache
_COUNTED_BYTES = 1 << 20


class Reader:
    """Entries of a file that stands behind its header: a ``ChunkLog``.

    While ``entries`` is run through, its user says after each turn how many entries it ``took``,
    so that chunks can be found again. Only ``whole`` reads what was replied.
    """

    def __init__(self, file: IO[bytes], name: str, codec: Codec) -> None:
        self.is_torn = False
        self._file = file
        self._name = name
        self._decoder, self._viewer = codec.whole, codec.viewer
        self._lock = threading.Lock()
        self._first = file.tell()  # where running through begins
        self._starts = [self._first]
        self._end = self._starts[0]  # of what has been decoded
        self._sizes: list[int] = []  # of lines that belong to no full chunk yet
        self._size = 0  # of what stands between two entries
        self._taken = 0  # how many of them have been taken
        self._num_taken = 0  # of all that have been run through
        self._num_lines = 0  # that have been decoded
        self._num_keyframes = 0  # that were leapt over

    def leap(self, starts: list[int], num_keyframes: int) -> None:
        """Before ``entries``: full chunks are known that need not be run through.

        Args:
            starts: where each begins, and the one after them.
            num_keyframes: how many lines of keyframes stand before that.
        """
        self._starts, self._num_keyframes = starts, num_keyframes
        self._first = self._end = starts[-1]
        self._file.seek(self._first)

    def entries(self, progress: Callable[[int], None] | None = None) -> Iterator[Entry]:
        """Every entry in order that was not leapt over; a last line that is cut off is left out,
        and ``is_torn`` is set.

        Raises:
            InputError: a line is none; it is named.
        """
        return chain.from_iterable(self._batches(progress))

    def _batches(self, progress: Callable[[int], None] | None) -> Iterator[list[Entry]]:
        while lines := self._file.readlines(BATCH_BYTES):
            entries = self._decoded(lines)
            self._num_lines += len(lines)
            self._end += sum(map(len, lines))
            yield entries
            if progress is not None:
                progress(self._end)

    def took(self, count: int, *, is_full: bool) -> None:
        """A turn of so many entries was taken; a chunk may be full with it."""
        self._taken += count
        self._num_taken += count
        if is_full:
            sizes = self._sizes
            self._starts.append(self._starts[-1] + sum(sizes[: self._taken]))
            del sizes[: self._taken]
            self._taken = 0

    def where(self, count: int) -> str:
        """How a message names the next entries, so many of them."""
        last = self._line_at(self._starts[-1] + sum(self._sizes[: self._taken + count]))
        first = last - count + 1
        lines = f"line {first}" if count == 1 else f"lines {first} to {first + count - 1}"
        return f"{self._name} {lines}"

    def torn(self, step: int) -> str:
        """A sentence about where the file was cut off; "" if it was not."""
        if not self.is_torn:
            return ""
        num_leapt = self._line_at(self._first) - 1 - self._num_keyframes
        num_entries = num_leapt + self._num_taken
        return f"cut off after entry {num_entries} (step {max(step, 0)}): the rest is missing"

    def read(self, chunk: int) -> list[Entry]:
        """The entries of a chunk that is full, to be looked at.

        Raises:
            InputError: the file has been changed meanwhile.
        """
        data = self._bytes(self._starts[chunk], self._starts[chunk + 1])
        try:
            with without_garbage_collector():
                return decoded(self._viewer, data)
        except (msgspec.MsgspecError, ValueError) as error:
            first = self._line_at(self._starts[chunk]) + 1
            raise InputError(
                f"{self._name} from line {first} on is not what it was: it has been changed"
            ) from error

    def whole(self) -> Iterator[Entry]:
        """Every entry that was taken, with all that is in it.

        Raises:
            InputError: what was replied is no reply; its line is named.
        """
        ends = [*self._starts[1:], self._starts[-1] + sum(self._sizes[: self._taken])]
        for start, end in zip(self._starts, ends, strict=True):
            data = self._bytes(start, end)
            try:
                entries = decoded(self._decoder, data)
            except (msgspec.MsgspecError, ValueError, RecursionError):
                for number, line in enumerate(data.split(b"\n"), self._line_at(start) + 1):
                    if line.strip():
                        decode(self._decoder, line, f"{self._name} line {number}")
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
            entries: list[Entry] = self._viewer.decode_lines(b"".join(lines))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return self._one_by_one(lines)
        if len(entries) != len(lines) or not lines[-1].endswith(b"\n"):
            return self._one_by_one(lines)
        if self._size or Passed in map(type, entries):
            return self._sized(zip(entries, lines, strict=True))
        self._sizes += map(len, lines)
        return entries

    def _sized(self, read: Iterable[tuple[Entry | None, bytes]]) -> list[Entry]:
        """Entries with their lines; a line without one, and one of a keyframe, is counted to that
        after it."""
        entries: list[Entry] = []
        for entry, line in read:
            self._size += len(line)
            if entry is not None and not isinstance(entry, Passed):
                entries.append(entry)
                self._sizes.append(self._size)
                self._size = 0
        return entries

    def _one_by_one(self, lines: list[bytes]) -> list[Entry]:
        """With blank lines left out, and the fault of a line named."""
        return self._sized(self._each(lines))

    def _each(self, lines: list[bytes]) -> Iterator[tuple[Entry | None, bytes]]:
        for number, line in enumerate(lines, self._line_at(self._first) + self._num_lines + 1):
            if not line.strip():
                yield None, line
                continue
            is_last = line is lines[-1] and self._is_at_end()
            try:
                yield decode(self._viewer, line, f"{self._name} line {number}"), line
            except InputError:
                if not is_last:
                    raise
                self.is_torn = True
                return
            self.is_torn = is_last and not line.endswith(b"\n")

    def _line_at(self, end: int) -> int:
        """How many lines end before a place in the file: wanted for messages alone."""
        with self._lock:
            here = self._file.tell()
            self._file.seek(0)
            count = 0
            while end > 0 and (data := self._file.read(min(end, _COUNTED_BYTES))):
                count += data.count(b"\n")
                end -= len(data)
            self._file.seek(here)
        return count

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
