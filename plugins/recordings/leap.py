"""Takes a recording in from keyframe to keyframe: of the turns between them it reads only what
stories are made of, and leaves the rest to whoever looks there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import IO, Any, NamedTuple, Protocol, runtime_checkable

import msgspec

from batchtui.engine.debugger.recording import Entry, Keyframe
from batchtui.engine.debugger.timeline import Chunk
from batchtui.engine.errors import BatchtuiError
from batchtui.engine.machine import Event
from batchtui.plugins.recordings.keyframes import UnbelievableError, keyframes_of


@runtime_checkable
class Recalls(Protocol):
    """A history that can take turns in without seeing them whole."""

    @property
    def storied(self) -> tuple[type, ...]:
        """The kinds of entries that it wants to see."""

    def recall(self, entries: Iterable[Entry], seqs: Sequence[int], after: int) -> None:
        """Remember of some turns what was kept of them.

        Args:
            entries: those of the kinds that it wants, in their order.
            seqs: for each turn the number of the last event so far.
            after: the moment before the first of them.
        """

    def mark(self, marks: str, step: int) -> None:
        """The steps up to one were recalled: the marks of the last ones, a letter each.

        Raises:
            ValueError: a letter is no mark.
        """

    def check(self, keyframe: bytes) -> None:
        """See that a keyframe from elsewhere is one.

        Raises:
            ValueError: it is none.
        """

    def go_on(self, view: Any) -> None:  # Any: the system's own view
        """The turns after those that were recalled will be noted; ``view`` is that before them."""


class Leapt(NamedTuple):
    """How far keyframes reach.

    Attributes:
        chunks: each as the next one begins.
        starts: where in the file each begins, and the one after them.
        num_keyframes: how many lines of them stand before that.
    """

    chunks: list[Chunk]
    starts: list[int]
    num_keyframes: int


def leap(
    file: IO[bytes],
    start: int,
    history: Recalls,
    viewer: msgspec.json.Decoder[Entry],
    progress: Callable[[int], None] | None,
) -> Leapt:
    """Take in what there are keyframes of; nothing, where there are none.

    Args:
        file: of the recording.
        start: where its header ends.
        history: one that remembers nothing; spoilt, where this raises.
        viewer: of the system's entries.
        progress: is told how many bytes have been read.

    Raises:
        UnbelievableError: the keyframes do not fit the file, or each other.
    """
    found = list(keyframes_of(file))
    leaper = _Leaper(file, start, history, viewer)
    for at, keyframe in found:
        try:
            leaper.take(at, keyframe)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise UnbelievableError from error
        except (BatchtuiError, msgspec.MsgspecError) as error:
            raise UnbelievableError from error
        if progress is not None:
            progress(keyframe.end)
    end = leaper.starts[-1]
    return Leapt(leaper.chunks, leaper.starts, sum(at < end for at, _ in found))


class _Leaper:
    """Where the last keyframe led to."""

    def __init__(
        self,
        file: IO[bytes],
        start: int,
        history: Recalls,
        viewer: msgspec.json.Decoder[Entry],
    ) -> None:
        self.chunks: list[Chunk] = []
        self.starts = [start]
        self._file = file
        self._history = history
        self._viewer = viewer
        kinds = "|".join(kind.__name__ for kind in history.storied)
        self._lines = re.compile(rb'\n(\{"type":"(?:%s)"[^\n]*)' % kinds.encode())
        self._turn = self._step = self._seq = 0

    def take(self, at: int, keyframe: Keyframe) -> None:
        history, seqs = self._history, self._checked(at, keyframe)
        entries = self._storied(keyframe.end)
        events = [entry for entry in entries if isinstance(entry, Event)]
        if events:
            _demand(self._seq < min(event.seq for event in events))
            _demand(max(event.seq for event in events) <= seqs[-1])
            _demand(self._step <= min(event.step for event in events))
            _demand(max(event.step for event in events) <= keyframe.step)
        history.recall(entries, seqs, self._turn)
        history.mark(keyframe.marks, keyframe.step)
        history.check(keyframe.frame)
        self._turn, self._step, self._seq = keyframe.turn, keyframe.step, seqs[-1]
        self.chunks.append(Chunk(keyframe.turn, keyframe.step, keyframe.frame))
        self.starts.append(keyframe.end)

    def _checked(self, at: int, keyframe: Keyframe) -> list[int]:
        """The numbers of the last event by turn."""
        _demand(keyframe.chunk == len(self.chunks))
        _demand(self.starts[-1] < keyframe.end <= at)
        _demand(keyframe.turn - self._turn == len(keyframe.seqs) > 0)
        _demand(len(keyframe.marks) == keyframe.step - self._step + 1)
        return list(accumulate(keyframe.seqs, initial=self._seq))[1:]

    def _storied(self, end: int) -> list[Entry]:
        start = self.starts[-1] - 1
        self._file.seek(start)
        data = self._file.read(end - start)
        _demand(data[:1] == data[-1:] == b"\n")
        entries: list[Entry] = self._viewer.decode_lines(b"\n".join(self._lines.findall(data)))
        return entries


def _demand(holds: bool) -> None:
    if not holds:
        raise UnbelievableError
