"""How large the pools of each stage are: the plan that is expected to be over soonest.

A stage cuts its sets into parts of k nodes. With f(k) the probability that k nodes have a bad one
among them, a set of m nodes that failed is cut into m/k parts, of which (m/k) f(k)/f(m) fail; n
untested nodes are n/k parts, and f is 1 for what they come from. A stage takes as long as its
longest test, or as the lanes need for all of its tests, whichever is longer. So the least time from
a size downwards follows from that of the smaller sizes: the plan is a shortest path.

A test that fails takes r times as long as one that passes. Then a test tells most in its time if
it passes with the probability x that solves x + x^r = 1 (the capacity of a channel whose two
symbols take times 1 and r: 2^-C + 2^-rC = 1); so no first pool passes more seldom than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

MAX_STAGES = 4
"""More would take fewer tests and longer: a stage waits for the one before it."""

GROWTH = 1.25
THRIFT = 0.15
"""What a test counts where there are lanes enough for it: it still takes nodes."""


class Plan(NamedTuple):
    """The next size, with the time (in passing tests), the tests and the stages that follow."""

    size: int
    time: float
    tests: float
    stages: int


DONE = Plan(1, 0.0, 0.0, 0)


@cache
def best_pass(ratio: float) -> float:
    """The probability x of passing at which a test tells most in its time: x + x^ratio = 1."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if middle + middle**ratio < 1 else (low, middle)
    return low


@lru_cache(maxsize=8)
def sizes_to(count: int) -> tuple[int, ...]:
    """Sizes from 1 to so many, each about a quarter larger than the one before."""
    sizes = [1]
    while sizes[-1] < count:
        sizes.append(min(count, max(sizes[-1] + 1, round(sizes[-1] * GROWTH))))
    return tuple(sizes)


class Stages:
    """Plans for one state of knowledge.

    Args:
        rates: the rates at which a node may be bad.
        weights: how likely each is.
        lanes: tests that can run at once.
        ratio: how many times longer a failing test takes than a passing one.
    """

    def __init__(
        self, rates: Sequence[float], weights: Sequence[float], lanes: int, ratio: float
    ) -> None:
        self._likely = [(1 - p, w) for p, w in zip(rates, weights, strict=True) if w > 1e-6]
        self._scale = sum(weight for _, weight in self._likely)
        self._lanes = lanes
        self._ratio = ratio
        self._fail: dict[float, float] = {}

    def fail(self, size: float) -> float:
        """The probability that so many nodes have a bad one among them."""
        if size not in self._fail:
            passes = sum(weight * good**size for good, weight in self._likely) / self._scale
            self._fail[size] = max(1e-12, 1 - passes)
        return self._fail[size]

    def pools(self, count: float) -> Plan:
        """How to go about so many untested nodes."""
        any_bad = self.fail(count)
        enough = best_pass(self._ratio)
        sizes = [k for k in sizes_to(int(count)) if k <= 2 or 1 - self.fail(k) >= enough]
        plans = self._down(sizes, count, self._ratio * any_bad, MAX_STAGES - 1)
        return self._best(sizes, plans, 1.0, count, 1 + (self._ratio - 1) * any_bad)

    def parts(self, size: float, count: float, stages: int) -> Plan:
        """How to cut sets of that size which failed, ``count`` nodes in all of them; ``stages``
        at the most."""
        sizes = [k for k in sizes_to(int(size)) if k <= size / 2]
        failed = self.fail(size)
        if stages < 2 or len(sizes) < 2:
            return self._step(failed, 1, DONE, count / failed, self._ratio)
        plans = self._down(sizes, count / failed, self._ratio, stages - 1)
        return self._best(sizes, plans, failed, count / failed, self._ratio)

    def _down(self, sizes: Sequence[int], count: float, longest: float, stages: int) -> list[Plan]:
        """Of each size, how sets of it that fail are cut from there on."""
        plans = [DONE] + [
            self._step(self.fail(size), 1, DONE, count, longest) for size in sizes[1:]
        ]
        for _ in range(stages - 1):
            plans = [DONE] + [
                self._best(sizes[:i], plans, self.fail(sizes[i]), count, longest)
                for i in range(1, len(sizes))
            ]
        return plans

    def _best(
        self,
        sizes: Sequence[int],
        plans: Sequence[Plan],
        failed: float,
        count: float,
        longest: float,
    ) -> Plan:
        steps = [
            self._step(failed, size, plan, count, longest)
            for size, plan in zip(sizes, plans, strict=False)
        ]
        return min(steps, key=lambda plan: plan.time)

    def _step(self, failed: float, size: int, then: Plan, count: float, longest: float) -> Plan:
        """A stage of parts of this size, out of sets that had failed with this probability."""
        tests = count * failed / size
        work = count * (failed + (self._ratio - 1) * self.fail(size)) / size
        time = max(longest, work / self._lanes) + THRIFT * work / self._lanes
        return Plan(size, time + then.time, tests + then.tests, 1 + then.stages)
