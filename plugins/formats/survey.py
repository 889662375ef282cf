"""What a first pass over a file of requests finds out about all of them, in little memory."""

from __future__ import annotations

import heapq
from array import array
from itertools import pairwise

from batchtui.engine.batching.request import Request

CHUNK = 1 << 16


class Survey:
    """Counts requests, and notes what matters for reading them again.

    Ids are kept as hashes in sorted chunks, eight bytes each. Two ids of one hash count as
    repeated: whoever asks is on the safe side then.
    """

    def __init__(self) -> None:
        self.num_requests = 0
        self.first_us = 0
        self.in_order = True
        self.has_deadlines = False
        self._last_us = 0
        self._hashes: list[int] = []
        self._chunks: list[array[int]] = []

    def add(self, request: Request) -> None:
        """Take a request in, in the order of the file."""
        arrival_us = request.arrival_us
        self.first_us = min(self.first_us, arrival_us) if self.num_requests else arrival_us
        self.in_order = self.in_order and arrival_us >= self._last_us
        self._last_us = arrival_us
        self.num_requests += 1
        self.has_deadlines = self.has_deadlines or request.deadline_us is not None
        self._hashes.append(hash(request.request_id))
        if len(self._hashes) == CHUNK:
            self._close_chunk()

    def repeats_ids(self) -> bool:
        """Whether an id may occur twice."""
        self._close_chunk()
        return any(one == next_one for one, next_one in pairwise(heapq.merge(*self._chunks)))

    def _close_chunk(self) -> None:
        self._chunks.append(array("q", sorted(self._hashes)))
        self._hashes.clear()
