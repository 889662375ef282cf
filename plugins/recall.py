"""Answers as a recording says, then as a model does: how a run with a real model is begun again.

A fork repeats what was decided up to a moment. A real model would answer otherwise, and take its
time; so for every call that was answered by then the recorded replies come, after the time that
they took.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from batchtui.engine.batching.events import CallStarted
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.machine import Input, Replied, Work
from batchtui.engine.model import Model
from batchtui.plugins.faults import FaultyCaller
from batchtui.plugins.formats.workload import Fault, Script


class RecallingCaller(FaultyCaller):
    """Calls a model, but for the calls that were recorded: a ``Performer``.

    Faults that were played in those calls are spent.

    Args:
        past: the turns that are repeated, with all that was replied.
    """

    def __init__(
        self,
        model: Model,
        faults: Iterable[Fault],
        scripts: Mapping[int, Script],
        unit: str,
        past: Iterable[TurnRecord],
    ) -> None:
        super().__init__(model, faults, scripts, unit)
        self._replies: defaultdict[int, list[tuple[int, Input]]] = defaultdict(list)
        self._begun: dict[int, int] = {}
        for record in past:
            self._remember(record)

    def _remember(self, record: TurnRecord) -> None:
        for entry in record.entries:
            if isinstance(entry, CallStarted):
                self._begun[entry.work] = entry.at
            elif isinstance(entry, Replied) and entry.work in self._begun:
                delay = entry.at - self._begun[entry.work]
                self._replies[entry.work].append((delay, entry))

    def __call__(self, work: Work) -> Iterable[tuple[int, Input]]:
        """Answer one piece of work."""
        recorded = self._replies.pop(work.id, [])
        if any(isinstance(reply, Replied) and reply.final for _, reply in recorded):
            self._num_calls += 1
            self._due(work)
            return recorded
        return super().__call__(work)
