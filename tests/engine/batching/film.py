"""A timeline in memory whose chunks are small, and what there was to see at every moment."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from batchtui.engine.batching import entries
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.codec import ENCODER
from batchtui.engine.debugger.cursor import Cursor
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline

MOST = 40


class Lines:
    """A log that keeps its chunks as lines."""

    def __init__(self, history: BatchHistory) -> None:
        self._chunker = Chunker(MOST)
        self._history = history
        self._chunks: list[list[Entry]] = [[]]

    def add(self, record: TurnRecord) -> None:
        self._chunks[-1] += record.entries
        if self._chunker.add(self._history.weigh(record)):
            self._chunks.append([])

    def read(self, chunk: int) -> Iterable[Entry]:
        return entries.DECODER.decode_lines(ENCODER.encode_lines(self._chunks[chunk]))


class Film:
    """Takes a run turn by turn; ``seen`` are the view's bytes, ``queues`` its order, by moment."""

    def __init__(self, history: BatchHistory) -> None:
        self._log = Lines(history)
        self.timeline: Timeline[BatchView] = Timeline(history, self._log, Chunker(MOST))
        self.seen = [msgspec.json.encode(self.timeline.view)]
        self.queues = [order(self.timeline.view)]

    def watch(self, record: TurnRecord) -> None:
        self._log.add(record)
        self.timeline.add(record)
        self.seen.append(msgspec.json.encode(self.timeline.view))
        self.queues.append(order(self.timeline.view))

    def check_walks(self) -> None:
        """Every moment, gone back to and forward again, shows what it showed."""
        cursor = Cursor(self.timeline)
        while cursor.back_phase():
            self._check(cursor)
        assert cursor.turn == 0
        while cursor.forward_phase():
            self._check(cursor)
        assert cursor.at_head

    def _check(self, cursor: Cursor[BatchView]) -> None:
        assert msgspec.json.encode(cursor.view) == self.seen[cursor.turn]
        assert order(cursor.view) == self.queues[cursor.turn]


def order(view: BatchView) -> list[str]:
    """The ids of those who wait, in the order of their policy."""
    return [waiting.request_id for waiting in view.first_waiting(99)]
