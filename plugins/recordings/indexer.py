"""Finds the keyframes of a recording while it is written, where nobody keeps a timeline of the run.

It sees what is written, and nothing else: what was taken out of texts is in no keyframe. It
remembers those who wait and those in the slots, and nobody who has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from batchtui.engine.batching import events as said
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.history import frozen
from batchtui.engine.batching.marks import MARKS, Marker
from batchtui.engine.batching.policies import Policy
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recording import Entry, Turned
from batchtui.engine.debugger.timeline import FullChunk
from batchtui.engine.machine import Event


class Indexer:
    """Folds the turns of a run; is told where a chunk ends."""

    def __init__(
        self, config: BatchingConfig, policy: Policy, policies: Callable[[str], Policy]
    ) -> None:
        self._view = BatchView.empty(config.max_num_seqs, config.num_gpu_blocks, policy, policies)
        self._marker = Marker()
        self._marks = bytearray(1)  # from the step of the last turn before the chunk on
        self._seqs: list[int] = []  # of the turns of the chunk
        self._places: dict[str, int] = {}  # of those who wait
        self._num_queued = 0
        self._chunk = self._turn = self._step = self._seq = 0

    def add(self, turns: Iterable[list[Entry]]) -> None:
        """The run has gone on by some turns."""
        for entries in turns:
            self._add(entries)

    def end_chunk(self) -> FullChunk:
        """The chunk has ended with the last turn."""
        self._turn += len(self._seqs)
        marks = self._marks.translate(_LETTERS).decode("ascii")
        first_waiting = next(iter(self._places.values()), self._num_queued)
        frame = frozen(self._view, first_waiting)
        ended = FullChunk(self._chunk, self._turn, self._step, self._seqs, marks, frame)
        self._chunk += 1
        self._seqs, self._marks = [], self._marks[-1:]
        return ended

    def _add(self, entries: list[Entry]) -> None:
        fold, last = self._view.fold, None
        for last in entries:
            if isinstance(last, Event):
                fold(last)
                if type(last) in _PLACED:
                    self._place(last)
        if isinstance(last, Event):
            self._seq = last.seq
        elif isinstance(last, Turned):
            self._view.reach(last.step, last.phase, last.at)
        else:  # what led to a turn that failed
            return
        self._seqs.append(self._seq)
        self._mark(last.step, self._marker.mark(entries))

    def _mark(self, step: int, mark: int) -> None:
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
