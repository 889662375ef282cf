"""Every pair of nodes, in rounds in which no node is in two: the order in which to look for a first
good one. The first round has neighbours: (0, 1), (2, 3), ...; an odd last one sits out.

Among 2^k nodes, round r has each i with i XOR r. After 2^j - 1 rounds all pairs inside blocks of
2^j have met; so of N nodes with g good ones a good pair meets within 2N / (g-1) rounds, though
nobody knows g.

Any other number goes round a circle, N-1 rounds where it is even and N where it is odd. That has no
such bound: good ones that sit at one distance all meet in one late round. So the neighbours come to
the circle in a random order. Then whoever is good, if no two were neighbours, each later round has
at least g(g-1) / 2(N-1) good pairs on average: all pairs of nodes that are no neighbours are alike,
and each round has its share of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

Pair = tuple[int, int]


def pair_rounds(nodes: Sequence[int], seed: int = 0) -> Iterator[list[Pair]]:
    """The rounds, each a list of disjoint pairs; every pair of the nodes once in all. The same for
    the same seed."""
    count = len(nodes)
    is_block = count & (count - 1) == 0
    places = _by_xor(count) if is_block else _round_circle(count, Random(seed))
    for round in places:
        yield [(nodes[one], nodes[other]) for one, other in round]


def _by_xor(count: int) -> Iterator[list[Pair]]:
    for number in range(1, count):
        yield [(i, i ^ number) for i in range(count) if i < i ^ number]


def _round_circle(count: int, rng: Random) -> Iterator[list[Pair]]:
    """One stands still and the others go round it; an odd one out meets nobody."""
    on_circle = count + count % 2 - 1
    half = (on_circle + 1) // 2
    seat = _seated(half, rng)
    for turned in range(on_circle):
        met = [(seat[on_circle], seat[turned])]
        for k in range(1, half):
            met.append((seat[(turned + k) % on_circle], seat[(turned - k) % on_circle]))
        yield sorted((min(p), max(p)) for p in met if max(p) < count)


def _seated(half: int, rng: Random) -> list[int]:
    """Where each place of the circle sits in the row, the one in the middle last: neighbours face
    each other, so that they meet in the first round."""
    pairs = [rng.sample((2 * k, 2 * k + 1), 2) for k in range(half)]
    rng.shuffle(pairs)
    (first, middle), *others = pairs
    return [first, *(one for one, _ in others), *(other for _, other in reversed(others)), middle]
