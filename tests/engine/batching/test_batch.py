from __future__ import annotations

from tests.engine.batching.table import EOS, Letters, request

from batchtui.engine.batching.batch import Batch
from batchtui.engine.batching.sequence import Entry, Sequence
from batchtui.engine.batching.stops import Automata

MUTE = Automata(Letters(), mute=True)


def row(slot: int, *, stop: str | None = None, stop_token_ids: tuple[int, ...] = ()) -> Sequence:
    asked = request(f"r{slot}", index=slot, stop=stop, stop_token_ids=stop_token_ids)
    return Sequence(Entry(asked, None, 0, 8, 1), slot, 1, MUTE.start(asked.params), 0)


def test_columns_are_in_the_order_of_the_slots_whoever_joins_first() -> None:
    batch = Batch()
    rows = {slot: row(slot) for slot in (2, 0, 1)}
    for each in rows.values():
        batch.join(each)
    assert batch.slots == [0, 1, 2]
    assert batch.keys == [rows[slot].key for slot in range(3)]
    batch.leave(rows[1])
    assert batch.rows == [rows[0], rows[2]]


def test_a_snapshot_outlives_what_happens_to_the_batch() -> None:
    batch, one, other = Batch(), row(0), row(1)
    batch.join(one)
    snapshot, version = batch.snapshot(), batch.version
    assert batch.snapshot() is snapshot
    batch.join(other)
    batch.leave(one)
    assert (snapshot.rows, snapshot.slots, snapshot.keys) == ([one], [0], [(0, 1, "r0")])
    assert batch.version == version + 2


def test_a_sequence_gets_its_state_back_when_it_leaves() -> None:
    batch, one = Batch(), row(0, stop="xyz")
    batch.join(one)
    batch.states[0] = after = batch.states[0][24][0]
    batch.leave(one)
    assert one.state is after
    assert one.state.held == "x"


def test_it_knows_who_speaks_and_which_tokens_may_end_the_others() -> None:
    batch = Batch()
    mute, also_mute, speaks = row(0), row(1, stop_token_ids=(7,)), row(2, stop="x")
    for each in (mute, also_mute, speaks):
        batch.join(each)
    assert (batch.num_speaking, batch.enders) == (1, frozenset({EOS, 7}))
    batch.leave(speaks)
    batch.leave(also_mute)
    assert (batch.num_speaking, batch.enders) == (0, frozenset({EOS}))
    batch.leave(mute)
    assert batch.enders == frozenset()
