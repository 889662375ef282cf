"""How few tests and rounds there could be.

Two kinds of figures are in here. Each bad node needs a failing test of its own, and somebody must
pass (the certificate): no run whatever takes fewer than d + 1 tests. And C(N,d) sets have to be
told apart by answers of two kinds (the information bound): no search takes fewer than log2 C(N,d)
tests on the average over them, so none stays below it for every choice of the bad nodes; but a run
that guesses well does. ``least_tests`` is the larger one, and so a bound of the second kind.

For a search that is told neither how many are bad nor how likely that is, log2 C(N,d) cannot be
reached for every d at once (Kraft's inequality): ``unknown_d`` adds the logarithm of a distribution
over d, here 1 / ((d+1) H(N+1)). Rounds follow, since a node is in one test a round.
"""

from __future__ import annotations

import math


def log2_choose(count: int, some: int) -> float:
    """log2 of the number of ways to choose some of so many."""
    if not 0 <= some <= count:
        return 0.0
    ways = math.lgamma(count + 1) - math.lgamma(some + 1) - math.lgamma(count - some + 1)
    return max(0.0, ways / math.log(2))


def unknown_d(count: int, num_bad: int) -> float:
    """The reference of a search that is not told how many are bad, in tests (LBu)."""
    harmonic = math.fsum(1 / k for k in range(1, count + 2))
    return log2_choose(count, num_bad) + math.log2((num_bad + 1) * harmonic)


def least_tests(count: int, num_bad: int) -> int:
    """Tests below which no search stays for every choice of the bad nodes, even if it is told how
    many they are. A lucky run may stay below, though not below ``num_bad + 1``.

    Where at most one node is good nothing can be told, and to know that takes every pair, always.
    """
    if count < 2:
        return 0
    if count - num_bad < 2:
        return math.comb(count, 2)
    # The logarithm of a power of two may come out a hair above it.
    return max(math.ceil(log2_choose(count, num_bad) - 1e-9), num_bad + 1)


def least_rounds(count: int, num_bad: int) -> int:
    """Rounds of disjoint tests below which no search stays for every choice of the bad nodes; a
    lucky run may, though not below one more than ``num_bad`` by the good ones."""
    num_good = count - num_bad
    if count < 2:
        return 0
    if num_good < 2:
        return count - 1 if count % 2 == 0 else count
    # Each certificate of a bad node takes one good node for a round, after one in which it passed.
    by_room = math.ceil(least_tests(count, num_bad) / (count // 2))
    return max(by_room, 1 + math.ceil(num_bad / num_good), 1)
