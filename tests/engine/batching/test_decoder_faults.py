"""Replies that fail, come late, short, twice or empty: nothing is lost and nothing twice."""

from __future__ import annotations

import pytest
from tests.engine.batching.table import Table, letters, reply_to, table

from batchtui.engine.batching import events as said
from batchtui.engine.machine import Failure, Replied
from batchtui.engine.model import Reply


def pair(*, max_retries: int = 1) -> Table:
    desk = table(max_retries=max_retries)
    desk.submit("a")
    desk.submit("b", index=1)
    return desk


@pytest.mark.parametrize(("budget", "calls"), [(0, 3), (1, 4), (2, 5)])
def test_calls_that_always_fail_end_everybody_in_error_after_the_budget(
    budget: int, calls: int
) -> None:
    desk = pair(max_retries=budget)
    while desk.decoder.status != "done":
        for work in desk.turn().start:
            desk.fail(work, "raise")
    ends = {
        result.request_id: (result.finish_reason, result.error) for result in desk.heard.results
    }
    error = ("error", "the model call failed (raise)")
    assert ends == {"a": error, "b": error}
    assert (desk.decoder.counters.calls, desk.decoder.status) == (calls, "done")


def test_a_failed_call_is_made_again_whole_in_the_same_step() -> None:
    desk = pair()
    first = desk.call()
    desk.fail(first)
    again = desk.call()
    assert again.id != first.id
    assert again.spec.keys == first.spec.keys
    assert desk.decoder.step == 0
    desk.reply(again, {"a": "x", "b": "y"})
    desk.finish(lambda key: ".")
    assert {result.request_id: result.text for result in desk.heard.results} == {"a": "x", "b": "y"}
    assert {result.retries for result in desk.heard.results} == {1}
    assert desk.decoder.counters.retried == 1
    assert [event.action for event in desk.said(said.CallFailed)] == ["retry"]


def test_a_request_left_alone_by_an_abort_is_not_condemned_for_the_call_it_shared() -> None:
    desk = pair(max_retries=0)
    work = desk.call()
    desk.abort("a")
    desk.fail(work)
    alone = desk.call()
    assert alone.spec.keys == [(1, 1, "b")]
    desk.reply(alone, {"b": "y"})
    desk.finish(lambda key: ".")
    assert (desk.result("b").text, desk.result("b").finish_reason) == ("y", "stop")


def test_a_half_of_which_nobody_is_left_makes_no_call_and_no_turn() -> None:
    desk = pair(max_retries=0)
    desk.fail(desk.call())
    desk.abort("a")
    turn = desk.turn()
    assert turn.phase == "call"
    assert [key[2] for work in turn.start for key in work.spec.keys] == ["b"]
    desk.finish(lambda key: ".")
    assert desk.result("b").finish_reason == "stop"
    assert desk.decoder.counters.calls == 2


def test_what_a_row_has_used_up_is_forgiven_when_it_gets_on() -> None:
    desk = table(max_retries=1)
    desk.submit("a", max_tokens=5)
    for _ in range(5):
        desk.fail(desk.call())
        desk.reply(desk.call(), {"a": "x"})
        desk.turn()
    assert desk.result("a").finish_reason == "length"
    assert desk.result("a").retries == 5


SHAPES: dict[str, Reply] = {
    "a row short": Reply([(0, 1, "a")], [[1]]),
    "a row too many": Reply([(0, 1, "a"), (1, 1, "b"), (2, 1, "c")], [[1], [1], [1]]),
    "a row twice": Reply([(0, 1, "a"), (0, 1, "a")], [[1], [1]]),
    "another generation": Reply([(0, 1, "a"), (1, 2, "b")], [[1], [1]]),
    "another id": Reply([(0, 1, "a"), (1, 1, "c")], [[1], [1]]),
    "fewer tokens than rows": Reply([(0, 1, "a"), (1, 1, "b")], [[1]]),
    "nothing": Reply([], []),
    "keys that are no keys": Reply([[0], None], [[1], [1]]),  # type: ignore[list-item]
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_reply_of_the_wrong_shape_is_refused_whole(shape: str) -> None:
    desk = pair()
    desk.decoder.take(Replied(work=desk.call().id, body=SHAPES[shape]))
    desk.turn()
    (failed,) = desk.said(said.CallFailed)
    assert (failed.fault, failed.action, failed.slots) == ("shape", "retry", [0, 1])
    desk.finish(lambda key: ".")
    assert {result.text for result in desk.heard.results} == {""}


def test_rows_that_changed_places_are_matched_by_their_keys() -> None:
    desk = pair()
    work = desk.call()
    body = reply_to(work, {"a": "x", "b": "yz"})
    desk.decoder.take(
        Replied(work=work.id, body=Reply(body.keys[::-1], body.tokens[::-1])),
    )
    desk.turn()
    desk.finish(lambda key: ".")
    assert {result.request_id: result.text for result in desk.heard.results} == {
        "a": "x",
        "b": "yz",
    }


def test_a_second_reply_to_the_same_call_is_counted_and_dropped() -> None:
    desk = pair()
    work = desk.call()
    body = reply_to(work, {"a": "x", "b": "y"})
    desk.decoder.take(Replied(work=work.id, body=body))
    desk.decoder.take(Replied(work=work.id, body=body))
    desk.turn()
    desk.decoder.take(Replied(work=work.id, body=body, final=False, late=True))
    desk.finish(lambda key: ".")
    assert desk.result("a").text == "x"
    assert desk.decoder.counters.stale_rows == 4
    assert [event.reason for event in desk.said(said.RowsDiscarded)] == ["late", "late"]


def test_the_late_reply_of_a_call_given_up_never_reaches_the_slots_next_owner() -> None:
    desk = table(max_num_seqs=1)
    desk.submit("a")
    desk.submit("b", index=1)
    given_up = desk.call()
    desk.fail(given_up, "timeout")
    desk.reply(desk.call(), {"a": "."})
    work = desk.call()
    late = Reply([(0, 1, "a")], [letters("zz")])
    desk.decoder.take(Replied(work=given_up.id, body=late, final=False, late=True))
    assert desk.decoder.status == "waiting"
    desk.reply(work, {"b": "q"})
    desk.finish(lambda key: ".")
    assert (desk.result("a").text, desk.result("b").text) == ("", "q")
    assert desk.decoder.counters.stale_rows == 1


def test_what_is_marked_late_or_not_final_is_never_applied() -> None:
    desk = pair()
    work = desk.call()
    body = reply_to(work, {"a": "z", "b": "z"})
    desk.decoder.take(Replied(work=work.id, body=body, late=True))
    desk.decoder.take(Replied(work=work.id, body=body, final=False))
    assert desk.decoder.status == "waiting"
    desk.reply(work, {"a": ".", "b": "."})
    desk.finish(lambda key: ".")
    assert {result.text for result in desk.heard.results} == {""}
    assert desk.decoder.counters.stale_rows == 4


def test_a_late_failure_is_no_news() -> None:
    desk = pair()
    work = desk.call()
    desk.decoder.take(Replied(work=work.id, body=Failure(kind="raise"), final=False, late=True))
    desk.reply(work, {"a": ".", "b": "."})
    assert desk.said(said.RowsDiscarded) == []
    assert desk.said(said.CallFailed) == []


def test_an_empty_reply_costs_nothing_but_the_step() -> None:
    desk = pair()
    desk.reply(desk.call(), {"a": "", "b": ""})
    desk.reply(desk.call(), {"a": "x", "b": ""})
    desk.finish(lambda key: ".")
    assert {result.request_id: result.text for result in desk.heard.results} == {"a": "x", "b": ""}


@pytest.mark.parametrize("bound", [1, 3])
def test_endless_empty_replies_end_in_error_and_release_what_was_held(bound: int) -> None:
    desk = table(max_empty_replies=bound)
    desk.submit("a", stop="en")
    desk.submit("b", index=1, max_tokens=8)
    desk.reply(desk.call(), {"a": "xe", "b": "y"})
    for _ in range(bound):
        desk.reply(desk.call(), {"a": "", "b": "y"})
    desk.finish(lambda key: ".")
    assert (desk.result("a").text, desk.result("a").finish_reason) == ("xe", "error")
    assert desk.result("a").error == f"the model returned no token {bound} times in a row"
    assert desk.result("b").text == "y" * (bound + 1)


def test_empty_replies_in_a_row_are_counted_from_the_last_token() -> None:
    desk = table(max_empty_replies=3)
    desk.submit("a", max_tokens=4)
    for answer in ("", "", "x", "", "", "y", "", "", "zw"):
        desk.reply(desk.call(), {"a": answer})
    desk.turn()
    assert (desk.result("a").text, desk.result("a").finish_reason) == ("xyzw", "length")
