"""Slots and order changed while it runs: nobody is thrown out, and no slot means another one."""

from __future__ import annotations

import msgspec
import pytest
from tests.engine.batching.film import Film, order
from tests.engine.batching.table import Table, letters, request, table, table_of

from batchtui.engine.batching import events as said
from batchtui.engine.batching import shown
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.policies import Candidate, Fcfs, Key, Priority
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.errors import PluginError
from batchtui.engine.machine import Configured, Injected, Replied, Submitted
from batchtui.engine.model import Reply


def busy(number: int, *, max_num_seqs: int, prompt: int = 1) -> Table:
    """So many requests, those that have a slot in their first call."""
    desk = table(max_num_seqs=max_num_seqs)
    for index in range(number):
        desk.submit(f"r{index}", index=index, arrival_us=index, priority=-index, prompt=prompt)
    desk.call()
    return desk


def step(desk: Table, **tokens: str) -> None:
    """Answer the call that is out, and go on to the next one, or to the end of the step."""
    desk.reply(desk.works[-1], tokens)
    desk.turn()
    while desk.decoder.status == "ready" and not desk.turn().start:
        pass


def slots(desk: Table) -> list[tuple[int, str]]:
    """The generation and the resident of each."""
    return [
        (slot.generation, slot.resident.request_id if slot.resident else "")
        for slot in desk.decoder.scheduler.slots
    ]


def view_of(desk: Table, num_slots: int) -> BatchView:
    view = BatchView.empty(num_slots, None, Fcfs())
    for event in desk.events:
        view.fold(event)
    view.reach(desk.decoder.step, "admit", 0)
    return view


def test_more_slots_take_in_those_who_wait() -> None:
    desk = busy(3, max_num_seqs=1)
    desk.configure(max_num_seqs=3)
    step(desk)
    assert slots(desk) == [(1, "r0"), (1, "r1"), (1, "r2")]
    assert desk.decoder.config.max_num_seqs == 3
    (changed,) = desk.said(said.OptionsChanged)
    assert (changed.max_num_seqs, changed.policy, changed.retiring) == (3, "fcfs", [])
    assert view_of(desk, 1).num_resident == 3


def test_empty_slots_go_at_once_and_taken_ones_with_their_residents() -> None:
    desk = busy(3, max_num_seqs=5)
    desk.configure(max_num_seqs=1)
    step(desk)
    assert slots(desk) == [(1, "r0"), (1, "r1"), (1, "r2")]
    assert desk.said(said.OptionsChanged)[0].retiring == [1, 2]
    assert [slot.retiring for slot in view_of(desk, 5).slots] == [False, True, True]
    step(desk, r2=".")
    assert slots(desk) == [(1, "r0"), (1, "r1")]
    assert [slot.retiring for slot in view_of(desk, 5).slots] == [False, True]
    desk.finish(lambda key: ".")
    assert len(view_of(desk, 5).slots) == 1


def test_a_slot_in_the_middle_stays_until_those_behind_it_are_gone_and_takes_nobody() -> None:
    desk = busy(4, max_num_seqs=3)
    desk.configure(max_num_seqs=1)
    step(desk, r1=".")
    assert slots(desk) == [(1, "r0"), (1, ""), (1, "r2")]
    assert desk.said(said.RequestBlocked)[-1].rule == "slots"
    step(desk, r2=".")
    assert slots(desk) == [(1, "r0")]
    step(desk, r0=".")
    assert slots(desk) == [(2, "r3")]


def test_a_slot_that_is_wanted_again_takes_the_next_one_in() -> None:
    desk = busy(4, max_num_seqs=3)
    desk.configure(max_num_seqs=1)
    step(desk, r1=".")
    desk.configure(max_num_seqs=2)
    step(desk)
    assert slots(desk) == [(1, "r0"), (2, "r3"), (1, "r2")]
    assert [slot.retiring for slot in view_of(desk, 3).slots] == [False, False, True]
    desk.configure(max_num_seqs=3)
    step(desk)
    assert [slot.retiring for slot in view_of(desk, 3).slots] == [False] * 3


def test_a_slot_that_was_retiring_is_free_from_the_step_in_which_it_is_wanted_again() -> None:
    desk = busy(3, max_num_seqs=3)
    desk.configure(max_num_seqs=1)
    for ends in ({"r1": "."}, {}, {}):
        step(desk, **ends)
    before = view_of(desk, 3).slots[1]
    desk.configure(max_num_seqs=2)
    step(desk)
    after = view_of(desk, 3).slots[1]
    assert (before.free_since, before.retiring) == (1, True)
    assert (after.free_since, after.retiring) == (3, False)


def test_a_slot_that_comes_back_never_repeats_a_generation() -> None:
    desk = busy(9, max_num_seqs=2)
    seen: list[tuple[int, int]] = []
    for number in (1, 2, 1, 3, 1, 3):
        desk.configure(max_num_seqs=number)
        step(desk, **{row: "." for row in desk.resident_ids()})
        view = view_of(desk, 2)
        assert [slot.generation for slot in view.slots] == [
            generation for generation, _ in slots(desk)
        ]
    seen = [(event.slot, event.generation) for event in desk.said(said.RequestAdmitted)]
    assert len(seen) == len(set(seen)) == 9
    assert max(slot for slot, _ in seen) == 2


def test_a_late_reply_for_a_slot_that_is_gone_is_dropped() -> None:
    desk = busy(2, max_num_seqs=2)
    (lost,) = desk.works
    desk.fail(lost)
    again = desk.call()
    desk.configure(max_num_seqs=1)
    desk.reply(again, {"r1": "."})
    keys = list(lost.spec.keys)
    desk.decoder.take(
        Replied(work=lost.id, body=Reply(keys, [letters("z")] * 2), final=False, late=True)
    )
    desk.turn()
    view = view_of(desk, 2)
    assert (len(view.slots), view.totals.dropped_rows) == (1, 2)
    desk.finish(lambda key: ".")
    assert desk.result("r0").text == "a"


def test_a_late_reply_in_a_later_step_finds_no_slot_in_the_view_either() -> None:
    desk = busy(2, max_num_seqs=2)
    (lost,) = desk.works
    desk.fail(lost)
    again = desk.call()
    desk.configure(max_num_seqs=1)
    desk.reply(again, {"r1": "."})
    step_on = desk.call()
    tokens = [letters("z")] * 2
    late = Replied(work=lost.id, body=Reply(list(lost.spec.keys), tokens), final=False, late=True)
    desk.decoder.take(late)
    desk.reply(step_on, {})
    view = view_of(desk, 2)
    assert (len(view.slots), view.totals.dropped_rows) == (1, 2)


def test_one_who_is_aborted_in_a_call_leaves_a_slot_that_goes_at_once() -> None:
    desk = table(max_num_seqs=2)
    desk.submit("a")
    desk.submit("b", index=1, stop="bye")
    desk.reply(desk.call(), {"a": "x", "b": "by"})
    work = desk.call()
    desk.abort("b")
    desk.configure(max_num_seqs=1)
    desk.reply(work, {"a": "y", "b": "z"})
    assert slots(desk) == [(1, "a")]
    assert desk.decoder.counters.stale_rows == 1
    desk.finish(lambda key: ".")
    assert (desk.result("b").text, desk.result("b").finish_reason) == ("by", "abort")
    assert len(view_of(desk, 2).slots) == 1


def test_a_failed_call_is_made_again_without_those_whose_slot_is_gone() -> None:
    desk = busy(2, max_num_seqs=2)
    desk.fail(desk.works[-1])
    desk.abort("r1")
    desk.configure(max_num_seqs=1)
    work = desk.call()
    assert [key[2] for key in work.spec.keys] == ["r0"]
    desk.finish(lambda key: ".")
    assert desk.result("r0").finish_reason == "stop"


def test_the_queue_is_put_into_the_order_of_another_policy() -> None:
    desk = busy(5, max_num_seqs=1)
    desk.configure(policy="priority")
    step(desk)
    view = view_of(desk, 1)
    assert order(view) == ["r4", "r3", "r2", "r1"]
    assert view.policy == "priority"
    assert view.blockage is not None
    assert view.blockage.request_id == "r4"
    step(desk, r0=".")
    assert desk.resident_ids() == ["r4"]
    desk.configure(policy="fcfs")
    step(desk)
    assert order(view_of(desk, 1)) == ["r1", "r2", "r3"]
    assert [event.policy for event in desk.said(said.OptionsChanged)] == ["priority", "fcfs"]


def test_what_stays_the_same_is_not_said() -> None:
    desk = busy(1, max_num_seqs=1)
    desk.configure()
    desk.configure(max_num_seqs=1, policy="fcfs")
    step(desk)
    assert desk.said(said.OptionsChanged) == []


class ShortFirst:
    """A policy from elsewhere."""

    name = "short-first"
    newcomers_last = False

    def key(self, candidate: Candidate) -> Key:
        return candidate.num_prompt_tokens, candidate.index


def test_the_policy_that_it_began_with_is_known_to_it_wherever_that_came_from() -> None:
    desk = table_of(BatchingConfig(max_num_seqs=1), policy=ShortFirst())
    for index, prompt in enumerate((1, 9, 3)):
        desk.submit(f"r{index}", index=index, prompt=prompt)
    desk.call()
    for policy in ("fcfs", "short-first"):
        desk.configure(policy=policy)
        step(desk)
    queue = desk.decoder.scheduler.queue
    assert [entry.request.request_id for entry in queue.first(9)] == ["r2", "r1"]


def test_a_policy_that_nobody_knows_changes_nothing() -> None:
    desk = busy(2, max_num_seqs=1)
    desk.configure(max_num_seqs=2, policy="nobody")
    with pytest.raises(PluginError, match="no policy is called 'nobody': known are fcfs, priority"):
        desk.reply(desk.works[-1], {})
    assert len(desk.decoder.scheduler.slots) == desk.decoder.config.max_num_seqs == 1


def test_options_can_be_changed_when_all_is_done() -> None:
    desk = busy(1, max_num_seqs=2)
    desk.finish(lambda key: ".")
    found = [desk.decoder.status]
    desk.configure(max_num_seqs=1)
    found.append(desk.decoder.status)
    desk.turn()
    assert [*found, desk.decoder.status] == ["done", "ready", "done"]
    assert len(view_of(desk, 2).slots) == 1


def test_a_fault_on_purpose_is_written_down_and_changes_nothing() -> None:
    desk = busy(1, max_num_seqs=1)
    desk.decoder.take(Injected(body="late"))
    step(desk, r0="x")
    assert [event.kind for event in desk.said(said.FaultInjected)] == ["late"]
    desk.finish(lambda key: ".")
    assert desk.result("r0").text == "x"


def test_a_view_that_was_decoded_goes_on_with_its_own_policy() -> None:
    desk = busy(4, max_num_seqs=1)
    desk.configure(policy="priority")
    step(desk)
    view = BatchView.empty(1, None, Fcfs())
    for event in desk.events:
        view.fold(event)
    copy = msgspec.json.decode(msgspec.json.encode(view), type=BatchView)
    assert (copy.policy, copy.slots[0].state) == ("priority", shown.DECODE)
    copy.order_by(Priority())
    assert order(copy) == order(view) == ["r3", "r2", "r1"]


def test_moments_after_another_order_show_it_and_those_before_do_not() -> None:
    desk = table(max_num_seqs=1)
    film = Film(BatchHistory(1, None, Fcfs()))
    recorder = Recorder(desk.decoder, watch=film.watch)
    for index in range(5):
        asked = request(f"r{index}", index=index, priority=-index, max_tokens=100)
        recorder.take(Submitted(body=asked))
    for number in range(60):
        if number in (10, 40):
            policy = "priority" if number == 10 else "fcfs"
            recorder.take(Configured(body=Options(policy=policy)))
        while not (turn := recorder.turn(number)).start:
            pass
        (work,) = turn.start
        body = Reply(list(work.spec.keys), [letters("a")])
        recorder.take(Replied(work=work.id, body=body))
    assert {tuple(queue) for queue in film.queues} == {
        (),
        ("r1", "r2", "r3", "r4"),
        ("r4", "r3", "r2", "r1"),
    }
    film.check_walks()
