"""Answers as a recording says, then as a probe does: how a search is begun again up to a moment."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.machine import Input, Replied, Work
from batchtui.engine.nodes.events import TestStarted
from batchtui.engine.nodes.probe import Probe
from batchtui.plugins.probes.performer import ProbePerformer


@dataclass
class _Attempt:
    """One attempt at a test: when it was begun, and what came of it, each with its delay."""

    begun_at: int
    replies: list[tuple[int, Input]] = field(default_factory=list)
    is_over: bool = False

    def note(self, reply: Replied[object]) -> None:
        self.replies.append((reply.at - self.begun_at, reply))
        self.is_over |= reply.final


class RecallingPerformer(ProbePerformer):
    """Asks a probe, but for the attempts that were recorded to their end: a ``Performer``.

    Faults that were played in those are spent.

    Args:
        past: the turns that are repeated, with all that was replied.
    """

    def __init__(self, probe: Probe, past: Iterable[TurnRecord]) -> None:
        super().__init__(probe)
        self._attempts: defaultdict[int, deque[_Attempt]] = defaultdict(deque)
        self._until = 0
        for record in past:
            for entry in record.entries:
                self._until = max(self._until, getattr(entry, "at", 0))
                if isinstance(entry, TestStarted):
                    self._attempts[entry.test].append(_Attempt(entry.at))
                elif isinstance(entry, Replied):
                    self._remember(entry)

    def _remember(self, reply: Replied[object]) -> None:
        """A final reply is of the attempt that runs, a late one of the last that was given up."""
        attempts = self._attempts[reply.work]
        those = [each for each in attempts if each.is_over != reply.final]
        if those:
            those[-1].note(reply)

    def __call__(self, work: Work) -> Iterable[tuple[int, Input]]:
        """Answer one test."""
        attempts = self._attempts[work.id]
        attempt = attempts.popleft() if attempts else None
        if attempt is None:
            return super().__call__(work)
        if not attempt.is_over:
            return self._put_off(list(super().__call__(work)), attempt)
        if self._injected:
            self._injected.popleft()
        return attempt.replies

    def _put_off(
        self, outcome: list[tuple[int, Input]], attempt: _Attempt
    ) -> list[tuple[int, Input]]:
        """What had not come by the end of the past comes after it, whatever the probe says."""
        gone = self._until - attempt.begun_at
        earliest = min(delay for delay, _ in outcome)
        more = gone + 1 - earliest if earliest < gone else 0
        return [(delay + more, input) for delay, input in outcome]
