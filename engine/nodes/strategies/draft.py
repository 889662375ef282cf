"""The tests of one moment: what is cut from contaminated sets and from the free nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.probe import MIN_SIZE
from batchtui.engine.nodes.strategies.chances import Chances
from batchtui.engine.nodes.strategies.contaminated import Standing
from batchtui.engine.nodes.strategies.strategy import Proposal

SAFE = 0.7
"""A pool more likely to pass than this says little: what is left of the free nodes waits for others
to become free, while anything runs that could set them free. Without this a search whose tests end
one by one takes 20 % more of them."""


AT_FIRST = 2
"""Pools and parts at once while nobody is known to be good: those that fail can hardly be cut, and
all they tell is the rate."""


class Draft:
    """Tests that share no node; each single suspect takes a good node, while there are any.

    Args:
        board: what is known.
        standing: what that comes to.
        chances: of sets to pass.
        room: how many tests there may be.

    Attributes:
        proposals: the tests so far.
    """

    def __init__(self, board: Board, standing: Standing, chances: Chances, room: int) -> None:
        self.proposals: list[Proposal] = []
        self._board, self._standing, self._chances = board, standing, chances
        self._room = room
        self._anchors = standing.anchors()
        self._least = 1 if standing.has_anchor else MIN_SIZE

    def cut_sets(self) -> None:
        """A part of each contaminated set, the smallest first."""
        for nodes in self._standing.sets:
            members = in_order(nodes, self._board)
            # Where nobody is good, two that failed together cannot be told apart.
            if len(members) == 1 == self._least or len(members) > self._least:
                size = self._part(members)
                self._add(members[:size], f"part of {len(nodes)} that failed")

    def open_pools(self, most: int) -> list[tuple[int, ...]]:
        """Pools of the free nodes, so many at the most; returns them."""
        free = in_order(self._standing.free, self._board)
        sums, begin = [0.0, *accumulate(weights_of(free, self._board))], 0
        is_pending = bool(self.proposals or self._board.num_running)
        pools: list[tuple[int, ...]] = []
        if not self._standing.has_anchor:
            most = min(most, AT_FIRST - self._board.num_running - len(self.proposals))
        while len(pools) < most and len(free) - begin >= self._least:
            size = self._chances.pool(sums, begin, self._least)
            passes = self._chances.passes(sums[begin + size] - sums[begin])
            if (is_pending or pools) and passes > SAFE:
                break
            if not self._add(free[begin : begin + size], "a pool of the free"):
                break
            pools.append(self.proposals[-1].nodes)
            begin += size
        return pools

    def _part(self, members: Sequence[int]) -> int:
        if len(members) == 1:
            return 1
        return self._chances.part(weights_of(members, self._board), self._least)

    def _add(self, nodes: Sequence[int], why: str) -> bool:
        """Add a test, if there is room, and a good node for one that would be alone."""
        if len(self.proposals) >= self._room:
            return False
        if len(nodes) < MIN_SIZE:
            anchor = next(self._anchors, None)
            if anchor is None:
                return False
            nodes, why = (*nodes, anchor), "with a good node"
        self.proposals.append(proposal(nodes, why, self._board))
        return True


def proposal(nodes: Iterable[int], why: str, board: Board) -> Proposal:
    """A test whose set follows from everything that was found out so far: it is of a round after
    all that have ended."""
    return Proposal(tuple(sorted(nodes)), why, board.rounds)


def in_order(nodes: Iterable[int], board: Board) -> list[int]:
    """Those alike in suspicion together, the least suspicious first: they make the good nodes."""
    priors = board.priors
    return sorted(nodes, key=lambda node: (priors[node], node))


def weights_of(nodes: Iterable[int], board: Board) -> list[float]:
    """What each weighs, in ordinary nodes."""
    return [board.priors[node] for node in nodes]
