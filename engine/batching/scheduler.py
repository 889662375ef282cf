"""Who runs: the slots, the KV blocks, and the refill of every free slot from the queue.

A slot has an index, a generation that grows at every refill, and at most one resident. Admission
is strictly in the policy's order: when the head does not fit, nobody behind it is tried, and the
reason is kept as a ``Blockage`` so that a person can ask for it. A full slot table never preempts.

The number of slots may change: those that are too many are *retiring*, which take nobody in and go
when they are empty, from the last one on, so that an index never means another slot. A slot that
comes back goes on with the generation that it had.
"""

from __future__ import annotations

import heapq

import msgspec

from batchtui.engine.batching.batch import Batch
from batchtui.engine.batching.blocks import BlockPool
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.policies import Policy
from batchtui.engine.batching.queue import Queue
from batchtui.engine.batching.sequence import Entry, Sequence
from batchtui.engine.batching.stops import Automata


class Slot:
    """A place in the batch."""

    __slots__ = ("generation", "index", "resident")

    def __init__(self, index: int) -> None:
        self.index = index
        self.generation = 0
        self.resident: Sequence | None = None


class Blockage(msgspec.Struct, frozen=True):
    """Why the head of the queue does not run.

    ``rule`` is ``slots`` or ``kv``; ``blocker`` is the resident that holds most of the blocks that
    are short, "" for slots.
    """

    request_id: str
    index: int
    rule: str
    blocker: str
    needed: int
    available: int


class Scheduler:
    """Slots, blocks and queue, and the moves between them."""

    def __init__(self, config: BatchingConfig, policy: Policy, automata: Automata) -> None:
        self.queue: Queue[Entry] = Queue(policy)
        self.pool = BlockPool(config.num_gpu_blocks, config.block_size)
        self.slots = [Slot(index) for index in range(config.max_num_seqs)]
        self.max_resident = 0
        self._num_wanted = config.max_num_seqs
        self._free = list(range(config.max_num_seqs))
        self._given_up: list[int] = []  # generations of the slots beyond the last, nearest last
        self._automata = automata
        self.batch = Batch()

    @property
    def num_resident(self) -> int:
        """How many slots are taken."""
        return len(self.batch.rows)

    @property
    def free(self) -> list[int]:
        """The slots that may be taken, in order."""
        return sorted(self._free)

    @property
    def retiring(self) -> list[int]:
        """The slots that are too many and still there."""
        return list(range(self._num_wanted, len(self.slots)))

    def resize(self, num_slots: int) -> None:
        """Have another number of slots, at once or as soon as their residents have left."""
        self._num_wanted = num_slots
        for index in range(len(self.slots), num_slots):
            self.slots.append(Slot(index))
            if self._given_up:
                self.slots[index].generation = self._given_up.pop()
        self._give_up()
        # In order, so it is a heap.
        self._free = [slot.index for slot in self.slots[:num_slots] if slot.resident is None]

    def _give_up(self) -> None:
        while len(self.slots) > self._num_wanted and self.slots[-1].resident is None:
            self._given_up.append(self.slots.pop().generation)

    def refill(self, now: int) -> list[Sequence]:
        """Fill every free slot from the head of the queue, as far as the blocks go."""
        joined: list[Sequence] = []
        while self._free:
            entry = self.queue.head()
            if entry is None or not self.pool.fits(entry.num_blocks):
                break
            joined.append(self._admit(entry, now))
        if joined:
            self.max_resident = max(self.max_resident, self.num_resident)
        return joined

    def _admit(self, entry: Entry, now: int) -> Sequence:
        self.queue.remove(entry)
        self.pool.reserve(entry.num_blocks)
        slot = self.slots[heapq.heappop(self._free)]
        slot.generation += 1
        state = self._automata.start(entry.request.params)
        slot.resident = Sequence(entry, slot.index, slot.generation, state, now)
        self.batch.join(slot.resident)
        return slot.resident

    def release(self, sequence: Sequence) -> None:
        """Free the slot and the blocks of a resident."""
        self.slots[sequence.slot].resident = None
        if sequence.slot < self._num_wanted:
            heapq.heappush(self._free, sequence.slot)
        else:
            self._give_up()
        self.pool.release(sequence.entry.num_blocks)
        self.batch.leave(sequence)

    def is_resident(self, sequence: Sequence) -> bool:
        """Whether it still sits in its slot."""
        place = sequence.slot
        return place < len(self.slots) and self.slots[place].resident is sequence

    def blockage(self) -> Blockage | None:
        """Why the head of the queue waits, or None where nobody does."""
        head = self.queue.head()
        if head is None:
            return None
        request_id, index = head.request.request_id, head.index
        if not self._free:
            return Blockage(request_id, index, "slots", "", 1, 0)
        holder = max(self.batch.rows, key=lambda resident: resident.entry.num_blocks)
        available = self.pool.num_free or 0
        return Blockage(request_id, index, "kv", holder.request_id, head.num_blocks, available)
