"""Finds the keyframes of a recording while it is written, where nobody keeps a timeline of the run.

It sees what is written, and nothing else: what was taken out of texts is in no keyframe. It
remembers those who wait and those in the slots, and nobody who has left.
"""

from __future__ import annotations

from collections.abc import Callable

from batchtui.engine.batching import events as said
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.history import frozen
from batchtui.engine.batching.marks import MARKS, Marker
from batchtui.engine.batching.policies import Policy
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recording import Entry, Turned
from batchtui.engine.debugger.timeline import Chunker, FullChunk
from batchtui.engine.machine import Event


class Indexer:
    """Folds the turns of a run.

    Args:
        config, policy, policies: of the run; ``policies`` makes others by their names.
        chunker: says where chunks end.
    """

    def __init__(
        self,
        config: BatchingConfig,
        policy: Policy,
        policies: Callable[[str], Policy],
        chunker: Chunker | None = None,
    ) -> None:
        self._view = BatchView.empty(config.max_num_seqs, config.num_gpu_blocks, policy, policies)
        self._marker = Marker()
        self._chunker = chunker or Chunker()
        self._marks = bytearray(1)  # from the step of the last turn before the chunk on
        self._seqs: list[int] = []  # of the turns of the chunk
        self._places: dict[str, int] = {}  # of those who wait
        self._num_queued = 0
        self._chunk = self._turn = self._step = self._seq = 0

    def add(self, entries: list[Entry], weight: int) -> FullChunk | None:
        """The run has gone on by a turn of that weight; the chunk, if it is full with it."""
        last = entries[-1]
        if isinstance(last, Turned):
            self._view.reach(last.step, last.phase, last.at)
        elif isinstance(last, Event):
            self._fold(entries)
            self._seq = last.seq
        else:  # what led to a turn that failed
            return None
        self._seqs.append(self._seq)
        self._mark(last.step, self._marker.mark(entries))
        return self._end_chunk() if self._chunker.add(weight) else None

    def _end_chunk(self) -> FullChunk:
        self._turn += len(self._seqs)
        marks = self._marks.translate(_LETTERS).decode("ascii")
        first_waiting = next(iter(self._places.values()), self._num_queued)
        frame = frozen(self._view, first_waiting)
        ended = FullChunk(self._chunk, self._turn, self._step, self._seqs, marks, frame)
        self._chunk += 1
        self._seqs, self._marks = [], self._marks[-1:]
        return ended

    def _fold(self, entries: list[Entry]) -> None:
        fold = self._view.fold
        for entry in entries:
            if isinstance(entry, Event):
                fold(entry)
                if type(entry) in _PLACED:
                    self._place(entry)

    def _mark(self, step: int, mark: int) -> None:
        if step > self._step:
            self._marks.extend(bytes(step - self._step))
            self._step = step
        self._marks[-1] = max(self._marks[-1], mark)

    def _place(self, event: Event) -> None:
        if isinstance(event, said.RequestQueued):
            self._places[event.request_id] = self._num_queued
            self._num_queued += 1
        elif isinstance(event, said.RequestAdmitted | said.RequestFinished):
            self._places.pop(event.request_id, None)


_PLACED = frozenset({said.RequestQueued, said.RequestAdmitted, said.RequestFinished})

_LETTERS = MARKS.encode().ljust(256, b"?")
