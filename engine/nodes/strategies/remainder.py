"""What a search by halving has still before it, in tests and in rounds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from batchtui.engine.nodes.strategies.chances import Chances
from batchtui.engine.nodes.strategies.strategy import Estimate

BITS_A_TEST = 0.95
"""What a test has been found to say on average."""

MANY = 1 << 20


def pools_at_once(spread: float, ramp: float) -> int:
    """How many pools may run at once: the better the rate is known, the more.

    Args:
        spread: the variance of the logarithm of the rate.
        ramp: pools for each unit of precision.
    """
    return min(MANY, math.ceil(ramp / max(spread, 1e-9)))


def estimate(
    chances: Chances,
    sets: Sequence[Sequence[float]],
    free: Sequence[float],
    lanes: int,
    ramp: float,
) -> Estimate:
    """What is to come: the bits that are left by what a test says.

    Args:
        chances: on the board.
        sets: the weights of each contaminated set.
        free: the weights of the nodes of which nothing is known.
        lanes: tests that may run at once.
        ramp: pools for each unit of precision.
    """
    bits = math.fsum(n * chances.entropy(weight) for weight, n in Counter(free).items())
    alike = Counter(map(tuple, sets))
    bits += math.fsum(n * chances.entropy_of_set(weights) for weights, n in alike.items())
    tests = max(bits / BITS_A_TEST, len(sets) + (len(free) > 0))
    return Estimate(tests, max(_depth(chances, sets, free, ramp), tests / lanes))


def _depth(
    chances: Chances, sets: Sequence[Sequence[float]], free: Sequence[float], ramp: float
) -> float:
    """Rounds with lanes enough: halving the largest set; opening all pools, more at each time, and
    halving one of the last."""
    halving = max((1 + math.log2(len(weights)) for weights in sets), default=0.0)
    if not free:
        return halving
    size = -1 / math.log2(min(max(chances.passes(math.fsum(free) / len(free)), 1e-9), 1 - 1e-9))
    size = min(max(size, 1.0), float(len(free)))
    waves = math.log2(1 + len(free) / size / pools_at_once(chances.spread, ramp))
    return halving + waves + 1 + math.log2(size)
