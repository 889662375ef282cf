"""Every pair of nodes, in rounds in which no node is in two: the order in which to look for a first
good one.

Among 2^k nodes, round r has each i with i XOR r. After 2^j - 1 rounds all pairs inside blocks of
2^j have met; so of N nodes with g good ones a good pair meets within 2N / (g-1) rounds, though
nobody knows g. Any other number goes round a circle, N-1 rounds where it is even and N where it is
odd (one node then sits out). Either way the first round has neighbours: (0, 1), (2, 3), ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Pair = tuple[int, int]


def pair_rounds(nodes: Sequence[int]) -> Iterator[list[Pair]]:
    """The rounds, each a list of disjoint pairs; every pair of the nodes once in all."""
    count = len(nodes)
    places = _by_xor(count) if count & (count - 1) == 0 else _round_circle(count)
    for round in places:
        yield [(nodes[one], nodes[other]) for one, other in round]


def _by_xor(count: int) -> Iterator[list[Pair]]:
    for number in range(1, count):
        yield [(i, i ^ number) for i in range(count) if i < i ^ number]


def _round_circle(count: int) -> Iterator[list[Pair]]:
    """One stands still and the others go round it; an odd one out meets nobody."""
    even = count + count % 2
    on_circle = even - 1
    half = even // 2
    # Where each place of the circle sits in the row, so that the first round has neighbours.
    seat = [1] * even
    seat[on_circle] = 0
    for k in range(1, half):
        seat[k], seat[on_circle - k] = 2 * k, 2 * k + 1
    for turned in range(on_circle):
        met = [(seat[on_circle], seat[turned])]
        for k in range(1, half):
            met.append((seat[(turned + k) % on_circle], seat[(turned - k) % on_circle]))
        yield sorted((min(p), max(p)) for p in met if max(p) < count)
