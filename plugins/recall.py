"""Answers as a recording says, then as a model does: how a run with a real model is begun again.

A fork repeats what was decided up to a moment. A real model would answer otherwise, and take its
time; so for every call that was answered by then the recorded replies come, after the time that
they took.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from batchtui.engine.batching.events import CallStarted
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.machine import Input, Replied, Work
from batchtui.engine.model import Model
from batchtui.plugins.faults import FaultyCaller


class RecallingCaller(FaultyCaller):
    """Calls a model, but for the calls that were recorded: a ``Performer``.

    Args:
        model: answers what the recording does not.
        past: the turns that are repeated.
    """

    def __init__(self, model: Model, past: Iterable[TurnRecord]) -> None:
        super().__init__(model)
        self._replies: defaultdict[int, list[tuple[int, Input]]] = defaultdict(list)
        started: dict[int, int] = {}
        for record in past:
            for event in record.events:
                if isinstance(event, CallStarted):
                    started[event.work] = event.at
            for input in record.inputs:
                if isinstance(input, Replied) and input.work in started:
                    delay = input.at - started[input.work]
                    self._replies[input.work].append((delay, input))

    def __call__(self, work: Work) -> Iterable[tuple[int, Input]]:
        """Answer one piece of work."""
        recorded = self._replies.pop(work.id, [])
        if any(isinstance(reply, Replied) and reply.final for _, reply in recorded):
            return recorded
        return super().__call__(work)
