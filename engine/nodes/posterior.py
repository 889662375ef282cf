"""How likely a node is bad, given every result: a posterior over a grid of rates.

The rate is not known, so it is a random variable: before the first test its logarithm is normal,
with a median of 2 % and a spread of 1.6. Results weigh each rate by how likely they were under it.
Who has to choose tests may hedge against a cluster of which a third is bad or more: a share of the
belief is put there, which costs little where few are bad and saves learning it the long way.
A node with prior w counts as w ordinary ones: it is good with probability (1-p)^w.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import BAD, GOOD, UNKNOWN

MEDIAN, SPREAD, POINTS = 0.02, 1.6, 90
KEPT_WEIGHTS = 4096
"""Sets weigh the same again and again; where priors are odd they need not, so few are kept."""

_LEAST = 5e-324


class Rate(NamedTuple):
    """What is thought of the rate: its mean, the 5th and the 95th percentile, and how many nodes
    are thought to be bad in all."""

    mean: float
    low: float
    high: float
    num_bad: float


class Posterior:
    """A weight for each rate of a grid.

    Args:
        priors: how much more suspicious each node is than an ordinary one.
        hedge: the share of the belief that is put on large rates before the first test.

    Attributes:
        grid: the rates, rising.
        log_grid: their logarithms.
        log_good: of each rate the logarithm of the probability that an ordinary node is good.
    """

    def __init__(self, priors: Sequence[float], hedge: float = 0.0) -> None:
        self._priors = priors
        self._is_plain = all(prior == 1 for prior in priors)
        low, high = math.log(1e-5), math.log(0.95)
        self.log_grid = [low + (high - low) * i / (POINTS - 1) for i in range(POINTS)]
        self.grid = [math.exp(each) for each in self.log_grid]
        self.log_good = [math.log1p(-p) for p in self.grid]
        usual = _shares(
            math.exp(-0.5 * ((each - math.log(MEDIAN)) / SPREAD) ** 2) for each in self.log_grid
        )
        many = _shares(p**3 * (1 - p) ** 2 for p in self.grid)
        self._log_prior = [
            math.log((1 - hedge) * one + hedge * other)
            for one, other in zip(usual, many, strict=True)
        ]
        self._log_any: dict[float, list[float]] = {}

    def weights(self, board: Board) -> list[float]:
        """How likely each rate of the grid is, given what is known; they add up to 1."""
        good, sets = self._known(board)
        logs = [
            log + good * log_good
            for log, log_good in zip(self._log_prior, self.log_good, strict=True)
        ]
        for weight, count in sets.items():
            any_bad = self.log_any(weight)
            logs = [log + count * each for log, each in zip(logs, any_bad, strict=True)]
        highest = max(logs)
        likely = [math.exp(each - highest) for each in logs]
        total = math.fsum(likely)
        return [each / total for each in likely]

    def rate(self, board: Board) -> Rate:
        """The posterior in four figures."""
        weights = self.weights(board)
        mean = math.fsum(w * p for w, p in zip(weights, self.grid, strict=True))
        open = Counter(
            prior
            for prior, known, closed in zip(self._priors, board.status, board.closed, strict=True)
            if known == UNKNOWN and not closed
        )
        more = math.fsum(n * (1 - (1 - mean) ** prior) for prior, n in open.items())
        low, high = self._at(weights, 0.05), self._at(weights, 0.95)
        return Rate(mean, low, high, board.ledger.num_bad + more)

    def weight_of(self, nodes: Iterable[int]) -> float:
        """What some nodes weigh together, in ordinary ones."""
        return math.fsum(self._priors[node] for node in nodes)

    def log_any(self, weight: float) -> list[float]:
        """Of each rate the logarithm of the probability that a set so heavy has a bad node."""
        known = self._log_any.get(weight)
        if known is None:
            if len(self._log_any) >= KEPT_WEIGHTS:
                self._log_any.clear()
            known = [math.log(-math.expm1(weight * each) or _LEAST) for each in self.log_good]
            self._log_any[weight] = known
        return known

    def _known(self, board: Board) -> tuple[float, Counter[float]]:
        """What the good nodes weigh together; and of the bad ones, and of the sets that have
        somebody bad, how many weigh so much."""
        ledger, priors = board.ledger, self._priors
        if self._is_plain:
            sets = Counter[float](ledger.clauses.sizes)
            sets[1] += ledger.num_bad
            return ledger.num_good, sets
        status = bytes(board.status)
        good = math.fsum(compress(priors, status.translate(_only(GOOD))))
        sets = Counter(compress(priors, status.translate(_only(BAD))))
        sets.update(map(self.weight_of, ledger.clauses.all()))
        return good, sets

    def _at(self, weights: list[float], share: float) -> float:
        total = 0.0
        for weight, p in zip(weights, self.grid, strict=True):
            total += weight
            if total >= share:
                return p
        return self.grid[-1]


def _shares(weights: Iterable[float]) -> list[float]:
    some = [*weights]
    total = math.fsum(some)
    return [each / total for each in some]


def _only(status: int) -> bytes:
    """A table by which that status becomes 1 and any other 0."""
    return bytes(each == status for each in range(256))
