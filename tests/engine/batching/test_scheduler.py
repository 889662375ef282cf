from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.batching.table import Letters, request

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.scheduler import Blockage, Scheduler
from batchtui.engine.batching.sequence import Entry, Sequence
from batchtui.engine.batching.stops import Automata


def scheduler(**options: int) -> Scheduler:
    return Scheduler(BatchingConfig(**options), Fcfs(), Automata(Letters(), mute=False))


def entry(index: int, num_blocks: int = 1) -> Entry:
    return Entry(request(f"r{index}", index=index), None, 0, 8, num_blocks)


def keys(rows: list[Sequence]) -> list[tuple[int, int, str]]:
    return [row.key for row in rows]


def test_every_free_slot_is_filled_lowest_first_and_its_generation_grows() -> None:
    slots = scheduler(max_num_seqs=2)
    for index in range(4):
        slots.queue.push(entry(index))
    first = slots.refill(0)
    assert keys(first) == [(0, 1, "r0"), (1, 1, "r1")]
    assert slots.refill(0) == []
    slots.release(first[1])
    slots.release(first[0])
    assert keys(slots.refill(5)) == [(0, 2, "r2"), (1, 2, "r3")]
    assert slots.max_resident == slots.num_resident == 2


def test_the_head_blocks_those_behind_it_even_if_they_would_fit() -> None:
    slots = scheduler(max_num_seqs=4, num_gpu_blocks=10)
    for index, blocks in enumerate((6, 5, 1)):
        slots.queue.push(entry(index, blocks))
    (first,) = slots.refill(0)
    assert slots.blockage() == Blockage("r1", 1, "kv", "r0", 5, 4)
    slots.release(first)
    assert [row.request_id for row in slots.refill(0)] == ["r1", "r2"]
    assert slots.blockage() is None


def test_a_full_slot_table_is_named_before_the_blocks() -> None:
    slots = scheduler(max_num_seqs=1, num_gpu_blocks=4)
    slots.queue.push(entry(0, 3))
    slots.queue.push(entry(1, 3))
    slots.refill(0)
    assert slots.blockage() == Blockage("r1", 1, "slots", "", 1, 0)


def test_the_blocker_is_whoever_holds_most_blocks() -> None:
    slots = scheduler(max_num_seqs=4, num_gpu_blocks=10)
    for index, blocks in enumerate((2, 5, 1, 9)):
        slots.queue.push(entry(index, blocks))
    slots.refill(0)
    assert slots.blockage() == Blockage("r3", 3, "kv", "r1", 9, 2)


def test_residency_is_of_the_sequence_not_of_its_slot() -> None:
    slots = scheduler(max_num_seqs=1)
    slots.queue.push(entry(0))
    slots.queue.push(entry(1))
    (first,) = slots.refill(0)
    slots.release(first)
    assert not slots.is_resident(first)
    (second,) = slots.refill(0)
    assert slots.is_resident(second)
    assert not slots.is_resident(first)


@given(
    sizes=st.lists(st.integers(1, 6), max_size=20),
    leaving=st.lists(st.integers(0, 9), max_size=20),
    num_slots=st.integers(1, 4),
)
def test_columns_slots_and_blocks_agree_whoever_comes_and_goes(
    sizes: list[int], leaving: list[int], num_slots: int
) -> None:
    slots = scheduler(max_num_seqs=num_slots, num_gpu_blocks=6)
    for index, blocks in enumerate(sizes):
        slots.queue.push(entry(index, blocks))
    for number in [*leaving, 0]:
        slots.refill(0)
        rows = [slot.resident for slot in slots.slots if slot.resident is not None]
        assert slots.batch.rows == rows
        assert slots.batch.keys == keys(rows)
        assert slots.batch.snapshot().slots == [row.slot for row in rows]
        assert slots.pool.num_used == sum(row.entry.num_blocks for row in rows)
        if rows:
            slots.release(rows[number % len(rows)])
