"""Whoever breaks the decoder must be caught at the next check."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.engine.batching.table import Table, request, table

from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.batching.scheduler import Slot
from batchtui.engine.batching.sequence import Entry, Sequence
from batchtui.engine.batching.state import RequestState
from batchtui.engine.errors import InvariantError


def running() -> Table:
    desk = table(max_num_seqs=3)
    for index, name in enumerate("abcd"):
        desk.submit(name, index=index, stop="en")
    desk.reply(desk.call(), {"a": "x", "b": "xy", "c": "e"})
    return desk


def row(desk: Table) -> Sequence:
    return desk.decoder.scheduler.batch.rows[1]


def lose_a_token(desk: Table) -> None:
    row(desk).token_ids.pop()


def count_a_token_twice(desk: Table) -> None:
    desk.decoder.counters.returned += 1


def lose_text(desk: Table) -> None:
    row(desk).deltas[0] = "z"


def send_an_empty_delta(desk: Table) -> None:
    row(desk).deltas.append("")


def leak_a_block(desk: Table) -> None:
    desk.decoder.scheduler.pool.num_used += 1


def put_a_row_out_of_its_slot(desk: Table) -> None:
    desk.decoder.scheduler.slots[1].resident = None


def swap_the_columns(desk: Table) -> None:
    desk.decoder.scheduler.batch.token_ids.reverse()


def swap_the_keys(desk: Table) -> None:
    desk.decoder.scheduler.batch.keys.reverse()


def jump_a_generation(desk: Table) -> None:
    desk.decoder.scheduler.slots[0].generation += 2


def move_a_slot(desk: Table) -> None:
    desk.decoder.scheduler.slots.reverse()


def forget_a_request(desk: Table) -> None:
    del desk.decoder.intake.living["d"]


def wait_without_being_alive(desk: Table) -> None:
    ghost = request("ghost", index=99, max_tokens=1)
    assert isinstance(ghost.params, SamplingParams)
    desk.decoder.scheduler.queue.push(Entry(ghost, None, 0, 1, 1))


def run_past_the_limit(desk: Table) -> None:
    row(desk).limit = 2


def miss_a_threshold(desk: Table) -> None:
    row(desk).threshold = 1


def prefill_with_tokens(desk: Table) -> None:
    row(desk).status = RequestState.PREFILL


def compute_more_than_there_is(desk: Table) -> None:
    row(desk).num_new = -1


def hold_a_state_that_is_another_rows(desk: Table) -> None:
    states = desk.decoder.scheduler.batch.states
    states[1] = states[2]


def forget_a_free_slot(desk: Table) -> None:
    desk.abort("d")
    desk.abort("b")
    desk.turn()
    desk.decoder.scheduler._free.clear()


def lose_a_slot(desk: Table) -> None:
    desk.decoder.config = replace(desk.decoder.config, max_num_seqs=4)


def keep_a_slot_that_nobody_wants(desk: Table) -> None:
    desk.decoder.scheduler.slots.append(Slot(3))


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (lose_a_token, "tokens returned"),
        (count_a_token_twice, "tokens returned"),
        (lose_text, "request 1 lost text"),
        (send_an_empty_delta, "request 1 has an empty delta"),
        (leak_a_block, "blocks are lost or counted twice"),
        (put_a_row_out_of_its_slot, "the batch is not what is in the slots"),
        (swap_the_columns, "a column is another row's"),
        (swap_the_keys, "the keys' column is off"),
        (jump_a_generation, "slot 0 jumped a generation"),
        (move_a_slot, "a slot moved"),
        (forget_a_free_slot, "the free slots are others"),
        (lose_a_slot, "a slot is missing"),
        (keep_a_slot_that_nobody_wants, "slot 3 is empty, not wanted and still there"),
        (forget_a_request, "a living request is nowhere"),
        (wait_without_being_alive, "a living request is nowhere"),
        (run_past_the_limit, "request 1 is past its limit of 2"),
        (miss_a_threshold, "request 1 has passed its threshold"),
        (prefill_with_tokens, "request 1 is in prefill with 2 tokens"),
        (compute_more_than_there_is, "request 1 has computed"),
        (hold_a_state_that_is_another_rows, "request 1 lost text"),
    ],
)
def test_a_broken_promise_is_named_with_its_owner(
    tamper: Callable[[Table], None], message: str
) -> None:
    desk = running()
    desk.invariants.check()
    tamper(desk)
    with pytest.raises(InvariantError, match=message):
        desk.invariants.check()


def test_a_sound_decoder_passes_at_every_turn() -> None:
    desk = running()
    desk.finish(lambda key: "e")
    assert desk.decoder.counters.steps > 4
