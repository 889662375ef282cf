"""A small machine that finds bad nodes with tests of two, as many at once as there are idle pairs.

A test passes if both nodes are good. The first round pairs strangers; a node of a failed pair is
tested again beside one that is known to be good.
"""

from __future__ import annotations

from batchtui.engine.machine import (
    Event,
    Failure,
    Input,
    Replied,
    Status,
    Submitted,
    Turn,
    Work,
)

Pair = tuple[str, str]


class NodeJudged(Event, frozen=True, kw_only=True):
    """A node's state is known: ``good``, ``bad``, or ``lost`` where its host does not answer."""

    node: str
    verdict: str


class PairTests:
    phases = ("plan", "run", "deduce")

    def __init__(self, unit: str = "nodes") -> None:
        self.unit, self.step = unit, 0
        self.strangers: list[str] = []
        self.suspects: list[str] = []
        self.idle_good: list[str] = []
        self.verdicts: dict[str, str] = {}
        self.open: dict[int, Pair] = {}
        self.most_open = self.num_late = 0
        self._phase = 0
        self._inbox: list[Input] = []
        self._planned: list[Pair] = []
        self._num_works = self._num_events = 0

    @property
    def status(self) -> Status:
        if self._inbox or (self._phase != 0 and not self.open) or self._planned:
            return "ready"
        if self.phases[self._phase] == "run":
            return "ready"
        return "waiting" if self.open else "ready" if self._pairs() else "done"

    def take(self, input: Input) -> None:
        self._inbox.append(input)

    def wake_at(self) -> int | None:
        return None

    def turn(self, now: int) -> Turn:
        phase = self.phases[self._phase]
        turn = Turn(phase=phase, events=[], start=[], cancel=[])
        if phase == "plan":
            self._admit()
            self._planned = self._pairs()
            self._forget(self._planned)
        elif phase == "run":
            turn.start = [self._work(pair) for pair in self._planned]
            self._planned = []
            self.most_open = max(self.most_open, len(self.open))
        else:
            judged = [each for input in self._inbox for each in self._deduce(input)]
            self._inbox = [input for input in self._inbox if isinstance(input, Submitted)]
            turn.events = [self._event(node, verdict, now) for node, verdict in judged]
        self._phase = (self._phase + 1) % 3
        self.step += self._phase == 0
        return turn

    def _admit(self) -> None:
        for input in self._inbox:
            if isinstance(input, Submitted):
                self.strangers += input.body
        self._inbox = [input for input in self._inbox if not isinstance(input, Submitted)]

    def _pairs(self) -> list[Pair]:
        """Disjoint by making: each node is in one list, and in one pair of it."""
        strangers = iter(self.strangers)
        pairs = list(zip(strangers, strangers, strict=False))
        pairs += zip(self.suspects, self.idle_good, strict=False)
        odd = self.strangers[-1:] if len(self.strangers) % 2 else []
        spare = self.idle_good[len(self.suspects) :]
        return pairs + list(zip(odd, spare, strict=False))

    def _forget(self, pairs: list[Pair]) -> None:
        taken = {node for pair in pairs for node in pair}
        for nodes in (self.strangers, self.suspects, self.idle_good):
            nodes[:] = [node for node in nodes if node not in taken]

    def _work(self, pair: Pair) -> Work:
        self._num_works += 1
        self.open[self._num_works] = pair
        return Work(id=self._num_works, spec=pair)

    def _deduce(self, input: Input) -> list[tuple[str, str]]:
        if not isinstance(input, Replied):
            return []
        pair = self.open.pop(input.work, None)
        if pair is None or input.late:
            self.num_late += 1
            return []
        unknown = [node for node in pair if node not in self.verdicts]
        self.idle_good += [node for node in pair if node in self.verdicts]
        if isinstance(input.body, Failure):
            return self._failed(unknown, input.body)
        if input.body:
            self.idle_good += unknown
            return self._judge(unknown, "good")
        if len(unknown) == 1:
            return self._judge(unknown, "bad")
        self.suspects += unknown
        return []

    def _failed(self, unknown: list[str], failure: Failure) -> list[tuple[str, str]]:
        if failure.retryable:
            self.strangers += unknown if len(unknown) > 1 else []
            self.suspects += unknown if len(unknown) == 1 else []
            return []
        return self._judge(unknown, "lost")

    def _judge(self, nodes: list[str], verdict: str) -> list[tuple[str, str]]:
        self.verdicts |= dict.fromkeys(nodes, verdict)
        return [(node, verdict) for node in nodes]

    def _event(self, node: str, verdict: str, now: int) -> NodeJudged:
        self._num_events += 1
        return NodeJudged(
            seq=self._num_events,
            step=self.step,
            phase="deduce",
            at=now,
            unit=self.unit,
            node=node,
            verdict=verdict,
        )
