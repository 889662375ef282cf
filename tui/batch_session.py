"""A session of batching: what it moves is a run of a model, and it can be forked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from batchtui.engine.batching.events import CallStarted
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.machine import Injected, Input, Replied, Submitted
from batchtui.engine.model import Interruptible
from batchtui.plugins.runs import Run
from batchtui.tui.batch_outlook import BatchOutlook
from batchtui.tui.session import Session


@dataclass
class BatchSession(Session[BatchView]):
    """A batching run that can be stepped both ways, or a recording of one.

    Attributes:
        history: what is remembered of it.
        run: what moves at the head; None for a recording.
        most_slots: how many slots there can be; None where the model has room for any number.
    """

    unit: ClassVar[str] = "batch"

    history: BatchHistory = field(kw_only=True)
    run: Run | None = field(default=None, repr=False, kw_only=True)
    most_slots: int | None = field(default=None, kw_only=True)
    _num_added: int = field(default=0, init=False)

    @property
    def outlook(self) -> BatchOutlook:
        """What is known about where one looks."""
        return BatchOutlook(self.debugger, self.history)

    @property
    def policy_name(self) -> str:
        """The order of the queue where one looks."""
        return self.view.policy or self.title.policy

    @property
    def next_index(self) -> int:
        """A number that no request of the workload has, nor one that was added by hand."""
        return (self.run.workload.num_requests if self.run else 0) + self._num_added

    def do(self, input: Input) -> None:
        """Do something to the run: the next phase takes it in. Only at NOW of what can move."""
        if isinstance(input, Injected):
            assert self.run is not None
            self.run.caller.inject(input.body)
        self._num_added += isinstance(input, Submitted)
        super().do(input)

    def answered(self, turn: int) -> Iterator[TurnRecord]:
        """The turns up to a moment, and on to the reply of a call that was out then."""
        is_out = False
        for number, record in enumerate(self.turns(), 1):
            if number > turn and not is_out:
                return
            yield record
            for entry in record.entries:
                if isinstance(entry, CallStarted):
                    is_out = number <= turn
                elif isinstance(entry, Replied) and entry.final:
                    is_out = False

    def shares_backend(self, other: Session[BatchView]) -> bool:
        """Whether another session calls the same model."""
        run = other.run if isinstance(other, BatchSession) else None
        return self.run is not None and run is not None and self.run.model is run.model

    def _interrupt(self) -> bool:
        model = self.run.model if self.run is not None else None
        if not isinstance(model, Interruptible):
            return False
        model.interrupt()
        return True

    def _give_back(self) -> None:
        if self.run is not None:
            self.run.close()
