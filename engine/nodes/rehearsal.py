"""The rehearsal: a search from a board on, in a world where it is known who is bad."""

from __future__ import annotations

import msgspec

from batchtui.engine.machine import Input, Replied, Work
from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.ledger import BAD, GOOD
from batchtui.engine.nodes.probe import ProbeResult, Verdict
from batchtui.engine.nodes.search import Search
from batchtui.engine.nodes.state import SearchState
from batchtui.engine.nodes.strategies.strategy import MakeStrategy, Strategy
from batchtui.engine.nodes.worlds import World
from batchtui.engine.simulate import Performer, Simulation, TimedFeed


class Begun:
    """What is known when it begins, as the fewest results that say the same.

    Of any results there remain the good nodes, the bad ones, and the clauses; so a failing set of
    each bad node with a good one, and one of each clause, say all there is to know. Tests that run
    at this moment are left out, and their nodes are free: what they will show is not known yet.
    """

    def __init__(self, board: Board) -> None:
        ledger = board.ledger
        good = tuple(ledger.nodes_of(GOOD))
        self._results: list[tuple[tuple[int, ...], Verdict]] = [(good, "pass")] if good else []
        self._results += [((node, *good[:1]), "fail") for node in ledger.nodes_of(BAD)]
        self._results += [(clause, "fail") for clause in ledger.unanswered()]
        self._closed = bytes(board.closed)
        self._max_parallel = board.max_parallel

    def tell(self, board: Board) -> None:
        """Bring a new board to the same knowledge; the tests get numbers below 0."""
        board.closed[:] = self._closed
        board.max_parallel = self._max_parallel
        for number, (nodes, verdict) in enumerate(self._results, -len(self._results)):
            board.ledger.add(number, nodes, verdict)
        board.ledger.clauses.take()


def rehearse(config: NodesConfig, begun: Begun, make: MakeStrategy, world: World) -> SearchState:
    """Search on to the end, with a probe that never errs. No time budget breaks it off: how long it
    would take is what is asked."""

    def told(board: Board) -> Strategy:
        if not board.ledger.tests:
            begun.tell(board)
        return make(board)

    unhurried = msgspec.structs.replace(config, time_budget_us=None)
    search = Search(unhurried, lambda name: told, observed=False)
    for _ in Simulation(search, _probe(config, world), TimedFeed([])):
        pass
    return search.state


def _probe(config: NodesConfig, world: World) -> Performer:
    passed = config.pass_us, ProbeResult(verdict="pass")
    failed = (
        min(config.fail_us or config.timeout_us, config.timeout_us),
        ProbeResult(verdict="fail"),
    )

    def perform(work: Work) -> list[tuple[int, Input]]:
        takes, result = passed if world.isdisjoint(work.spec.nodes) else failed
        return [(takes, Replied(work=work.id, body=result))]

    return perform
