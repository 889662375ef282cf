"""The tests that are about to run or do: who is in them, in which lane, and since when."""

from __future__ import annotations

import heapq
from dataclasses import dataclass


@dataclass(slots=True)
class Running:
    """One test. ``lane`` is -1 before it has begun; ``round`` counts from 1."""

    id: int
    nodes: tuple[int, ...]
    round: int
    attempt: int = 1
    lane: int = -1
    started_at: int = 0


class Lanes:
    """Numbers from 0, the lowest free one first: a test keeps its letter on the screen."""

    def __init__(self) -> None:
        self._free: list[int] = []
        self._num_used = 0

    def enter(self) -> int:
        """Take the lowest."""
        if self._free:
            return heapq.heappop(self._free)
        self._num_used += 1
        return self._num_used - 1

    def leave(self, lane: int) -> None:
        """Give one back."""
        heapq.heappush(self._free, lane)
