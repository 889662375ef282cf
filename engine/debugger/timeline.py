"""A run from its first turn to its last, at any moment of which one can look.

A *turn number* is a moment: 0 is before the first turn, n after the n-th; ``num_turns`` is the
head. The view at the head is kept; an earlier one is rebuilt from the nearest keyframe before it
and the turns between. Turns are cut into chunks, each with a keyframe at its beginning; what a
chunk weighs bounds what it costs to look anywhere. Chunks that are full are read back from the log
when they are wanted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from batchtui.engine.debugger.recording import Entry, TurnRecord, turns_of
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Event

MAX_CHUNK = 1_000
"""What a chunk may weigh: so many events, or columns of that worth."""

MAX_READ = 4
"""Chunks that are kept after they were read."""


class View(Protocol):
    """What a screen shows: a fold over events, bounded."""

    def fold(self, event: Event) -> None:
        """Take one event in."""

    def reach(self, step: int, phase: str, now: int) -> None:
        """Note where the run is after a turn."""


ViewT = TypeVar("ViewT", bound=View)


class History(Protocol[ViewT]):
    """What a system remembers of a run from its beginning to its head, besides the view."""

    def empty(self) -> ViewT:
        """The view before the first turn."""

    def note(self, record: TurnRecord, turn: int, view: ViewT) -> None:
        """Remember a turn, the one after which the moment is ``turn`` and the view ``view``."""

    def weigh(self, record: TurnRecord) -> int:
        """What a turn costs to be folded, in events."""

    def ribbon(self, steps: slice) -> str:
        """The marks of some steps, a letter each."""

    def freeze(self, view: ViewT) -> bytes:
        """A keyframe: what of the view ``thaw`` cannot find in this history."""

    def thaw(self, keyframe: bytes, turn: int) -> ViewT:
        """The view that was frozen at that moment."""


class ChunkLog(Protocol):
    """Where full chunks are read back from, by their number from 0."""

    def read(self, chunk: int) -> Iterable[Entry]:
        """The entries of a chunk, in order."""


class Chunk(NamedTuple):
    """Where a chunk begins."""

    turn: int
    step: int
    keyframe: bytes


class FullChunk(NamedTuple):
    """A chunk that has ended, as a ``Keyframe`` says it; ``seqs`` are the numbers themselves."""

    chunk: int
    turn: int
    step: int
    seqs: list[int]
    marks: str
    frame: bytes


class Chunker:
    """Says where chunks end: whoever writes and whoever looks use the same rule.

    ``add`` takes what a turn weighs, and returns whether the chunk is full with it; ``weight`` is
    what the chunk weighs so far.
    """

    def __init__(self, most: int = MAX_CHUNK) -> None:
        self.most = most
        self.weight = 0

    def add(self, weight: int) -> bool:
        """Take a turn in."""
        self.weight += weight
        if self.weight < self.most:
            return False
        self.weight = 0
        return True


class Timeline(Generic[ViewT]):
    """The turns of a run.

    ``view`` is the head's: it moves on with ``add``, so only look at it. ``step`` is that of the
    last turn; -1 before the first. ``tell`` is told of each chunk that has ended.
    """

    def __init__(
        self,
        history: History[ViewT],
        log: ChunkLog,
        chunker: Chunker,
        tell: Callable[[FullChunk], None] | None = None,
    ) -> None:
        self.history = history
        self.view = history.empty()
        self.num_turns = 0
        self.step = -1
        self._log = log
        self._chunker = chunker
        self._tell = tell
        self._seq = 0
        self._chunks = [Chunk(0, 0, history.freeze(self.view))]
        self._open: list[TurnRecord] = []
        self._read: OrderedDict[int, list[TurnRecord]] = OrderedDict()

    def add(self, record: TurnRecord) -> bool:
        """The run has gone on by a turn. True where a chunk is full with it."""
        view, history = self.view, self.history
        fold(view, record)
        self.num_turns += 1
        self.step = record.step
        history.note(record, self.num_turns, view)
        self._open.append(record)
        if not self._chunker.add(history.weigh(record)):
            return False
        self._end_chunk(Chunk(self.num_turns, record.step, history.freeze(view)))
        return True

    def _end_chunk(self, next: Chunk) -> None:
        if self._tell is not None:
            seqs = seqs_of((record.entries for record in self._open), self._seq)
            self._seq = seqs[-1]
            marks = self.history.ribbon(slice(self._chunks[-1].step, next.step + 1))
            self._tell(FullChunk(len(self._chunks) - 1, next.turn, next.step, seqs, marks, next[2]))
        self._chunks.append(next)
        self._open = []

    def skip(self, ends: Sequence[Chunk]) -> None:
        """Before the first turn: know full chunks by their ends, without their turns."""
        self._chunks += ends
        self.num_turns, self.step, frame = ends[-1]
        self.view = self.history.thaw(frame, self.num_turns)

    def record(self, turn: int) -> TurnRecord:
        """The turn that led to a moment, from 1."""
        chunk = self._chunk_before(turn)
        return self._turns(chunk)[turn - 1 - self._chunks[chunk].turn]

    def records(self, after: int = 0, upto: int | None = None) -> Iterator[TurnRecord]:
        """The turns after a moment, up to another or the head."""
        end = self.num_turns if upto is None else min(upto, self.num_turns)
        while after < end:
            chunk = self._chunk_before(after + 1)
            first = self._chunks[chunk].turn
            turns = self._turns(chunk)[after - first : end - first]
            yield from turns
            after += len(turns)

    def view_at(self, turn: int) -> ViewT:
        """The view at a moment; the head's own at the head, else one that is the caller's."""
        if turn >= self.num_turns:
            return self.view
        chunk = self._chunks[self._chunk_before(max(turn, 1))]
        view = self.history.thaw(chunk.keyframe, chunk.turn)
        try:
            for record in self.records(chunk.turn, turn):
                fold(view, record)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise InputError(
                f"the turns after turn {chunk.turn} contradict the recording's keyframe there"
            ) from error
        return view

    def forget(self) -> None:
        """Drop the chunks that were read: they are read again when they are wanted."""
        self._read.clear()

    def turn_at_step(self, step: int) -> int:
        """The last moment of a step, or of the one before it where there is no such step; 0 before
        the first."""
        chunk = max(0, bisect_right(self._chunks, step, key=lambda chunk: chunk.step) - 1)
        # The chunk's own step is that of the turn before it.
        turn = self._chunks[chunk].turn
        for record in self.records(turn):
            if record.step > step:
                break
            turn += 1
        return turn

    def chunk_bounds(self, turn: int) -> tuple[int, int]:
        """The moments at which the chunk with a turn begins and ends."""
        chunk = self._chunk_before(turn)
        last = len(self._chunks) - 1
        return self._chunks[chunk].turn, (
            self.num_turns if chunk == last else self._chunks[chunk + 1].turn
        )

    def _chunk_before(self, turn: int) -> int:
        """The number of the chunk that holds the turn which led to a moment, from 1."""
        return bisect_right(self._chunks, turn - 1, key=lambda chunk: chunk.turn) - 1

    def _turns(self, chunk: int) -> list[TurnRecord]:
        if chunk == len(self._chunks) - 1:
            return self._open
        if chunk not in self._read:
            turns = self._read[chunk] = list(turns_of(self._log.read(chunk)))
            if len(turns) != self._chunks[chunk + 1].turn - self._chunks[chunk].turn:
                del self._read[chunk]
                raise InputError(f"the recording has not the turns that keyframe {chunk} tells of")
            while len(self._read) > MAX_READ:
                self._read.popitem(last=False)
        self._read.move_to_end(chunk)
        return self._read[chunk]


def seqs_of(turns: Iterable[list[Entry]], seq: int = 0) -> list[int]:
    """For each turn the number of the last event so far; ``seq`` is the one before them."""
    seqs = []
    for entries in turns:
        last = entries[-1]
        seq = last.seq if isinstance(last, Event) else seq
        seqs.append(seq)
    return seqs


def fold(view: View, record: TurnRecord) -> None:
    """Take a turn into a view."""
    take, entry = view.fold, None
    for entry in record.entries:
        if isinstance(entry, Event):
            take(entry)
    if not isinstance(entry, Event):  # which says itself where the run is
        view.reach(record.step, record.phase, record.at)
