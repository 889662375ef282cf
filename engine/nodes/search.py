"""The search: a machine with the phases plan, run, deduce.

*plan* asks the strategy for sets, as many as there are free lanes, and refuses what breaks a rule.
*run* begins them. *deduce* waits until one has ended, and takes in all that have: the ledger says
what follows, and their nodes are free at once. So tests of different lengths do not wait for each
other.

A strategy only proposes. That no node is ever in two tests, that none is begun which might outlast
the time budget, and that nobody is accused but by the ledger, is kept here whatever it proposes.
"""

from __future__ import annotations

from collections import deque

from batchtui.engine.machine import Configured, Failure, Input, Replied, Status, Turn, Work
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.deducing import deduce, estimate
from batchtui.engine.nodes.journal import Journal
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.planning import change, plan
from batchtui.engine.nodes.probe import GroupTest, ProbeResult
from batchtui.engine.nodes.running import Running
from batchtui.engine.nodes.state import SearchState, StrategyNamed

PHASES = ("plan", "run", "deduce")


class Search:
    """Finds every bad node of an inventory.

    Args:
        config: how.
        named: gives strategies by their names.
        observed: whether events are made; if not, turns have none.
        unit: the name that inputs and events carry.
    """

    def __init__(
        self,
        config: NodesConfig,
        named: StrategyNamed,
        *,
        observed: bool = True,
        unit: str = "nodes",
    ) -> None:
        self.config = config
        self.unit = unit
        self.phases = PHASES
        self.step = 0
        self.state = SearchState.begin(config, named)
        self._journal = Journal(unit, observed=observed)
        self._phase = 0
        self._replies: deque[Replied[ProbeResult | Failure]] = deque()
        self._changes: deque[NodesOptions] = deque()

    @property
    def status(self) -> Status:
        """Waiting while tests run and none has ended; done when nothing is left to test."""
        if self.state.ended is not None:
            return "ready" if self._replies else "done"
        if PHASES[self._phase] == "deduce" and not (self._replies or self._changes):
            return "waiting"
        return "ready"

    def take(self, input: Input) -> None:
        """Enqueue a reply, or a change of options."""
        if isinstance(input, Replied):
            self._replies.append(input)
        elif isinstance(input, Configured):
            self._changes.append(input.body)

    def wake_at(self) -> int | None:
        """Never: it goes on when a test has ended."""
        return None

    def turn(self, now: int) -> Turn:
        """Do one phase."""
        phase, start, self.state.now = PHASES[self._phase], list[Work](), now
        self._journal.begin(self.step, phase, now)
        if phase == "plan":
            self._plan()
        elif phase == "run":
            start = self._run()
        else:
            self._deduce()
        self._phase = (self._phase + 1) % len(PHASES)
        self.step += self._phase == 0
        return Turn(phase=phase, events=self._journal.take(), start=start, cancel=[])

    def _plan(self) -> None:
        while self._changes:
            change(self._changes.popleft(), self.state, self._journal)
        if self.state.ended is None:
            plan(self.state, self._journal)

    def _run(self) -> list[Work]:
        planned, self.state.planned = self.state.planned, []
        return [self._begun(test) for test in planned]

    def _begun(self, test: Running) -> Work:
        state = self.state
        test.lane, test.started_at = state.lanes.enter(), state.now
        state.running[test.id] = test
        self._journal.say(said.TestStarted, test=test.id, lane=test.lane)
        spec = GroupTest(
            id=test.id,
            nodes=test.nodes,
            names=tuple(self.config.inventory.names(test.nodes)),
            attempt=test.attempt,
            timeout_us=self.config.timeout_us,
        )
        return Work(id=test.id, spec=spec, timeout_us=self.config.timeout_us)

    def _deduce(self) -> None:
        has_heard = bool(self._replies)
        while self._replies:
            deduce(self._replies.popleft(), self.state, self._journal)
        if has_heard:
            estimate(self.state, self._journal)
