"""Opens a recording: everything that happened in it can be looked at again.

A file may be packed, have a byte order mark or CRLF, and may have been cut off by whatever ended
the process that wrote it; what is whole of it is opened. What contradicts itself is refused with
its line, before anything is shown.
"""

from __future__ import annotations

import gzip
import re
import tempfile
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, TypeVar

from batchtui.engine.debugger.recording import Header, TurnRecord, turns_of
from batchtui.engine.debugger.timeline import Chunker, Timeline, View
from batchtui.engine.errors import BatchtuiError, InputError, WorkError
from batchtui.plugins.formats.lines import (
    BYTE_ORDER_MARK,
    GZIP_MAGIC,
    MAX_LINE_BYTES,
    name_of,
    opened,
    printable,
)
from batchtui.plugins.recordings.checks import Checks
from batchtui.plugins.recordings.header import header_from
from batchtui.plugins.recordings.keyframes import UnbelievableError
from batchtui.plugins.recordings.leap import Leapt, Recalls, leap
from batchtui.plugins.recordings.reader import Reader, without_garbage_collector
from batchtui.plugins.recordings.system import AnySystem, HistoryT, System
from batchtui.plugins.recordings.systems import system_named
from batchtui.plugins.recordings.target import part_of

ViewT = TypeVar("ViewT", bound=View)

Progress = Callable[[int], None]
"""Is told how many bytes have been read."""

_FIRST = re.compile(rb'\s*\{\s*"type"\s*:\s*"Recording"\s*[,}]')

_COPY_BYTES = 1 << 20


class Recording(NamedTuple, Generic[ViewT, HistoryT]):
    """A recording that was opened: the view and the history are those of its system.

    ``torn`` is "" for a whole one, else a sentence that says where it was cut off.
    """

    header: Header
    system: System[HistoryT]
    timeline: Timeline[ViewT]
    history: HistoryT
    torn: str
    reader: Reader

    def turns(self) -> Iterator[TurnRecord]:
        """Its turns from the first to the last, with replies: the timeline's are without."""
        return islice(turns_of(self.reader.whole()), self.timeline.num_turns)

    def close(self) -> None:
        """Close the file: its chunks can be read no more."""
        self.reader.close()


AnyRecording = Recording[Any, Any]  # Any: of whatever system


def is_recording(head: bytes) -> bool:
    """Whether a file that begins so is a recording."""
    if head.startswith(GZIP_MAGIC):
        try:
            head = zlib.decompressobj(31).decompress(head, 64)
        except zlib.error:
            return False
    return _FIRST.match(head.removeprefix(BYTE_ORDER_MARK)) is not None


def open_recording(
    path: Path | str, *, progress: Progress | None = None, trusting: bool = True
) -> AnyRecording:
    """Open a recording by its path.

    Args:
        path: of its file.
        progress: is told how far it is.
        trusting: whether keyframes in the file that fit it are believed; else every entry is
            taken in.

    Raises:
        InputError: it cannot be read, is no recording, is of a newer version, or contradicts
            itself; the message names the line.
        PluginError: its policy is not installed.
    """
    path = Path(path)
    name = name_of(path)
    file = _plain(path)
    try:
        header = _header(file, path)
        where = f"{name} line 1"
        system = system_named(header.system, where)
        beginning = _Beginning(file, name, system, lambda: system.begun(header, where))
        with without_garbage_collector():
            timeline, history, reader = _taken_in(beginning, progress, trusting=trusting)
    except BaseException:
        file.close()
        raise
    return Recording(header, system, timeline, history, reader.torn(timeline.step), reader)


def _header(file: IO[bytes], path: Path) -> Header:
    name, part = name_of(path), part_of(path)
    line = file.readline(MAX_LINE_BYTES).removeprefix(BYTE_ORDER_MARK)
    if not line.strip():
        if part.exists():
            raise InputError(f"{name} was never packed: what was recorded is in {name_of(part)}")
        raise InputError(f"{name} is empty: want a recording")
    if not is_recording(line):
        begins = printable(line.strip()[:200].decode("utf-8", "backslashreplace"))
        raise InputError(f"{name} line 1 is not the header of a recording: it begins with {begins}")
    return header_from(line, f"{name} line 1")


class _Beginning(NamedTuple):
    """A file that stands behind its header, and how what is behind it is taken in."""

    file: IO[bytes]
    name: str
    system: AnySystem
    begun: Callable[[], Any]  # Any: the history of whatever system


def _taken_in(
    beginning: _Beginning, progress: Progress | None, *, trusting: bool
) -> tuple[Timeline[Any], Any, Reader]:
    file, name, system, begun = beginning
    start, history = file.tell(), begun()
    reader = Reader(file, name, system.codec)
    leapt = _leapt(beginning, history, progress) if trusting else None
    file.seek(start)
    if leapt is None:
        history = begun()  # that one may be spoilt
    timeline: Timeline[Any] = Timeline(history, reader, Chunker())
    if leapt is not None and leapt.chunks:
        reader.leap(leapt.starts, leapt.num_keyframes)
        timeline.skip(leapt.chunks)
        history.go_on(timeline.view)
    _load(timeline, reader, system.phases, progress)
    return timeline, history, reader


def _leapt(beginning: _Beginning, history: Any, progress: Progress | None) -> Leapt | None:
    """What keyframes there are of; None where they are not to be believed, or the system's history
    wants to see every entry."""
    if not isinstance(history, Recalls):
        return None
    file, viewer = beginning.file, beginning.system.codec.viewer
    try:
        return leap(file, file.tell(), history, viewer, progress)
    except UnbelievableError:
        return None


def _load(
    timeline: Timeline[Any], reader: Reader, phases: tuple[str, ...], progress: Progress | None
) -> None:
    checks = Checks(timeline, phases)
    for record in turns_of(reader.entries(progress), lambda: not reader.is_torn):
        size = len(record.entries)
        try:
            checks.check(record)
            is_full = timeline.add(record)
        except BatchtuiError as error:
            raise InputError(f"{reader.where(size)}: {error}") from error
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            # What no writer of ours writes: a slot that is not there, columns of two lengths.
            raise InputError(
                f"{reader.where(size)}: the entries of step {record.step}, "
                f"{printable(record.phase)}, contradict those before them"
            ) from error
        reader.took(size, is_full=is_full)


def _plain(path: Path) -> IO[bytes]:
    """The file, unpacked into a temporary one if it is packed."""
    if path.is_dir():
        raise InputError(f"{name_of(path)} is a directory: name a file in it")
    if path.exists() and not path.is_file():
        raise InputError(f"{name_of(path)} is not a regular file: a recording is read again")
    with opened(path) as given:
        if not isinstance(given, gzip.GzipFile):
            return path.open("rb")
        try:
            unpacked = tempfile.TemporaryFile()  # noqa: SIM115 - whoever opened it closes it
        except OSError as error:
            raise WorkError("no temporary file can be made to unpack the recording") from error
        try:
            # One that was cut short is a recording that was cut off: what there is, is read.
            unpacked.writelines(_until_cut(given))
        except BaseException:
            unpacked.close()
            raise
        unpacked.seek(0)
        return unpacked


def _until_cut(file: gzip.GzipFile) -> Iterator[bytes]:
    try:
        while data := file.read1(_COPY_BYTES):  # read() would keep back what came before the cut
            yield data
    except EOFError:
        return
