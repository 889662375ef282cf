"""The file that a run is recorded to: a header, then an entry a line.

Turns are encoded at once and wait until there are some, or somebody asks for them to be safe.
Chunks end where those of a ``Timeline`` over the same entries end; a keyframe of each is written
some time later.
"""

from __future__ import annotations

import io
import tempfile
import threading
import zlib
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from batchtui.engine.debugger.codec import ENCODER, decoded
from batchtui.engine.debugger.recording import Entry, Header
from batchtui.engine.debugger.timeline import Chunker, FullChunk
from batchtui.engine.errors import WorkError
from batchtui.plugins.formats.lines import name_of
from batchtui.plugins.recordings.keyframes import line_of
from batchtui.plugins.recordings.systems import system_named
from batchtui.plugins.recordings.target import COPY_BYTES, Target, refused

TURNS_AT_ONCE = 128
"""Turns that are handed to the system at once."""

Redact = Callable[[list[Entry]], list[Entry]]
"""Takes texts out of the entries of one turn."""


_Turn = tuple[bytes, int]
"""Its lines, and what it weighs."""


class Indexes(Protocol):
    """Finds the keyframes of a run that it is told of turn by turn."""

    def add(self, entries: list[Entry], weight: int) -> FullChunk | None:
        """The run has gone on by a turn of that weight; the chunk, if it is full with it."""


class FileLog:
    """Writes entries to a file and reads its chunks: a ``Log`` and a ``ChunkLog``.

    One thread may write while another reads. After the system has refused a write nothing more is
    written: the run goes on, and ``close`` raises ``fault``.
    """

    def __init__(
        self,
        file: io.FileIO,
        header: Header,
        target: Target | None,
        redact: Redact | None,
        indexer: Indexes | None = None,
    ) -> None:
        self.header = header
        self.fault: WorkError | None = None
        self._file = file
        self._target = target
        self._redact = redact
        self._indexer = indexer
        system = system_named(header.system, "the header")
        self._decoder, self._weigh = system.codec.whole, system.weigh
        self._ended: deque[FullChunk] = deque()  # whose keyframes are not written
        self._chunker = Chunker()
        self._lock = threading.RLock()
        self._waiting: list[_Turn] = []
        self._end = self._crc = self._seq = 0
        self._write(ENCODER.encode(header) + b"\n")
        self._starts = [self._end]

    @classmethod
    def create(
        cls,
        path: Path,
        header: Header,
        redact: Redact | None = None,
        indexer: Indexes | None = None,
    ) -> FileLog:
        """A log to a new file that only its owner may read; one that ends in .gz is packed when it
        is closed.

        Args:
            path: of the file.
            header: its first line.
            redact: takes texts out before they are written.
            indexer: finds the keyframes, where nobody is there to ``index``.

        Raises:
            InputError: the file exists and is not empty, or it cannot be made there.
        """
        target = Target.claim(path)
        log = cls(target.file, header, target, redact, indexer)
        if log.fault is not None:
            log.close()
        return log

    @classmethod
    def temporary(cls, header: Header) -> FileLog:
        """A log to a file without a name, which is gone when it is closed or the process ends.

        Raises:
            WorkError: there is no room for one.
        """
        try:
            file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - close() closes it
        except OSError as error:
            raise WorkError(f"no temporary file can be made: {refused(error)}") from error
        return cls(file, header, None, None)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "the temporary recording" if self._target is None else name_of(self._target.path)

    def write(self, entries: list[Entry]) -> None:
        """Keep the entries of one turn."""
        if self._redact is not None:
            entries = self._redact(entries)
        if not entries:  # a turn that was broken off before anything had come of it
            return
        # Bytes at once: lists of entries that wait would be gone over by the garbage collector.
        turn = ENCODER.encode_lines(entries), self._weigh(entries)
        # No lock for that: a list grows at once, and whoever writes it out leaves what came later.
        if self._indexer is None:
            self._waiting.append(turn)
        else:
            self._write_indexed(entries, turn, self._indexer)
        if len(self._waiting) >= TURNS_AT_ONCE:
            self.flush()

    def _write_indexed(self, entries: list[Entry], turn: _Turn, indexer: Indexes) -> None:
        self._indexer = None  # whoever is interrupted between the two goes on without keyframes
        self._waiting.append(turn)
        if ended := indexer.add(entries, turn[1]):
            self._ended.append(ended)
        self._indexer = indexer

    def index(self, ended: FullChunk) -> None:
        """A chunk has ended: its keyframe is written when there is something else to write."""
        self._ended.append(ended)

    def flush(self) -> None:
        """Hand what is kept to the system: it survives the end of this process."""
        with self._lock:
            self._write_waiting()

    def read(self, chunk: int) -> list[Entry]:
        """The entries of a chunk; of the last one, those that there are.

        Raises:
            WorkError: they could not be written, or cannot be read.
        """
        with self._lock:
            self._write_waiting()
            if self.fault is not None and chunk >= len(self._starts) - 1:
                raise self.fault
            is_last = chunk == len(self._starts) - 1
            end = self._end if is_last else self._starts[chunk + 1]
            data = self._bytes(self._starts[chunk], end)
        return decoded(self._decoder, data)

    def save_as(self, path: Path) -> None:
        """Copy what has been recorded so far to a new file.

        Raises:
            InputError: the file exists and is not empty, or it cannot be made there.
            WorkError: it could not be written whole.
        """
        self.flush()
        if self.fault is not None:
            raise self.fault
        with Target.claim(path) as target:
            at = 0
            while at < self._end:
                with self._lock:
                    data = self._bytes(at, min(at + COPY_BYTES, self._end))
                target.write(data, at)
                at += len(data)

    def close(self) -> None:
        """Write what is kept, and be done. More than once does no harm.

        Raises:
            WorkError: not everything could be written.
        """
        with self._lock:
            if self._file.closed:
                return
            self._write_waiting()
            try:
                if self._target is not None:
                    self._target.close()
            except WorkError as error:
                self.fault = self.fault or error
            finally:
                self._file.close()
        if self.fault is not None:
            raise self.fault

    def _bytes(self, start: int, end: int) -> bytes:
        try:
            self._file.seek(start)
            return self._file.read(end - start)
        except OSError as error:
            raise WorkError(f"{self.name} cannot be read: {refused(error)}") from error

    def _write_waiting(self) -> None:
        count = len(self._waiting)
        turns, weight = self._waiting[:count], self._chunker.weight
        if count and self.fault is None and not self._file.closed:
            try:
                ends = self._ends(turns)
                self._write(b"".join([turn[0] for turn in turns]))
            except BaseException:
                # Whoever is interrupted writes the same to the same place.
                self._chunker.weight = weight
                raise
            if ends and self.fault is None:
                after = [sum(len(turn[0]) for turn in turns[end:]) for end in ends]
                self._starts += [self._end - size for size in after]
        del self._waiting[:count]
        self._write_keyframes()

    def _ends(self, turns: list[_Turn]) -> list[int]:
        """After how many of the turns a chunk is full."""
        chunker, weight = self._chunker, sum([turn[1] for turn in turns])
        if chunker.weight + weight < chunker.most:  # nearly always
            chunker.add(weight)
            return []
        add = chunker.add
        return [number for number, turn in enumerate(turns, 1) if add(turn[1])]

    def _write_keyframes(self) -> None:
        """Of the chunks whose ends in the file are known."""
        while self._ended and self._ended[0].chunk + 1 < len(self._starts):
            if self.fault is not None or self._file.closed:
                return
            ended = self._ended[0]
            line = line_of(ended, self._seq, self._starts[ended.chunk + 1], self._crc)
            self._write(line)
            self._seq = ended.seqs[-1]
            self._ended.popleft()

    def _write(self, data: bytes) -> None:
        try:
            self._file.seek(self._end)
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self.fault = WorkError(f"{self.name} cannot be written: {refused(error)}")
            return
        self._end, self._crc = self._end + len(data), zlib.crc32(data, self._crc)
