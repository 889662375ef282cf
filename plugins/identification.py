"""One call of ``identify``: the caller's nodes and callable on one side, the search on the other.

The search is the machine of ``engine/nodes``, which knows indices and verdicts only.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from batchtui.engine.errors import InputError, WorkError
from batchtui.engine.machine import Event, Turn, Work
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.events import TestEnded, TestPlanned
from batchtui.engine.nodes.inventory import Inventory, Node
from batchtui.engine.nodes.ledger import GOOD
from batchtui.engine.nodes.probe import ProbeResult
from batchtui.engine.nodes.report import report_of
from batchtui.engine.nodes.search import Search
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.plugins.answers import Answer, WrongAnswer, read
from batchtui.plugins.arguments import (
    MOST_US,
    check_strategy,
    check_test,
    microseconds,
    whole,
)
from batchtui.plugins.identified import Identified, Proof, Standing, Trial
from batchtui.plugins.live import Live, is_async
from batchtui.plugins.raised import place_of

NodeT = TypeVar("NodeT", bound=Hashable)

MOST_THREADS = 256
"""Tests at once where each takes a thread and nobody says how many may run."""

EXPECTED_US = 1_000_000
"""How long any test is thought to take: a strategy is to save tests, whether they pass or fail."""


class Identification(Generic[NodeT]):
    """One call: the search, and what the caller's callable has to do with it."""

    def __init__(
        self,
        nodes: Iterable[NodeT],
        test: Callable[[list[NodeT]], Answer | Awaitable[Answer]],
        strategy: str,
        max_parallel: int | None,
        timeout_s: float | None,
        time_budget_s: float | None,
        priors: Mapping[NodeT, float] | None,
        exclude: Iterable[NodeT],
        confirm: bool,
        seed: int,
        on_event: Callable[[Event], object] | None,
    ) -> None:
        check_test(test)
        check_strategy(strategy)
        self._nodes = list(nodes)
        self._test = test
        self._is_async = is_async(test)
        self._on_event = on_event
        self._error: BaseException | None = None
        self._planned: dict[int, TestPlanned] = {}
        self._ended: dict[int, TestEnded] = {}
        if max_parallel is None and not self._is_async:
            max_parallel = MOST_THREADS
        elif max_parallel is not None:
            max_parallel = whole("max_parallel", max_parallel)
        if time_budget_s is not None and timeout_s is None:
            raise InputError("time_budget_s needs timeout_s: a test without one might end after it")
        try:
            config = NodesConfig(
                inventory=inventory_of(self._nodes, priors or {}, exclude),
                strategy=strategy,
                max_parallel=max_parallel,
                timeout_us=microseconds("timeout_s", timeout_s) or MOST_US,
                pass_us=EXPECTED_US,
                fail_us=EXPECTED_US,
                time_budget_us=microseconds("time_budget_s", time_budget_s),
                confirms=confirm,
                seed=whole("seed", seed),
            )
        except ValueError as error:
            raise InputError(str(error)) from None
        self.search = Search(config, strategy_named)

    async def run(self) -> None:
        """Run it in this event loop."""
        perform = self._perform_async if self._is_async else self.perform
        await Live(self.search, perform, watch=self.watch).run()

    def watch(self, turn: Turn) -> None:
        """Keep what a turn says about tests, and tell whoever listens."""
        for event in turn.events:
            if isinstance(event, TestPlanned):
                self._planned[event.test] = event
            elif isinstance(event, TestEnded):
                self._ended[event.test] = event
            if self._on_event is not None:
                self._on_event(event)

    # What the callable is asked, and what it says.

    def perform(self, work: Work) -> object:
        """Call a plain function; it may return something to be awaited all the same."""
        try:
            answer = self._test(self._own(work.spec.nodes))
            return self._later(answer) if isinstance(answer, Awaitable) else read(answer)
        except (Exception, SystemExit) as error:
            self._note(error)
            raise

    async def _perform_async(self, work: Work) -> ProbeResult:
        answer = self._test(self._own(work.spec.nodes))
        assert isinstance(answer, Awaitable)
        return await self._later(answer)

    async def _later(self, answer: Awaitable[Answer]) -> ProbeResult:
        try:
            return read(await answer)
        except (Exception, SystemExit) as error:
            self._note(error)
            raise

    def _note(self, error: BaseException) -> None:
        if self._error is None:
            self._error = error

    # What has been found.

    def found(self) -> Identified[NodeT]:
        """The result, once nothing more is tested."""
        state, own = self.search.state, self._own
        report = report_of(state)
        findings = report.findings
        assert report.ended is not None
        if self._ended and not state.board.ledger.tests:
            raise WorkError(self._nothing_tested()) from self._error
        trials = {id: self._trial(id) for id in sorted(self._ended)}
        return Identified(
            good=own(findings.good),
            bad=own(findings.bad),
            undetermined=own(findings.undetermined),
            excluded=own(state.board.excluded),
            cannot_tell=[own(clause) for clause in findings.clauses],
            contradictions=[own(nodes) for nodes in findings.contradictions],
            at_most_one_good=findings.at_most_one_good,
            pairs_left=findings.pairs_left,
            pairs_tried=findings.pairs_tried,
            tests=report.tests,
            rounds=report.rounds,
            node_seconds=report.node_seconds,
            makespan_s=report.makespan_s,
            bound_tests=report.bound_tests,
            bound_rounds=report.bound_rounds,
            ended=report.ended,
            trials=[*trials.values()],
            first_error=self._error,
            proofs=self._proofs(trials),
        )

    def _proofs(self, trials: Mapping[int, Trial[NodeT]]) -> dict[NodeT, Proof[NodeT]]:
        board, proofs = self.search.state.board, dict[NodeT, Proof[NodeT]]()
        excluded = {*board.excluded}
        for index, node in enumerate(self._nodes):
            proof = board.ledger.proof(index)
            if proof is None:
                standing: Standing = "excluded" if index in excluded else "undetermined"
                proofs[node] = Proof(node, standing)
                continue
            others = {self._nodes[each]: trials[test] for each, test in proof.others.items()}
            verdict: Standing = "good" if board.status[index] == GOOD else "bad"
            proofs[node] = Proof(node, verdict, trials[proof.test], others)
        return proofs

    def _trial(self, id: int) -> Trial[NodeT]:
        planned, ended = self._planned[id], self._ended[id]
        nodes, seconds = tuple(self._own(planned.nodes)), ended.duration_us / 1e6
        return Trial(id, nodes, ended.verdict, ended.reason, seconds, planned.round)

    def _nothing_tested(self) -> str:
        made = f"none of {self.search.state.num_made} tests could be made"
        if self._error is None:
            return f"{made}: each was inconclusive"
        if isinstance(self._error, WrongAnswer):
            return f"{made}: {self._error}"
        return f"{made}; the first that raised: {place_of(self._error)}"

    def _own(self, indices: Iterable[int]) -> list[NodeT]:
        return [self._nodes[index] for index in indices]


def inventory_of(
    nodes: Sequence[NodeT], priors: Mapping[NodeT, float], exclude: Iterable[NodeT]
) -> Inventory:
    """The caller's nodes as an inventory.

    Raises:
        InputError: there are none, all are excluded, or one is given twice, cannot be hashed, or
            is not among them.
    """
    if not nodes:
        raise InputError("there are no nodes: want two or more")
    places = dict[NodeT, int]()
    for place, node in enumerate(nodes):
        if places.setdefault(_hashed(node), place) != place:
            raise InputError(f"node {node} is given twice: want each once")
    shut = list(exclude)
    for what, some in (("priors", priors), ("exclude", shut)):
        for node in some:
            if _hashed(node) not in places:
                raise InputError(f"{what} has {node}, which is not among the {len(nodes)} nodes")
    if len(set(shut)) == len(nodes):
        raise InputError(f"all {len(nodes)} nodes are excluded: leave two or more to be tested")
    return Inventory(
        nodes=tuple(Node(name=str(node), prior=float(priors.get(node, 1.0))) for node in nodes),
        excluded=frozenset(places[node] for node in shut),
    )


def _hashed(node: NodeT) -> NodeT:
    try:
        hash(node)
    except TypeError:
        raise InputError(f"a node is a {type(node).__name__}: want something hashable") from None
    return node
