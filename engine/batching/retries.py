"""What to call after a call has failed: the whole once more, then halves, down to the one at fault.

A failed call is made again whole while every row of it has retries left. When one has not, the
batch is halved, and a half that fails is halved again, until a request fails alone: that one ends
with ``error``, and nobody else does. What a row has used up is counted from its last progress, so
a long request does not die of a model that stumbles now and then.
"""

from __future__ import annotations

from collections import deque
from typing import Literal

from batchtui.engine.batching.sequence import Sequence

Action = Literal["retry", "halve", "condemn"]


class Attempts:
    """The groups of rows that are still to be called in this step."""

    def __init__(self, max_retries: int) -> None:
        self.max_retries = max_retries
        self._groups: deque[list[Sequence]] = deque()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def next_group(self) -> list[Sequence]:
        """Take the group that is to be called now."""
        return self._groups.popleft()

    def failed(self, rows: list[Sequence], *, num_called: int, retryable: bool = True) -> Action:
        """Say what follows from a failed call, and queue the groups that it is made again in.

        ``rows`` are those of its ``num_called`` rows that are still there: the last of many may be
        innocent, since whoever was at fault may have been aborted meanwhile.
        """
        for row in rows:
            row.num_failures += 1
        if retryable and all(row.num_failures <= self.max_retries for row in rows):
            self._again(rows)
            return "retry"
        if num_called == 1:
            return "condemn"
        if len(rows) == 1:
            self._again(rows)
            return "retry"
        middle = len(rows) // 2
        self._again(rows[:middle], rows[middle:])
        return "halve"

    @staticmethod
    def succeeded(rows: list[Sequence]) -> None:
        """These rows have got on: what they used up is forgiven."""
        for row in rows:
            row.num_failures = 0

    def _again(self, *groups: list[Sequence]) -> None:
        for group in groups:
            for row in group:
                row.num_retries += 1
        self._groups.extendleft(reversed(groups))
