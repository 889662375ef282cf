"""The clauses that are left to answer for: "at least one of these is bad", the smallest only.

A clause that holds another says nothing that the smaller one does not, so its other members are no
longer suspects: whoever failed in a large set of which a part then failed too is as good as
untested.

Clauses are found by their node and size, so what is compared with a new one is only what is larger
than it, or smaller: where every pair fails there are as many clauses as pairs, none of either kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

MANY = 1 << 62


class Clauses:
    """Clauses by the test they come from.

    Nodes that have become suspects, or are none any more, are collected until somebody ``take``s
    them.

    Attributes:
        suspects: of each node that is in any, in how many.
        sizes: how many clauses there are of each size.
    """

    def __init__(self) -> None:
        self.suspects: dict[int, int] = {}
        self.sizes = Counter[int]()
        self._kept: dict[int, frozenset[int]] = {}
        self._same: dict[frozenset[int], int] = {}  # the test of a clause
        self._of: dict[int, dict[int, set[int]]] = {}  # of a node, by size
        self._changed: set[int] = set()

    def put(self, test: int, nodes: set[int]) -> None:
        """A clause is so, from now on."""
        clause = frozenset(nodes)
        if self._kept.get(test) == clause:
            return
        self.drop(test)
        if not self._is_implied(clause):
            for other in self._larger(clause):
                self.drop(other)
            self._keep(test, clause)

    def drop(self, test: int) -> None:
        """A clause is none any more."""
        clause = self._kept.pop(test, None)
        if clause is None:
            return
        del self._same[clause]
        self.sizes[len(clause)] -= 1
        for node in clause:
            self._forget(node, len(clause), test)
            self.suspects[node] -= 1
            if not self.suspects[node]:
                del self.suspects[node]
                self._changed ^= {node}

    def all(self) -> Iterator[frozenset[int]]:
        """Every clause, in the order of their tests."""
        return iter([self._kept[test] for test in sorted(self._kept)])

    def of(self, node: int) -> Iterator[frozenset[int]]:
        """Those that a node is in."""
        tests = (test for tests in self._of.get(node, {}).values() for test in tests)
        return iter([self._kept[test] for test in sorted(tests)])

    def take(self) -> tuple[list[int], list[int]]:
        """Who has become a suspect, and who is none any more, since the last time."""
        changed, self._changed = sorted(self._changed), set()
        named = [node for node in changed if node in self.suspects]
        return named, [node for node in changed if node not in self.suspects]

    def _keep(self, test: int, clause: frozenset[int]) -> None:
        self._kept[test], self._same[clause] = clause, test
        self.sizes[len(clause)] += 1
        for node in clause:
            self._of.setdefault(node, {}).setdefault(len(clause), set()).add(test)
            if node not in self.suspects:
                self.suspects[node] = 0
                self._changed ^= {node}
            self.suspects[node] += 1

    def _forget(self, node: int, size: int, test: int) -> None:
        by_size = self._of[node]
        by_size[size].discard(test)
        if not by_size[size]:
            del by_size[size]

    def _is_implied(self, clause: frozenset[int]) -> bool:
        if clause in self._same:
            return True
        if not self._has_sizes(2, len(clause)):
            return False
        return any(
            self._kept[other] < clause
            for node in clause
            for size, tests in self._of.get(node, {}).items()
            if size < len(clause)
            for other in tests
        )

    def _larger(self, clause: frozenset[int]) -> list[int]:
        """The clauses that hold this one: each is among those of any of its nodes."""
        if not self._has_sizes(len(clause) + 1, MANY):
            return []
        rarest = min((self._above(node, len(clause)) for node in clause), key=_count)
        return [other for tests in rarest for other in tests if clause < self._kept[other]]

    def _has_sizes(self, least: int, below: int) -> bool:
        return any(least <= size < below for size, count in self.sizes.items() if count)

    def _above(self, node: int, size: int) -> list[set[int]]:
        return [tests for each, tests in self._of.get(node, {}).items() if each > size]


def _count(sets: list[set[int]]) -> int:
    return sum(map(len, sets))
