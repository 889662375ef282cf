"""A table whose run is remembered, so that one can ask of every moment what was so and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.engine.batching.table import Table, table_of

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.explain.why import Explanation, explain
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.policies import Fcfs, Policy
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline


class Nothing:
    """A log that nobody reads: all turns are in the open chunk."""

    def read(self, chunk: int) -> Iterable[Entry]:
        raise AssertionError(f"chunk {chunk} is wanted")


class Told:
    """A table and its timeline."""

    def __init__(self, *, policy: Policy | None = None, **options: int) -> None:
        policy = policy or Fcfs()
        config = BatchingConfig(**options)
        desk = table_of(config, policy=policy)
        self.history = BatchHistory(config.max_num_seqs, config.num_gpu_blocks, policy)
        self.timeline: Timeline[BatchView] = Timeline(self.history, Nothing(), Chunker(1 << 60))
        self.recorder = Recorder(desk.decoder, watch=self._watch)
        # It is driven in the decoder's place, and is a machine as that is.
        self.desk: Table = desk._replace(decoder=self.recorder)  # type: ignore[arg-type]

    def _watch(self, record: TurnRecord) -> None:
        self.timeline.add(record)

    @property
    def view(self) -> BatchView:
        return self.timeline.view

    @property
    def turn(self) -> int:
        return self.timeline.num_turns

    def submit(self, request_id: str, **fields: Any) -> None:  # Any: those of a request
        self.desk.submit(request_id, **fields)

    def step(self, tokens: dict[str, str] | None = None, now: int = 0) -> None:
        """A whole step; who is not named in ``tokens`` gets an ``a``."""
        self.desk.reply(self.desk.call(now), tokens or {}, now)
        self.desk.turn(now)

    def on(self, num_turns: int) -> None:
        """So many turns, as far as there is something to do; calls are answered."""
        for _ in range(num_turns):
            if self.recorder.status == "waiting":
                self.desk.reply(self.desk.works[-1], {})
            elif self.recorder.status == "ready":
                self.desk.turn()

    def why(self, request_id: str, turn: int | None = None) -> Explanation:
        """The explanation of a moment; of a past one with what came later."""
        past = turn is not None
        at = self.turn if turn is None else turn
        view = self.timeline.view_at(at)
        head = self.view if past else None
        explanation = explain(request_id, at, view, self.history, head=head)
        assert explanation is not None
        return explanation

    def words(self, request_id: str, label: str, turn: int | None = None) -> str:
        """What one label of an explanation says."""
        reasons = self.why(request_id, turn).reasons
        return " | ".join(reason.words for reason in reasons if reason.label == label)

    def labels(self, request_id: str) -> list[str]:
        return [reason.label for reason in self.why(request_id).reasons]
