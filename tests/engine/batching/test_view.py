"""What the view holds is what the decoder decided, step by step, and bounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from batchtui.engine.batching import events as said
from batchtui.engine.batching import shown
from batchtui.engine.batching.policies import Fcfs, Priority
from batchtui.engine.batching.view import MAX_ENDED, MAX_OF_A_KIND, MAX_TEXT, BatchView
from batchtui.engine.machine import Event
from batchtui.plugins.runs import Run, RunOptions, prepare
from batchtui.plugins.workloads import open_workload

Say = Callable[..., Event]


def say(kind: type[Event], step: int = 0, phase: str = "apply", **fields: Any) -> Event:
    return kind(seq=0, step=step, phase=phase, at=step * 1000, unit="batch", **fields)


def queued(request_id: str, index: int = 0, step: int = 0, **fields: Any) -> Event:
    made: dict[str, Any] = {  # Any: the fields of an event
        "prompt_tokens": 4,
        "limit": 8,
        "blocks": 2,
        "arrival_us": index,
        "priority": 0,
        "tenant": "",
    }
    made.update(fields)
    return say(said.RequestQueued, step, "admit", request_id=request_id, index=index, **made)


def admitted(request_id: str, slot: int = 0, generation: int = 1, step: int = 0) -> Event:
    return say(
        said.RequestAdmitted,
        step,
        "admit",
        request_id=request_id,
        index=0,
        slot=slot,
        generation=generation,
        blocks=2,
        waited_us=0,
    )


def applied(slots: list[int], step: int = 0, **fields: Any) -> Event:
    made: dict[str, Any] = {"work": 1, "counts": None, "held": {}, "surplus": 0}
    made["tokens"] = [7] * len(slots)
    return say(said.TokensApplied, step, slots=slots, **{**made, **fields})


def finished(request_id: str, slot: int | None = 0, step: int = 0) -> Event:
    return say(
        said.RequestFinished,
        step,
        request_id=request_id,
        index=0,
        slot=slot,
        generation=None if slot is None else 1,
        finish_reason="stop",
        stop_reason="END",
        error=None,
        output_tokens=3,
        blocks=0 if slot is None else 2,
        arrival_us=0,
    )


def delivered(slot: int, request_id: str, text: str, step: int = 0) -> Event:
    return say(said.TextDelivered, step, "deliver", keys=[(slot, 1, request_id)], texts=[text])


def view_of(*events: Event, num_slots: int = 2) -> BatchView:
    view = BatchView.empty(num_slots, 8, Fcfs())
    for event in events:
        view.fold(event)
    return view


@pytest.fixture
def demo() -> Run:
    return prepare(open_workload("demo"), RunOptions())


def test_at_every_turn_the_view_agrees_with_the_decoder(demo: Run) -> None:
    scheduler = demo.decoder.scheduler
    view = BatchView.empty(len(scheduler.slots), scheduler.pool.num_gpu_blocks, demo.policy)
    for turn in demo.simulation:
        for event in turn.events:
            view.fold(event)
        rows = [slot.resident for slot in scheduler.slots if slot.resident is not None]
        residents = {row.slot: (row.request_id, row.generation) for row in rows}
        assert residents == {
            slot.index: (slot.request_id, slot.generation)
            for slot in view.slots
            if slot.is_resident
        }
        for row in rows:
            assert view.slots[row.slot].num_tokens == len(row.token_ids)
        assert view.kv_used == scheduler.pool.num_used
        waiting = [entry.request.request_id for entry in scheduler.queue.first(100)]
        assert [entry.request_id for entry in view.first_waiting(100)] == waiting
    assert view.totals.returned == view.totals.kept + view.totals.discarded
    assert view.totals.kept == demo.decoder.counters.kept
    assert view.totals.returned == demo.decoder.counters.returned


def test_streams_are_what_was_delivered(demo: Run) -> None:
    view = BatchView.empty(8, 48, demo.policy)
    texts: dict[str, str] = {}
    for turn in demo.simulation:
        for event in turn.events:
            view.fold(event)
            if isinstance(event, said.TextDelivered):
                for (_, _, request_id), text in zip(event.keys, event.texts, strict=True):
                    texts[request_id] = texts.get(request_id, "") + text
        for slot in view.slots:
            assert slot.text == texts.get(slot.request_id, "")


def test_the_same_events_make_equal_bytes_and_a_decoded_view_folds_on(demo: Run) -> None:
    events = [event for turn in demo.simulation for event in turn.events]
    half = len(events) // 2
    whole = BatchView.empty(8, 48, demo.policy)
    for event in events[:half]:
        whole.fold(event)
    copy = msgspec.json.decode(msgspec.json.encode(whole), type=BatchView)
    copy.order_by(demo.policy)
    assert copy == whole
    for event in events[half:]:
        whole.fold(event)
        copy.fold(event)
    assert msgspec.json.encode(copy) == msgspec.json.encode(whole)


def test_a_slot_goes_through_its_states() -> None:
    view = view_of(queued("a"), admitted("a"))
    states = [view.slots[0].state]
    for event in (
        applied([0], 0),
        applied([0], 1, held={0: "EN"}),
        applied([0], 2),
        finished("a", step=3),
    ):
        view.fold(event)
        states.append(view.slots[0].state)
    view.reach(4, "admit", 0)
    states.append(view.slots[0].state)
    assert states == list("PDHDF.")
    assert view.slots[0].free_since == 4


def test_a_reply_without_tokens_leaves_a_prefill_a_prefill() -> None:
    view = view_of(queued("a"), admitted("a"), applied([0], counts=[0], tokens=[]))
    assert view.slots[0].state == shown.PREFILL


def test_what_is_new_begins_at_this_steps_delta() -> None:
    view = view_of(queued("a"), admitted("a"), delivered(0, "a", "one "))
    assert view.slots[0].fresh == 0
    view.fold(delivered(0, "a", "two", step=1))
    slot = view.slots[0]
    assert (slot.text[: slot.fresh], slot.text[slot.fresh :]) == ("one ", "two")
    view.reach(2, "admit", 0)
    assert slot.fresh == len(slot.text)


def test_a_stream_keeps_its_end() -> None:
    view = view_of(queued("a"), admitted("a"), delivered(0, "a", "x" * MAX_TEXT))
    view.fold(delivered(0, "a", "end", step=1))
    slot = view.slots[0]
    assert len(slot.text) == MAX_TEXT
    assert slot.text[slot.fresh :] == "end"


def test_text_of_one_who_left_is_not_put_under_his_successor() -> None:
    view = view_of(queued("a"), admitted("a"), queued("b"), finished("a"), admitted("b", 0, 2))
    view.fold(delivered(0, "a", "late words"))
    assert view.slots[0].text == ""


def test_a_row_for_a_former_resident_marks_the_slot_for_one_step() -> None:
    fields: dict[str, Any] = {"work": 1, "reason": "late", "slots": [0, 1], "num_tokens": [2, 1]}
    view = view_of(queued("a"), admitted("a", 0, 2), queued("b"), admitted("b", 1, 1))
    dropped: dict[str, Any] = {"generations": [1, 1], "request_ids": ["old", "b"]}
    view.fold(say(said.RowsDiscarded, **fields, **dropped))
    assert [slot.num_dropped for slot in view.slots] == [1, 0]
    assert (view.totals.discarded, view.totals.dropped_rows) == (3, 2)
    view.reach(1, "admit", 0)
    assert view.slots[0].num_dropped == 0


def test_a_blockage_is_counted_from_its_first_step_though_its_figures_change() -> None:
    fields: dict[str, Any] = {
        "request_id": "a",
        "index": 0,
        "rule": "kv",
        "blocker": "b",
        "needed": 5,
    }
    view = view_of(queued("a"), say(said.RequestBlocked, 3, **fields, available=1))
    view.fold(say(said.RequestBlocked, 6, **fields, available=2))
    assert view.blockage is not None
    assert (view.blockage.since, view.blockage.available) == (3, 2)
    view.fold(admitted("a", step=7))
    assert view.blockage is None


def test_the_queue_is_in_the_order_of_its_policy() -> None:
    view = BatchView.empty(1, None, Priority())
    for index, priority in enumerate([5, 1, 3]):
        view.fold(queued(f"r{priority}", index, priority=priority))
    assert [waiting.request_id for waiting in view.first_waiting(2)] == ["r1", "r3"]


def test_one_who_leaves_while_waiting_is_gone_from_the_queue() -> None:
    view = view_of(queued("a", 0), queued("b", 1), finished("a", slot=None))
    assert [waiting.request_id for waiting in view.first_waiting(9)] == ["b"]
    assert view.kv_used == 0


def test_a_step_drops_what_the_last_one_changed() -> None:
    view = view_of(queued("a"), admitted("a"), applied([0]))
    assert [type(event) for event in view.changed] == [said.RequestQueued, said.RequestAdmitted]
    assert view.this_step.tokens == 1
    view.reach(1, "admit", 5)
    assert view.changed == []
    assert view.this_step == shown.StepTotals()


def test_a_burst_is_counted_and_not_kept() -> None:
    view = view_of(*(queued(f"r{index}", index) for index in range(500)))
    assert len(view.changed) == MAX_OF_A_KIND
    assert view.this_step.said == {"RequestQueued": 500}


def test_the_last_hundred_that_ended_are_remembered() -> None:
    view = view_of()
    for index in range(MAX_ENDED + 5):
        view.fold(queued(f"r{index}", index))
        view.fold(admitted(f"r{index}"))
        view.fold(finished(f"r{index}"))
    assert len(view.ended) == MAX_ENDED
    assert view.ended[-1].request_id == f"r{MAX_ENDED + 4}"
    assert view.totals.finished == MAX_ENDED + 5
    assert view.totals.reasons == {"stop": MAX_ENDED + 5}


def test_what_has_no_state_is_counted_and_listed() -> None:
    view = view_of(queued("a"), admitted("a"))
    for event in (
        say(said.RequestRefused, request_id="b", index=1, code="duplicate_id", message="taken"),
        say(said.CallStarted, work=1, slots=[0], attempt=1, num_prefills=1, prefill_tokens=4),
        say(
            said.CallFailed,
            work=1,
            fault="raise",
            detail="",
            action="retry",
            slots=[0],
            num_tokens=3,
        ),
        say(said.ResultsDelivered, request_ids=["b"]),
        say(said.ListenerFailed, request_id="a", error="ValueError"),
    ):
        view.fold(event)
        assert view.changed[-1] is event
    totals = view.totals
    assert (totals.refused, totals.calls, totals.failed_calls) == (1, 1, 1)
