"""``plan``: somebody else's rounds of sets, run as they are. A round begins when the one before it
is over."""

from __future__ import annotations

from collections import deque

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.strategies.strategy import Estimate, Proposal

PLAN = "plan"


class PlannedRounds:
    """Proposes the sets of the config's plan, in order, one round at a time."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._rounds = deque(deque(sets) for sets in board.config.plan)
        self._number = 0  # of rounds that are over

    def propose(self, room: int) -> list[Proposal]:
        """What is left of this round; the next one once nothing of this one runs."""
        proposals = self._next(room)
        while not proposals and self._rounds and room > 0 and not self._board.num_running:
            self._rounds.popleft()
            self._number += 1
            proposals = self._next(room)
        return proposals

    def _next(self, room: int) -> list[Proposal]:
        """Sets of this round, but for those with a node that was excluded or given up since."""
        shut = {node for node, closed in enumerate(self._board.closed) if closed}
        proposals = list[Proposal]()
        while self._rounds and self._rounds[0] and len(proposals) < room:
            nodes = self._rounds[0].popleft()
            if shut.isdisjoint(nodes):
                proposals.append(Proposal(nodes, "as planned", after=self._number))
        return proposals

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> None:
        """Nothing that changes a plan."""

    def left(self) -> Estimate:
        """All that has not been proposed."""
        return Estimate(sum(map(len, self._rounds)), sum(map(bool, self._rounds)))
