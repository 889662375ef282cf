"""The waiting queue: an index over the policy's keys whose costs do not grow with its length.

Arrivals that come in the policy's own order (all of them, under ``fcfs``) go to the end of a
sorted run in constant time; only the others go through a heap. The head is the lesser of the two
fronts. Whoever leaves from the middle is marked and passed over later; when more are marked than
wait, the index is made anew, so that aborted requests cannot pile up.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from batchtui.engine.batching.policies import Candidate, Key, Policy


class Waiting(Candidate, Protocol):
    """What the queue holds: a candidate that knows whether it has left."""

    key_in_queue: Key | None


EntryT = TypeVar("EntryT", bound=Waiting)

_Item = tuple[Key, EntryT]


class Queue(Generic[EntryT]):
    """Entries in the order of ``policy.key``.

    An entry's ``key_in_queue`` is its key while it waits and None once it has left.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._run: deque[_Item[EntryT]] = deque()
        self._heap: list[_Item[EntryT]] = []
        self._num_live = 0

    def __len__(self) -> int:
        return self._num_live

    def push(self, entry: EntryT) -> None:
        """Add an entry at its place."""
        key = self.policy.key(entry)
        entry.key_in_queue = key
        self._num_live += 1
        if not self._run or key > self._run[-1][0]:
            self._run.append((key, entry))
        else:
            heapq.heappush(self._heap, (key, entry))

    def head(self) -> EntryT | None:
        """The entry that is next, or None."""
        run, heap = self._run, self._heap
        while run and run[0][1].key_in_queue is None:
            run.popleft()
        while heap and heap[0][1].key_in_queue is None:
            heapq.heappop(heap)
        if run and (not heap or run[0][0] < heap[0][0]):
            return run[0][1]
        return heap[0][1] if heap else None

    def remove(self, entry: EntryT) -> None:
        """Take an entry out, wherever it stands."""
        entry.key_in_queue = None
        self._num_live -= 1
        if len(self._run) + len(self._heap) > 2 * self._num_live + 64:
            self._rebuild()

    def first(self, count: int) -> list[EntryT]:
        """The first ``count`` entries in order, for a person to look at."""
        run: list[_Item[EntryT]] = []
        for item in self._run:
            if len(run) == count:
                break
            if item[1].key_in_queue is not None:
                run.append(item)
        heap = (item for item in self._heap if item[1].key_in_queue is not None)
        return [entry for _, entry in heapq.nsmallest(count, [*run, *heap])]

    def __iter__(self) -> Iterator[EntryT]:
        """All entries that wait, in no order."""
        for items in (self._run, self._heap):
            yield from (entry for _, entry in items if entry.key_in_queue is not None)

    def _rebuild(self) -> None:
        live = sorted((entry.key_in_queue, entry) for entry in self if entry.key_in_queue)
        self._run, self._heap = deque(live), []
