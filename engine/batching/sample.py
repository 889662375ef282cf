"""A sample of whole numbers that gives exact percentiles for eight bytes a value.

Values are kept in sorted chunks of an array, not as objects, because a run may have millions of
them and sorting those as a list would take ten times the memory for a moment. A percentile is found
by halving the range of values and counting, in each chunk, how many are not above.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

CHUNK = 1 << 16


class Sample:
    """Whole numbers of at most 63 bits, added one by one."""

    def __init__(self) -> None:
        self._chunks: list[array[int]] = []
        self._latest: list[int] = []
        self._total = 0

    def __len__(self) -> int:
        return CHUNK * len(self._chunks) + len(self._latest)

    def add(self, value: int) -> None:
        """Take a value in."""
        self._latest.append(value)
        self._total += value
        if len(self._latest) == CHUNK:
            self._chunks.append(array("q", sorted(self._latest)))
            self._latest.clear()

    def mean(self) -> float:
        """The mean of what has been added, which must be something."""
        return self._total / len(self)

    def nearest_rank(self, percent: int) -> int:
        """The value of rank ceil(percent / 100 * n), from 1, of n > 0 values in ascending order."""
        rank = -(-percent * len(self) // 100)
        chunks = [*self._chunks, array("q", sorted(self._latest))]
        least = min(chunk[0] for chunk in chunks if chunk)
        most = max(chunk[-1] for chunk in chunks if chunk)
        while least < most:
            middle = (least + most) // 2
            if sum(bisect_right(chunk, middle) for chunk in chunks) >= rank:
                most = middle
            else:
                least = middle + 1
        return least
