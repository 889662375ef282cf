"""The clauses that are left to answer for: "at least one of these is bad", the smallest only.

A clause that holds another says nothing that the smaller one does not, so its other members are no
longer suspects: whoever failed in a large set of which a part then failed too is as good as
untested.
"""

from __future__ import annotations

from collections.abc import Iterator


class Clauses:
    """Clauses by the test they come from; ``suspects`` counts for each node those it is in.

    ``changed`` collects nodes that have become suspects, or are none any more, until somebody
    ``take``s them.
    """

    def __init__(self) -> None:
        self.suspects: dict[int, int] = {}
        self._kept: dict[int, frozenset[int]] = {}
        self._of: dict[int, set[int]] = {}
        self._changed: set[int] = set()

    def put(self, test: int, nodes: set[int]) -> None:
        """A clause is so, from now on."""
        clause = frozenset(nodes)
        if self._kept.get(test) == clause:
            return
        self.drop(test)
        rarest = min(clause, key=lambda node: len(self._of.get(node, ())))
        for other in [*self._of.get(rarest, ())]:
            if clause < self._kept[other]:
                self.drop(other)
        if not self._is_implied(clause):
            self._keep(test, clause)

    def drop(self, test: int) -> None:
        """A clause is none any more."""
        for node in self._kept.pop(test, ()):
            self._of[node].discard(test)
            self.suspects[node] -= 1
            if not self.suspects[node]:
                del self.suspects[node]
                self._changed ^= {node}

    def all(self) -> Iterator[frozenset[int]]:
        """Every clause, in the order of their tests."""
        return iter([self._kept[test] for test in sorted(self._kept)])

    def of(self, node: int) -> Iterator[frozenset[int]]:
        """Those that a node is in."""
        return iter([self._kept[test] for test in sorted(self._of.get(node, ()))])

    def take(self) -> tuple[list[int], list[int]]:
        """Who has become a suspect, and who is none any more, since the last time."""
        changed, self._changed = sorted(self._changed), set()
        named = [node for node in changed if node in self.suspects]
        return named, [node for node in changed if node not in self.suspects]

    def _keep(self, test: int, clause: frozenset[int]) -> None:
        self._kept[test] = clause
        for node in clause:
            self._of.setdefault(node, set()).add(test)
            if node not in self.suspects:
                self.suspects[node] = 0
                self._changed ^= {node}
            self.suspects[node] += 1

    def _is_implied(self, clause: frozenset[int]) -> bool:
        return any(
            self._kept[other] <= clause for node in clause for other in self._of.get(node, ())
        )
