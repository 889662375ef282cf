"""How likely sets are to pass, given all results, and where to cut so that either answer is news.

A test says most where it passes as likely as not. How likely that is depends on the rate, which is
not known: the chance is the mean over the posterior, not that at its mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import PAIR
from batchtui.engine.nodes.posterior import Posterior

EVEN = 0.01
"""Around a rate of 0.382 a pair takes as many tests as its nodes alone do, where chances to pass of
one and of both add up to 1; within so much of it they are tested alone, and more is learnt of the
rate."""

NEGLIGIBLE = 1e-7
"""Rates less likely than this are left out."""


class Chances:
    """The chances on a board as it is now; sets are given by what they weigh.

    Args:
        posterior: of the rate.
        board: what is known.
        target: the chance to pass that is looked for.
    """

    def __init__(self, posterior: Posterior, board: Board, target: float = 0.5) -> None:
        self._target = target
        self._rates = [
            (weight, log_good, log_rate)
            for weight, log_good, log_rate in zip(
                posterior.weights(board), posterior.log_good, posterior.log_grid, strict=True
            )
            if weight > NEGLIGIBLE
        ]
        self._passes: dict[float, float] = {}
        self._cuts: dict[tuple[float, ...], int] = {}

    def passes(self, weight: float) -> float:
        """Of a set of nodes of which nothing is known."""
        if weight not in self._passes:
            self._passes[weight] = math.fsum(
                likely * math.exp(weight * log_good) for likely, log_good, _ in self._rates
            )
        return self._passes[weight]

    def part_passes(self, part: float, whole: float) -> float:
        """Of a part of a set that has somebody bad."""
        total = 0.0
        for likely, log_good, _ in self._rates:
            rest_has = -math.expm1((whole - part) * log_good)
            any_has = -math.expm1(whole * log_good)
            total += likely * math.exp(part * log_good) * rest_has / any_has
        return total

    @property
    def spread(self) -> float:
        """The variance of the logarithm of the rate."""
        mean = math.fsum(likely * log_rate for likely, _, log_rate in self._rates)
        return math.fsum(likely * (log_rate - mean) ** 2 for likely, _, log_rate in self._rates)

    def pool(self, sums: Sequence[float], begin: int, least: int) -> int:
        """How many nodes to test together; ``least`` or more.

        Args:
            sums: at each place what the nodes before it weigh; one more than there are nodes.
            begin: the place of the first.
            least: how many at least.
        """
        before, most = sums[begin], len(sums) - 1 - begin

        def chance(count: int) -> float:
            return self.passes(sums[begin + count] - before)

        count = self._cut(chance, least, most)
        is_even = count == PAIR and least == 1 and chance(1) + chance(2) < 2 * self._target + EVEN
        return 1 if is_even else count

    def part(self, weights: Sequence[float], least: int) -> int:
        """How many of a contaminated set, from the first on, to test; never all of them."""
        key = (len(weights), least, *(weights if min(weights) < max(weights) else weights[:1]))
        if key not in self._cuts:
            sums = list(accumulate(weights))
            self._cuts[key] = self._cut(
                lambda count: self.part_passes(sums[count - 1], sums[-1]), least, len(weights) - 1
            )
        return self._cuts[key]

    def _cut(self, chance: Callable[[int], float], low: int, high: int) -> int:
        """The count whose chance is nearest to the target; it falls as the count grows."""
        least = low
        while low < high:
            middle = (low + high) // 2
            if chance(middle) > self._target:
                low = middle + 1
            else:
                high = middle
        if low > least and chance(low - 1) - self._target < self._target - chance(low):
            return low - 1
        return low

    # What is left to be found out.

    def entropy(self, weight: float) -> float:
        """Of one node of which nothing is known, in bits."""
        return math.fsum(
            likely * _bits(math.exp(weight * log_good)) for likely, log_good, _ in self._rates
        )

    def entropy_of_set(self, weights: Sequence[float]) -> float:
        """Of all members of a contaminated set, in bits."""
        whole = math.fsum(weights)
        counts = {weight: weights.count(weight) for weight in {*weights}}
        total = 0.0
        for likely, log_good, _ in self._rates:
            alone = math.fsum(n * _bits(math.exp(w * log_good)) for w, n in counts.items())
            any_has = -math.expm1(whole * log_good)
            total += likely * max(0.0, alone - _bits(any_has)) / any_has
        return total


def _bits(chance: float) -> float:
    """The entropy of a thing that is so with this chance."""
    if not 0 < chance < 1:
        return 0.0
    return -(chance * math.log2(chance) + (1 - chance) * math.log2(1 - chance))
