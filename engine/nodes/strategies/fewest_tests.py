"""``fewest-tests``: each test cuts where it passes as likely as not, and says about a bit.

Nested information gain in parallel, told neither how many are bad nor how likely. All nodes are
tested together first: a healthy cluster takes one test. Of a set that failed a part is tested; if
that fails too the rest is as good as untested and goes back to the free ones, if it passes the rest
is what failed. A single suspect is tested with a good node. Free ones are cut into pools, and the
less is known of the rate, the fewer are opened at once: what the first say sizes the next. The
variance of the logarithm of the rate falls as one over the bad nodes that were found, so the number
of pools grows as the search learns.

Sources: binary splitting (Hwang, 1972), nested tests (Sobel and Groll, 1959), and individual tests
where more than 38 % are bad (Ungar, 1960): there a pool of one passes nearest to half of the time.
"""

from __future__ import annotations

import math

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.posterior import Posterior
from batchtui.engine.nodes.probe import MIN_SIZE, Verdict
from batchtui.engine.nodes.strategies.chances import Chances
from batchtui.engine.nodes.strategies.contaminated import Doubtful, Standing
from batchtui.engine.nodes.strategies.draft import Draft, in_order, proposal, weights_of
from batchtui.engine.nodes.strategies.pair_hunt import PairHunt
from batchtui.engine.nodes.strategies.remainder import estimate, pools_at_once
from batchtui.engine.nodes.strategies.strategy import Estimate, Proposal

RAMP = 1.5
"""Pools that may run at once, for each unit of precision (one over the variance of the log rate).
With 2 a search takes a round or two fewer and half a percent more tests; with 0.5 it takes half as
many rounds again, and no fewer tests where few are bad."""

HEDGE = 0.2
"""The share of the belief that a third of the nodes or more is bad. Without it a search finds that
out the long way, by pools that are too large: 3 tests more of 267 where two fifths of 256 are bad.
Where one or two are, it takes half a test more."""

HEDGED_FROM = 200
"""Nodes from which on that is worth it: of fewer the half test is a larger part of so few."""

HOPELESS = 0.1
"""Where priors make a test of all this many times less likely to pass than among as many ordinary
nodes, it is left out."""


class FewestTests:
    """Halves what is likely, not what is there.

    Args:
        board: what is known.
        target: the chance to pass by which sets are cut. Where a failing test takes longer than a
            passing one, a higher one costs less time, and more tests.
        ramp: pools that may run at once, for each unit of precision.
    """

    def __init__(self, board: Board, target: float = 0.5, ramp: float = RAMP) -> None:
        self._board = board
        self._target, self._ramp = target, ramp
        self._posterior = Posterior(board.priors)
        self._hedged = Posterior(board.priors, HEDGE if board.num_nodes >= HEDGED_FROM else 0.0)
        self._doubtful = Doubtful()
        self._hunt: PairHunt | None = None
        self._pools: list[tuple[int, ...]] = []  # those that may still be in a test

    def propose(self, room: int) -> list[Proposal]:
        """All of them; then parts of contaminated sets, the smallest first, and pools; pairs where
        nobody is good and no set can be cut."""
        board = self._board
        if room < 1:
            return []
        if board.has_anchor:
            self._hunt = None
        elif self._hunt:
            return self._pairs(self._hunt, room)
        standing = Standing(board, self._doubtful)
        chances = self._chances(self._hedged)
        if self._is_untouched(standing, chances):
            return [proposal(standing.free, "all of them", board)]
        proposals = self._cuts(standing, chances, room)
        if proposals or standing.has_anchor or board.num_running:
            return proposals
        self._hunt = PairHunt(board, self._doubtful.all)
        return self._pairs(self._hunt, room)

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> None:
        """Remember what was inconclusive, which is not on the board."""
        if verdict == "inconclusive":
            self._doubtful.add(nodes)

    def left(self) -> Estimate:
        """What is not known yet, in bits, by what a test usually says."""
        board = self._board
        if self._hunt:
            left = self._hunt.num_left
            return Estimate(left, math.ceil(left / board.max_parallel))
        standing = Standing(board, self._doubtful, bytearray(board.num_nodes))
        sets = [weights_of(in_order(nodes, board), board) for nodes in standing.sets]
        free = weights_of(standing.free, board)
        return estimate(self._chances(self._posterior), sets, free, board.max_parallel, self._ramp)

    def _chances(self, posterior: Posterior) -> Chances:
        return Chances(posterior, self._board, self._target)

    def _is_untouched(self, standing: Standing, chances: Chances) -> bool:
        """Whether to test all of them: nothing has failed yet, and it is not in vain."""
        board, free = self._board, standing.free
        if board.num_running or len(free) < MIN_SIZE or standing.sets or board.ledger.num_bad:
            return False
        passes = chances.passes(self._posterior.weight_of(free))
        return passes >= HOPELESS * chances.passes(len(free))

    def _cuts(self, standing: Standing, chances: Chances, room: int) -> list[Proposal]:
        draft = Draft(self._board, standing, chances, room)
        draft.cut_sets()
        self._pools = [pool for pool in self._pools if self._may_run(pool)]
        most = pools_at_once(chances.spread, self._ramp)
        self._pools += draft.open_pools(most - len(self._pools))
        return draft.proposals

    def _may_run(self, pool: tuple[int, ...]) -> bool:
        return any(map(self._board.busy.__getitem__, pool))

    def _pairs(self, hunt: PairHunt, room: int) -> list[Proposal]:
        pairs = hunt.next_pairs(room)
        return [proposal(pair, "no pair has passed yet", self._board) for pair in pairs]
