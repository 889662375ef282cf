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
from itertools import islice
from typing import Generic, Protocol, TypeVar

from batchtui.engine.batching.policies import Candidate, Key, Policy, name_of
from batchtui.engine.errors import PluginError


class Waiting(Candidate, Protocol):
    """What the queue holds: a candidate that knows whether it has left."""

    key_in_queue: Key | None


EntryT = TypeVar("EntryT", bound=Waiting)

# The serial keeps two equal keys, which a policy should not give, in the order of their coming.
_Item = tuple[Key, int, EntryT]


class Queue(Generic[EntryT]):
    """Entries in the order of ``policy.key``.

    An entry's ``key_in_queue`` is its key while it waits and None once it has left.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._run: deque[_Item[EntryT]] = deque()
        self._heap: list[_Item[EntryT]] = []
        self._num_live = 0
        self._serial = 0

    def __len__(self) -> int:
        return self._num_live

    def push(self, entry: EntryT) -> None:
        """Add an entry at its place.

        Raises:
            PluginError: the policy has no key for it.
        """
        key = _key(self.policy, entry)
        entry.key_in_queue = key
        self._num_live += 1
        self._serial += 1
        if not self._run or key > self._run[-1][0]:
            self._run.append((key, self._serial, entry))
        else:
            heapq.heappush(self._heap, (key, self._serial, entry))

    def head(self) -> EntryT | None:
        """The entry that is next, or None."""
        run, heap = self._run, self._heap
        while run and run[0][2].key_in_queue is None:
            run.popleft()
        while heap and heap[0][2].key_in_queue is None:
            heapq.heappop(heap)
        if run and (not heap or run[0] < heap[0]):
            return run[0][2]
        return heap[0][2] if heap else None

    def remove(self, entry: EntryT) -> None:
        """Take an entry out, wherever it stands."""
        entry.key_in_queue = None
        self._num_live -= 1
        if len(self._run) + len(self._heap) > 2 * self._num_live + 64:
            self._rebuild()

    def order_by(self, policy: Policy) -> None:
        """Put everybody who waits into the order of another policy.

        Raises:
            PluginError: the policy has no key for somebody; the order is as it was.
        """
        live = [item for item in (*self._run, *self._heap) if item[2].key_in_queue is not None]
        items = sorted((_key(policy, entry), serial, entry) for _, serial, entry in live)
        for key, _, entry in items:
            entry.key_in_queue = key
        self.policy, self._run, self._heap = policy, deque(items), []

    def first(self, count: int) -> list[EntryT]:
        """The first ``count`` entries in order, for a person to look at."""
        merged = heapq.merge(self._run, self._from_heap())
        live = (entry for _, _, entry in merged if entry.key_in_queue is not None)
        return list(islice(live, count))

    def __iter__(self) -> Iterator[EntryT]:
        """All entries that wait, in no order."""
        for items in (self._run, self._heap):
            yield from (entry for _, _, entry in items if entry.key_in_queue is not None)

    def _from_heap(self) -> Iterator[_Item[EntryT]]:
        """The heap's items in order, one by one: the next is among the children of those before."""
        heap = self._heap
        frontier = [(heap[0], 0)] if heap else []
        while frontier:
            item, place = heapq.heappop(frontier)
            yield item
            for child in (2 * place + 1, 2 * place + 2):
                if child < len(heap):
                    heapq.heappush(frontier, (heap[child], child))

    def _rebuild(self) -> None:
        items = (*self._run, *self._heap)
        self._run = deque(sorted(item for item in items if item[2].key_in_queue is not None))
        self._heap = []


def _key(policy: Policy, entry: Waiting) -> Key:
    try:
        key = policy.key(entry)
    except Exception as error:  # a policy may be foreign code
        kind = type(error).__name__
        raise PluginError(f"policy {name_of(policy)} has no key: {kind}") from error
    if not isinstance(key, tuple):
        raise PluginError(f"policy {name_of(policy)} has a key that is not a tuple")
    return key
