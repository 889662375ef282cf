"""How likely a node is bad, given every result: a posterior over a grid of rates.

The rate is not known, so it is a random variable: before the first test its logarithm is normal,
with a median of 2 % and a spread of 1.6. Results weigh each rate by how likely they were under it.
A node with prior w counts as w ordinary ones: it is good with probability (1-p)^w.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import BAD, GOOD

MEDIAN, SPREAD, POINTS = 0.02, 1.6, 90


class Rate(NamedTuple):
    """What is thought of the rate: its mean, the 5th and the 95th percentile, and how many nodes
    are thought to be bad in all."""

    mean: float
    low: float
    high: float
    num_bad: float


class Posterior:
    """A weight for each rate of a grid."""

    def __init__(self, priors: Sequence[float]) -> None:
        self._priors = priors
        low, high = math.log(1e-5), math.log(0.95)
        self.grid = [math.exp(low + (high - low) * i / (POINTS - 1)) for i in range(POINTS)]
        self._log_prior = [
            -0.5 * ((math.log(p) - math.log(MEDIAN)) / SPREAD) ** 2 for p in self.grid
        ]

    def weights(self, board: Board) -> list[float]:
        """How likely each rate of the grid is, given what is known; they add up to 1."""
        good, bad = 0.0, Counter[float]()
        for status, prior in zip(board.status, self._priors, strict=True):
            if status == GOOD:
                good += prior
            elif status == BAD:
                bad[prior] += 1
        sets = bad + Counter(
            sum(self._priors[node] for node in clause) for clause in board.ledger.clauses.all()
        )
        logs = [
            log + good * math.log1p(-p) + sum(n * _log_any(p, w) for w, n in sets.items())
            for p, log in zip(self.grid, self._log_prior, strict=True)
        ]
        highest = max(logs)
        likely = [math.exp(each - highest) for each in logs]
        total = math.fsum(likely)
        return [each / total for each in likely]

    def rate(self, board: Board) -> Rate:
        """The posterior in four figures."""
        weights = self.weights(board)
        mean = math.fsum(w * p for w, p in zip(weights, self.grid, strict=True))
        open = [self._priors[n] for n in range(board.num_nodes) if board.is_open(n)]
        more = math.fsum(1 - (1 - mean) ** prior for prior in open)
        low, high = self._at(weights, 0.05), self._at(weights, 0.95)
        return Rate(mean, low, high, board.ledger.num_bad + more)

    def _at(self, weights: list[float], share: float) -> float:
        total = 0.0
        for weight, p in zip(weights, self.grid, strict=True):
            total += weight
            if total >= share:
                return p
        return self.grid[-1]


def _log_any(p: float, weight: float) -> float:
    """The logarithm of the probability that a set of this weight has a bad node."""
    return math.log(-math.expm1(weight * math.log1p(-p)))
