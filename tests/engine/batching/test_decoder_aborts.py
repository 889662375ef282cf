"""Aborts and deadlines: in every state and phase, and in the same turn as other things."""

from __future__ import annotations

import pytest
from tests.engine.batching.table import Table, reply_to, request, table

from batchtui.engine.batching import events as said
from batchtui.engine.machine import Replied, Submitted


def in_phase(phase: str) -> tuple[Table, bool]:
    """A desk whose next turn is ``phase``; "a" has the text "x" and holds "e" back, "b" is with it.

    Also says whether the reply to the open call ("n" for a, which completes its stop) is there.
    """
    desk = table(max_num_seqs=2)
    desk.submit("a", stop="en")
    desk.submit("b", index=1)
    desk.submit("c", index=2)
    desk.reply(desk.call(), {"a": "xe"})
    desk.turn()
    if phase == "admit":
        return desk, False
    desk.turn()
    if phase == "call":
        return desk, False
    work = desk.turn().start[0]
    desk.decoder.take(Replied(work=work.id, body=reply_to(work, {"a": "n"})))
    if phase == "apply":
        return desk, True
    desk.turn()
    return desk, True


@pytest.mark.parametrize("phase", ["admit", "call", "apply"])
def test_a_resident_aborted_before_a_reply_is_applied_releases_what_it_held(phase: str) -> None:
    desk, is_stale = in_phase(phase)
    desk.abort("a")
    desk.turn(now=77)
    desk.finish(lambda key: ".")
    result = desk.result("a")
    assert (result.text, result.finish_reason, result.stop_reason) == ("xe", "abort", None)
    assert result.finish_us == 77
    assert desk.decoder.counters.stale_rows == is_stale
    assert [request_id for request_id, _ in desk.heard.texts].count("a") == 2


def test_an_abort_that_comes_after_the_end_changes_nothing() -> None:
    desk, _ = in_phase("deliver")
    desk.abort("a")
    desk.finish(lambda key: ".")
    assert (desk.result("a").text, desk.result("a").finish_reason) == ("x", "stop")


def test_aborted_in_the_deliver_phase_its_delta_stays_one() -> None:
    desk = table()
    desk.submit("a", stop="en")
    desk.reply(desk.call(), {"a": "xe"})
    desk.abort("a")
    desk.turn()
    assert desk.heard.texts == [("a", "xe")]
    assert desk.result("a").deltas == ["xe"]


@pytest.mark.parametrize("phase", ["admit", "call", "apply", "deliver"])
def test_a_waiting_request_is_aborted_in_any_phase_and_never_runs(phase: str) -> None:
    desk, _ = in_phase(phase)
    desk.abort("c")
    desk.finish(lambda key: ".")
    result = desk.result("c")
    assert (result.finish_reason, result.slot, result.generation) == ("abort", None, None)
    assert [event.request_id for event in desk.said(said.RequestAdmitted)] == ["a", "b"]


def test_submitted_and_aborted_in_one_turn_it_ends_once_without_a_slot() -> None:
    desk = table()
    desk.submit("a")
    desk.abort("a")
    desk.finish(lambda key: ".")
    assert [result.finish_reason for result in desk.heard.results] == ["abort"]
    assert desk.decoder.counters.admitted == 0


def test_an_abort_that_overtakes_its_request_is_for_nobody() -> None:
    desk = table()
    desk.abort("a")
    desk.submit("a")
    desk.finish(lambda key: ".")
    assert desk.result("a").finish_reason == "stop"


def test_two_aborts_of_one_request_end_it_once() -> None:
    desk, _ = in_phase("call")
    desk.abort("a")
    desk.abort("a")
    desk.finish(lambda key: ".")
    assert desk.result("a").finish_reason == "abort"


def test_all_residents_aborted_before_the_call_there_is_no_call() -> None:
    desk = table()
    desk.submit("a")
    desk.turn()
    desk.abort("a")
    assert desk.turn().start == []
    assert desk.turn().phase == "deliver"
    assert (desk.decoder.counters.calls, desk.decoder.status) == (0, "done")


def test_all_residents_aborted_while_the_call_is_out_the_reply_is_stale() -> None:
    desk = table()
    desk.submit("a")
    desk.submit("b", index=1)
    work = desk.call()
    desk.abort("a")
    desk.abort("b")
    desk.reply(work, {"a": "xyz"})
    assert desk.decoder.counters.stale_rows == 2
    assert desk.decoder.counters.discarded == 4
    (discarded,) = desk.said(said.RowsDiscarded)
    assert (discarded.reason, discarded.num_tokens) == ("stale", [3, 1])


def test_the_same_id_again_in_the_turn_of_its_abort_is_another_request() -> None:
    desk, _ = in_phase("admit")
    desk.abort("a")
    desk.submit("a", index=9, stop="en", priority=-1)
    desk.finish(lambda key: "." if key[2] != "a" or key[1] > 1 else "n")
    ends = {result.index: result.text for result in desk.heard.results if result.request_id == "a"}
    assert ends == {0: "xe", 9: ""}


def test_held_text_goes_to_its_own_request_where_an_id_is_used_twice_in_a_step() -> None:
    desk = table(max_num_seqs=1)
    desk.submit("a", stop="en")
    desk.reply(desk.call(), {"a": "xe"})
    desk.turn()
    desk.abort("a")
    desk.submit("a", index=1, stop="en")
    desk.reply(desk.call(), {"a": "e"})
    desk.abort("a")
    desk.finish(lambda key: ".")
    ends = {result.index: (result.text, result.deltas) for result in desk.heard.results}
    assert ends == {0: ("xe", ["x", "e"]), 1: ("e", ["e"])}
    assert desk.heard.texts == [("a", "x"), ("a", "e"), ("a", "e")]


def test_a_deadline_ends_a_waiting_request() -> None:
    desk = table(max_num_seqs=1)
    desk.submit("a")
    desk.submit("b", index=1, arrival_us=100, deadline_us=50)
    desk.turn(now=100)
    assert desk.decoder.wake_at() == 150
    work = desk.turn(now=149).start[0]
    desk.reply(work, {"a": "x"}, now=150)
    desk.finish(lambda key: ".", now=150)
    result = desk.result("b")
    assert (result.finish_reason, result.stop_reason, result.finish_us) == (
        "abort",
        "deadline",
        150,
    )


@pytest.mark.parametrize(("replied_at", "reason"), [(149, "stop"), (150, "abort"), (151, "abort")])
def test_a_deadline_beats_a_reply_that_comes_exactly_at_it(replied_at: int, reason: str) -> None:
    desk = table()
    desk.submit("a", deadline_us=150)
    work = desk.call(now=10)
    assert desk.decoder.wake_at() is None
    desk.reply(work, {"a": "."}, now=replied_at)
    desk.finish(lambda key: ".", now=replied_at)
    assert desk.result("a").finish_reason == reason
    assert desk.decoder.counters.stale_rows == (reason == "abort")


def test_a_deadline_that_has_passed_at_submission_ends_it_before_it_runs() -> None:
    desk = table()
    desk.decoder.take(Submitted(body=request("a", arrival_us=10, deadline_us=5)))
    desk.turn(now=20)
    assert desk.decoder.counters.admitted == 0
    desk.finish(lambda key: ".", now=20)
    assert desk.result("a").stop_reason == "deadline"


def test_the_deadline_of_one_that_has_ended_does_not_touch_the_next_of_its_id() -> None:
    desk = table()
    desk.submit("a", deadline_us=100)
    desk.reply(desk.call(), {"a": "."})
    desk.submit("a", index=1)
    desk.finish(lambda key: ".", now=500)
    assert [result.finish_reason for result in desk.heard.results] == ["stop", "stop"]
    assert desk.decoder.wake_at() is None


def test_a_blockage_is_said_again_when_another_request_has_the_id() -> None:
    desk = table(max_num_seqs=1)
    desk.submit("first")
    desk.submit("a", index=1)
    desk.reply(desk.call(), {"first": "x"})
    desk.turn()
    desk.abort("a")
    desk.submit("a", index=2)
    desk.call()
    assert [event.index for event in desk.said(said.RequestBlocked)] == [1, 2]
