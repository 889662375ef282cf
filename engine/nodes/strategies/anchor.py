"""``anchor``: find one good node, then test every other one with it, one after the other.

The plain idea of most scripts, kept to compare with: a known good node can be in one test at a
time, so this is as serial as can be.
"""

from __future__ import annotations

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import GOOD
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.strategies.pair_hunt import PairHunt
from batchtui.engine.nodes.strategies.strategy import Estimate, Proposal


class Anchor:
    """One test at a time."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._hunt = PairHunt(board)
        self._next = 0  # every node before it is known, or given up

    def propose(self, room: int) -> list[Proposal]:
        """A pair, until one passes; then the next node, with the first good one."""
        board = self._board
        if room < 1 or board.num_running:
            return []
        anchor = board.status.find(GOOD)
        while anchor >= 0 and not board.is_free(anchor):
            anchor = board.status.find(GOOD, anchor + 1)
        if anchor < 0:
            return [Proposal(pair, "looking for a good node") for pair in self._hunt.next_pairs(1)]
        while self._next < board.num_nodes and not board.is_open(self._next):
            self._next += 1
        if self._next == board.num_nodes:
            return []
        pair = (min(anchor, self._next), max(anchor, self._next))
        return [Proposal(pair, "each with the good one")]

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> None:
        """Nothing that is not on the board."""

    def left(self) -> Estimate:
        """A test for each node that is open."""
        count = self._board.num_open
        return Estimate(count, count)
