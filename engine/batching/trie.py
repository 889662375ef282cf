"""A trie of stop strings with failure links: Aho-Corasick over bytes (Aho and Corasick, 1975).

A node stands for the longest suffix of what was read that is a prefix of some stop; node 0 for
none.
"""

from __future__ import annotations

from collections import deque


class Trie:
    """The stops of one set. ``match`` has, for each node, the longest stop that ends there."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self.match: list[str | None] = [None]
        self._children: list[dict[int, int]] = [{}]
        self._fail: list[int] = [0]
        # A node is a depth in the first stop that led there: paths themselves would be quadratic.
        self._source: list[bytes] = [b""]
        self._depth: list[int] = [0]
        for stop in stops:
            self._add(stop)
        self._link()

    def step(self, node: int, byte: int) -> int:
        """The node after one more byte."""
        while node and byte not in self._children[node]:
            node = self._fail[node]
        return self._children[node].get(byte, 0)

    def proper(self, node: int) -> int:
        """The longest suffix that is a *proper* prefix of some stop: nobody holds a whole stop."""
        while node and not self._children[node]:
            node = self._fail[node]
        return node

    def path(self, node: int) -> bytes:
        """The bytes that lead to a node."""
        return self._source[node][: self._depth[node]]

    def _add(self, stop: str) -> None:
        node, data = 0, stop.encode()
        for depth, byte in enumerate(data, 1):
            child = self._children[node].get(byte)
            if child is None:
                child = self._children[node][byte] = len(self._children)
                self._children.append({})
                self._fail.append(0)
                self.match.append(None)
                self._source.append(data)
                self._depth.append(depth)
            node = child
        self.match[node] = self.match[node] or stop

    def _link(self) -> None:
        """Set failure links and longest matches, breadth first: both look at shallower nodes."""
        queue = deque(self._children[0].values())
        while queue:
            node = queue.popleft()
            self.match[node] = self.match[node] or self.match[self._fail[node]]
            for byte, child in self._children[node].items():
                self._fail[child] = self.step(self._fail[node], byte)
                queue.append(child)
