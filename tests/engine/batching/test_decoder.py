from __future__ import annotations

import pytest
from tests.engine.batching.table import Letters, letters, reply_to, request, table

from batchtui.engine.batching import events as said
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.batching.policies import Fcfs, Priority
from batchtui.engine.errors import InvariantError
from batchtui.engine.machine import Input, Replied, Submitted, Turn, Woken
from batchtui.engine.model import Call, Reply


def kinds(turn: Turn) -> list[str]:
    return [type(event).__name__ for event in turn.events]


def test_a_request_goes_through_the_four_phases_of_a_step() -> None:
    desk = table()
    desk.submit("a", max_tokens=1, prompt="xyz")
    admit = desk.turn(5)
    assert (admit.phase, kinds(admit)) == ("admit", ["RequestQueued", "RequestAdmitted"])
    call = desk.turn(6)
    assert (call.phase, kinds(call)) == ("call", ["CallStarted"])
    apply = desk.reply(call.start[0], {"a": "z"}, now=9)
    assert (apply.phase, kinds(apply)) == ("apply", ["TokensApplied", "RequestFinished"])
    deliver = desk.turn(9)
    assert (deliver.phase, kinds(deliver)) == ("deliver", ["TextDelivered", "ResultsDelivered"])
    assert (desk.decoder.step, desk.decoder.status) == (1, "done")
    result = desk.result("a")
    assert (result.text, result.finish_reason) == ("z", "length")
    assert (result.admitted_us, result.first_token_us, result.finish_us) == (5, 9, 9)
    assert desk.heard.texts == [("a", "z")]


def test_status_says_what_is_waited_for() -> None:
    desk = table()
    found = [desk.decoder.status]
    desk.submit("a")
    found.append(desk.decoder.status)
    work = desk.call()
    found.append(desk.decoder.status)
    desk.submit("b", index=1)
    found.append(desk.decoder.status)
    desk.decoder.take(Replied(work=work.id, body=reply_to(work, {"a": "."})))
    found.append(desk.decoder.status)
    assert found == ["done", "ready", "waiting", "waiting", "ready"]


def test_taking_an_input_decides_nothing() -> None:
    desk = table()
    desk.submit("a")
    desk.abort("a")
    assert desk.decoder.intake.living == {}
    assert desk.decoder.counters.admitted == 0


def test_a_turn_for_nobody_makes_no_step() -> None:
    desk = table()
    desk.abort("nobody")
    assert desk.decoder.status == "ready"
    assert desk.turn().events == []
    assert (desk.decoder.step, desk.decoder.status) == (0, "done")


def test_a_refusal_alone_is_delivered() -> None:
    desk = table(max_model_len=4)
    desk.submit("a", prompt=4)
    desk.finish(lambda key: ".")
    assert desk.result("a").finish_reason == "error"
    assert "4 tokens" in (desk.result("a").error or "")
    assert desk.decoder.counters.calls == 0


def test_the_call_holds_the_rows_in_the_order_of_their_slots() -> None:
    desk = table(max_num_seqs=3)
    for index, name in enumerate("abc"):
        desk.submit(name, index=index, prompt=index)
    call = desk.call().spec
    assert isinstance(call, Call)
    assert call.keys == [(0, 1, "a"), (1, 1, "b"), (2, 1, "c")]
    assert [row.num_prompt_tokens for row in call.rows] == [0, 1, 2]


def test_a_row_says_which_of_its_tokens_are_new() -> None:
    desk = table()
    desk.submit("a", prompt=5)
    computed = []
    for answer in ("a", "bc", "", "d", "e"):
        work = desk.call()
        computed.append(work.spec.rows[0].num_computed_tokens)
        desk.reply(work, {"a": answer})
    assert computed == [0, 5, 6, 8, 8]


def test_a_slot_that_is_freed_is_refilled_in_the_next_step_with_a_new_generation() -> None:
    desk = table(max_num_seqs=1)
    desk.submit("a")
    desk.submit("b", index=1)
    desk.reply(desk.call(), {"a": "."})
    assert desk.call().spec.keys == [(0, 2, "b")]


def test_the_lowest_free_slot_is_filled_first() -> None:
    desk = table(max_num_seqs=3)
    for index, name in enumerate("abcd"):
        desk.submit(name, index=index)
    desk.reply(desk.call(), {"a": ".", "b": "x", "c": "."})
    assert desk.call().spec.keys == [(0, 2, "d"), (1, 1, "b")]


def test_the_policy_orders_the_queue() -> None:
    desk = table(max_num_seqs=1, policy=Priority())
    for index, (name, priority) in enumerate((("low", 3), ("high", -1), ("mid", 0))):
        desk.submit(name, index=index, priority=priority)
    desk.finish(lambda key: ".")
    assert [event.request_id for event in desk.said(said.RequestAdmitted)] == ["high", "mid", "low"]


def test_a_head_that_does_not_fit_lets_nobody_past_and_says_why_once() -> None:
    desk = table(max_num_seqs=4, num_gpu_blocks=4, block_size=4)
    desk.submit("big", max_tokens=12)
    desk.submit("wide", index=1, max_tokens=8)
    desk.submit("small", index=2, max_tokens=1)
    for _ in range(3):
        desk.reply(desk.call(), {"big": "x"})
    assert desk.resident_ids() == ["big"]
    (blocked,) = desk.said(said.RequestBlocked)
    assert (blocked.request_id, blocked.rule, blocked.blocker) == ("wide", "kv", "big")
    assert (blocked.needed, blocked.available) == (2, 1)
    desk.finish(lambda key: ".")
    assert len(desk.heard.results) == 3


def test_without_a_bound_on_blocks_only_the_slots_count() -> None:
    desk = table(max_num_seqs=2)
    for index in range(3):
        desk.submit(f"r{index}", index=index, prompt=10**9)
    desk.call()
    assert desk.resident_ids() == ["r0", "r1"]
    (blocked,) = desk.said(said.RequestBlocked)
    assert (blocked.rule, blocked.needed, blocked.available) == ("slots", 1, 0)


def test_max_model_len_bounds_prompt_and_output_together() -> None:
    desk = table(max_model_len=6)
    desk.submit("a", prompt="abcd", max_tokens=50)
    desk.submit("b", index=1, prompt=6)
    desk.finish(lambda key: "x")
    assert (desk.result("a").text, desk.result("a").finish_reason) == ("xx", "length")
    assert desk.result("b").finish_reason == "error"


def test_an_id_may_be_used_again_after_its_end_but_not_before() -> None:
    desk = table()
    desk.submit("x", max_tokens=1)
    desk.submit("x", index=1, max_tokens=1)
    desk.finish(lambda key: "p")
    desk.submit("x", index=2, max_tokens=1)
    desk.finish(lambda key: "q")
    by_index = {result.index: result for result in desk.heard.results}
    assert [by_index[index].finish_reason for index in range(3)] == ["length", "error", "length"]
    assert (by_index[0].text, by_index[2].text) == ("p", "q")
    assert "'x' is taken" in (by_index[1].error or "")
    assert desk.decoder.counters.refused == 1


def test_an_unknown_token_ends_only_its_own_request() -> None:
    desk = table()
    desk.submit("bad", stop="zz")
    desk.submit("good", index=1, max_tokens=2)
    work = desk.call()
    tokens = [[99], letters("b")]
    desk.decoder.take(Replied(work=work.id, body=Reply(list(work.spec.keys), tokens)))
    desk.turn()
    desk.finish(lambda key: "c")
    assert desk.result("bad").error == "the model returned token 99: no such token"
    assert (desk.result("good").text, desk.result("good").finish_reason) == ("bc", "length")


def test_many_tokens_a_row_end_where_the_first_end_is() -> None:
    desk = table()
    desk.submit("stop", stop="bc")
    desk.submit("eos", index=1)
    desk.submit("length", index=2, max_tokens=2)
    desk.reply(desk.call(), {"stop": "abcd", "eos": "x.y", "length": "pqr"})
    desk.finish(lambda key: "z")
    ends = {result.request_id: (result.text, result.output_tokens) for result in desk.heard.results}
    assert ends == {"stop": ("a", 3), "eos": ("x", 2), "length": ("pq", 2)}
    (applied,) = desk.said(said.TokensApplied)
    assert (applied.counts, applied.surplus) == ([3, 2, 2], 3)


def test_inputs_it_has_no_use_for_change_nothing() -> None:
    desk = table()
    desk.decoder.take(Woken())
    desk.decoder.take(Replied(work=7, body=None))
    desk.turn()
    assert desk.events == []
    assert desk.decoder.status == "done"


def test_an_input_that_it_cannot_obey_is_not_passed_over_in_silence() -> None:
    class Shaken(Input, frozen=True, kw_only=True):
        """What no decoder knows."""

    desk = table()
    desk.decoder.take(Shaken())
    with pytest.raises(InvariantError, match="Shaken"):
        desk.turn()


def test_the_timeout_of_a_call_goes_with_its_work() -> None:
    assert table(call_timeout_us=5_000).decoder.config.call_timeout_us == 5_000
    desk = table(call_timeout_us=5_000)
    desk.submit("a")
    assert desk.call().timeout_us == 5_000


def test_nobody_watching_changes_nothing_but_the_output() -> None:
    decoder = Decoder(BatchingConfig(), Letters(), Fcfs(), observed=False)
    invariants = Invariants(decoder)
    for asked in (
        request("r0", max_tokens=3),
        request("r1", index=1, stop="ab"),
        request("r2", index=2, min_tokens=2),
    ):
        decoder.take(Submitted(body=asked))
    answers = iter(["a", "b.", "."])
    lengths = []
    while decoder.status != "done":
        turn = decoder.turn(0)
        invariants.check()
        assert turn.events == []
        for work in turn.start:
            lengths.append(len(work.spec.keys))
            answer = letters(next(answers)[:1])
            reply = Reply(list(work.spec.keys), [list(answer) for _ in work.spec.keys])
            decoder.take(Replied(work=work.id, body=reply))
    assert lengths == [3, 3, 2]
    assert decoder.counters.kept == decoder.counters.returned == 8
