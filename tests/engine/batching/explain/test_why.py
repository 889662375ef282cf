from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.play import ACTS, OPTIONS, Act, Play, filmed
from tests.engine.batching.told import Told

from batchtui.engine.batching.explain.why import MAX_LATER, explain
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.policies import Candidate, Fcfs, Key, Priority
from batchtui.engine.machine import Aborted, Configured

# A prompt of one block and an output of at most one: two blocks each unless said.
BLOCK = {"prompt": 16, "max_tokens": 16}


def short_of_blocks() -> Told:
    """Eight blocks, four slots: r1 has six of them, r2 needs four, r3 one, r4 nine tokens more."""
    told = Told(max_num_seqs=4, num_gpu_blocks=8)
    told.submit("r1", index=0, prompt=80, max_tokens=16)
    told.submit("r2", index=1, prompt=48, max_tokens=16, arrival_us=1_000)
    told.submit("r3", index=2, prompt=8, max_tokens=8, arrival_us=2_000)
    told.submit("r4", index=3, prompt=80, max_tokens=16, arrival_us=3_000)
    told.step(now=10_000)
    return told


def test_the_head_has_its_own_rule_and_names_who_holds_the_blocks() -> None:
    told = short_of_blocks()
    told.step(now=40_000)
    explanation = told.why("r2")
    assert (explanation.state, explanation.title) == ("waits", "r2 waits")
    assert [(reason.label, reason.words) for reason in explanation.reasons] == [
        ("place", "1 of 3 under fcfs"),
        ("key", "(arrival 0.001 s, r2)"),
        ("ahead", "nobody"),
        ("rule", "kv needs 4 blocks, 2 free"),
        ("holder", "r1 in slot 0: 6 blocks, 2 of 16 tokens"),
        ("since", "step 0 (2 steps, 30ms); it arrived at step 0"),
        ("passed by", "nobody that arrived later"),
        ("would fit", "now, behind it: r3 (1 block)"),
        ("so", "slots 1-3 idle: head-of-line"),
    ]


def test_one_behind_the_head_knows_whether_it_would_fit_itself() -> None:
    told = short_of_blocks()
    assert told.words("r3", "ahead") == "r2"
    assert told.words("r3", "rule") == "behind r2, which is held: kv needs 4 blocks, 2 free"
    assert told.words("r3", "would fit") == "now: a slot is free, and it needs 1 of 2 blocks"
    assert told.words("r4", "would fit") == "not either: it needs 6 kv blocks, 2 free"
    assert told.words("r4", "since") == "step 0, when it arrived; 7ms so far"


def test_where_nobody_would_fit_blocks_are_short() -> None:
    told = Told(max_num_seqs=3, num_gpu_blocks=8)
    for index in range(3):
        told.submit(f"r{index}", index=index, prompt=80, max_tokens=16)
    told.step()
    assert told.words("r1", "would fit") == "nobody else"
    assert told.words("r1", "so") == "slots 1-2 idle: blocks are short"


def test_blocks_that_have_come_back_since_are_said() -> None:
    told = Told(max_num_seqs=4, num_gpu_blocks=8)
    told.submit("r1", index=0, prompt=80, max_tokens=16)
    told.submit("r2", index=1, prompt=48, max_tokens=16)
    told.step({"r1": "."})
    assert told.words("r2", "rule") == "kv needs 4 blocks, 2 free (8 now: enough)"
    assert told.words("r2", "holder") == "r1, which has ended since"
    assert told.words("r2", "so") == (
        "slots 1-3 idle: blocks have come back, and the next admit phase sees it"
    )


def test_full_slots_are_a_rule_and_the_next_to_end_is_named() -> None:
    told = Told(max_num_seqs=2)
    for index, most in enumerate([9, 4, 5]):
        told.submit(f"r{index}", index=index, max_tokens=most)
    told.step()
    assert told.words("r2", "rule") == "slots: all 2 taken"
    assert told.words("r2", "holder") == (
        "r1 in slot 1 is nearest to its limit: 3 tokens left at most"
    )
    assert "would fit" not in told.labels("r2")


def test_one_that_was_not_tried_yet_says_so() -> None:
    told = Told(max_num_seqs=2)
    told.submit("r0", index=0)
    told.desk.call()
    told.submit("r1", index=1)
    told.desk.reply(told.desk.works[-1], {})
    assert told.words("r1", "rule").startswith("none yet: it has not been tried")


def test_a_priority_key_says_what_its_numbers_mean_and_who_went_first() -> None:
    told = Told(max_num_seqs=1, policy=Priority())
    told.submit("r0", index=0, max_tokens=1)
    told.submit("late", index=1, priority=5, arrival_us=1_500)
    told.step()
    for index in (2, 3):
        told.submit(f"r{index}", index=index, priority=1, max_tokens=1, arrival_us=2_000)
        told.step(now=3_000)
    told.submit("r4", index=4, priority=1, arrival_us=4_000)
    told.step(now=5_000)
    assert told.words("late", "key") == "(priority 5, arrival 0.001 s, late)"
    assert told.words("late", "passed by") == "3 that arrived later"


def test_a_foreign_policys_key_is_shown_as_it_is() -> None:
    class Longest:
        name = "longest"
        newcomers_last = False

        def key(self, candidate: Candidate) -> Key:
            return -candidate.num_prompt_tokens, candidate.index

    told = Told(max_num_seqs=1, policy=Longest())
    for index, prompt in enumerate([9, 3, 5]):
        told.submit(f"r{index}", index=index, prompt=prompt)
    told.step()
    assert told.words("r1", "place") == "2 of 2 under longest"
    assert told.words("r1", "key") == "(-3, 1)"


def test_many_ahead_are_counted() -> None:
    told = Told(max_num_seqs=1)
    for index in range(9):
        told.submit(f"r{index}", index=index)
    told.step()
    assert told.words("r8", "ahead") == "r1 r2 r3 r4 r5 and 2 more"


def test_one_that_runs_says_what_freed_its_slot() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0, max_tokens=2)
    told.submit("r1", index=1, max_tokens=8, arrival_us=1_000)
    told.step(now=10_000)
    told.step(now=20_000)
    told.step(now=30_000)
    explanation = told.why("r1")
    assert (explanation.state, explanation.title) == ("runs", "r1 runs in slot 0")
    assert [(reason.label, reason.words) for reason in explanation.reasons] == [
        ("admitted", "step 2 to slot 0 gen 2, after 29ms (2 steps)"),
        (
            "why then",
            "it was the head of the queue, and slot 0 came free: r0 ended at step 1 (length)",
        ),
        ("length", "1 of 8 tokens (max_tokens 8)"),
        ("stops", "EOS"),
        ("ends", "at the latest after 7 more tokens: at step 9 if each step brings one"),
        ("blocks", "1 reserved for prompt and longest output"),
    ]


def test_one_that_runs_says_whose_blocks_it_got() -> None:
    told = short_of_blocks()
    told.step({"r1": "."})
    told.step()
    assert told.words("r2", "why then") == (
        "it was the head of the queue, and blocks came back: 6 of r1 (stop); it took 4"
    )


def test_one_that_runs_says_which_stops_the_held_text_may_become() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", stop=("end", "ends here", "x"), min_tokens=1, max_tokens=9)
    told.desk.call()
    assert told.words("r0", "stops") == (
        '"end" "ends here" "x", EOS; none counts before token 1 (min_tokens)'
    )
    assert told.words("r0", "length").startswith("its prompt of 0 tokens is still being read; 0 of")
    told.desk.reply(told.desk.works[-1], {"r0": "zen"})
    assert told.words("r0", "held") == '"en" is kept back: it may become stop "end" "ends here"'
    assert told.words("r0", "stops") == '"end" "ends here" "x", EOS'


@pytest.mark.parametrize(
    ("fields", "tokens", "why"),
    [
        ({"stop": ("bc",)}, "abc", 'stop string "bc" at token 3 of 8 at most'),
        ({}, "ab.", "the model said EOS at token 3 of 8 at most"),
        ({"stop_token_ids": (2,)}, "ab", "stop token 2 at token 2 of 8 at most"),
        ({"max_tokens": 2}, "ab", "length: 2 tokens, all it may have (max_tokens 2)"),
    ],
)
def test_one_that_ended_says_which_stop_or_limit_it_was(
    fields: dict[str, Any], tokens: str, why: str
) -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", **fields)
    told.step({"r0": tokens}, now=5_000)
    explanation = told.why("r0")
    assert explanation.state == "ended"
    assert explanation.reasons[0].words == why
    assert told.words("r0", "when") == "step 0, 0.005 s, 5ms after its arrival"
    assert told.words("r0", "returned") == "1 block back, slot 0 free"


@pytest.mark.parametrize(
    ("options", "by"),
    [
        ({"num_gpu_blocks": 2}, "the KV pool, all 2 blocks of it"),
        ({"max_model_len": 25}, "the model length: 25 tokens of prompt and output"),
        (
            {"num_gpu_blocks": 2, "max_model_len": 25},
            "the model length: 25 tokens of prompt and output",
        ),
    ],
)
def test_a_limit_that_was_cut_says_by_what(options: dict[str, Any], by: str) -> None:
    told = Told(max_num_seqs=1, **options)
    told.submit("r0", prompt=16, max_tokens=99)
    limit = 32 - 16 if "max_model_len" not in options else 25 - 16
    told.step({"r0": "a" * limit})
    assert told.words("r0", "why") == (
        f"length: {limit} tokens, all it may have (max_tokens 99 cut to {limit} by {by})"
    )


@pytest.mark.parametrize(("by_hand", "who"), [(True, "by hand"), (False, "by its client")])
def test_an_abort_says_by_whom(by_hand: bool, who: str) -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0")
    told.step()
    told.recorder.take(Aborted(target="r0", by_hand=by_hand))
    told.desk.turn()
    assert told.words("r0", "why") == f"aborted {who}, after 1 token"


def test_a_deadline_is_named_with_its_length() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0)
    told.submit("r1", index=1, deadline_us=20_000)
    told.step()
    told.desk.turn(now=30_000)
    assert told.words("r1", "why") == "its deadline of 20ms had passed, after 0 tokens"
    assert told.words("r1", "ran") == "never: it had waited for 1 step"


def test_an_error_names_the_calls_that_failed_with_it() -> None:
    told = Told(max_num_seqs=1, max_retries=1)
    told.submit("r0", index=0)
    told.desk.fail(told.desk.call(), "raise")
    told.desk.fail(told.desk.call(), "timeout")
    explanation = told.why("r0")
    assert explanation.title == "r0 ended: error"
    assert explanation.reasons[0].words == "the model call failed (timeout)"
    assert told.words("r0", "calls") == (
        "step 0: call 1 failed: raise; made again whole"
        " | step 0: call 2 failed: timeout; this request was at fault"
    )


def test_a_failed_call_is_told_of_by_those_that_were_in_it_alone() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0)
    told.submit("r1", index=1)
    told.desk.fail(told.desk.call())
    assert "calls" in told.labels("r0")
    assert "calls" not in told.labels("r1")


def test_one_that_was_refused_says_why() -> None:
    told = Told(max_num_seqs=1, max_model_len=4)
    told.submit("r0", prompt=9)
    told.desk.turn()
    explanation = told.why("r0")
    assert (explanation.state, explanation.title) == (
        "refused",
        "r0 was refused: context_length_exceeded",
    )
    assert told.words("r0", "why").startswith("the prompt has 9 tokens")


def test_one_that_has_not_come_says_when_it_will() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0)
    told.step()
    told.submit("r1", index=1)
    told.step(now=7_000)
    explanation = told.why("r1", turn=1)
    assert (explanation.state, explanation.title) == ("not yet", "r1 has not arrived yet")
    assert told.words("r1", "arrives", turn=1) == "at step 1, 0.007 s, 1 step on"


def test_nobody_is_explained_who_was_never_seen() -> None:
    told = short_of_blocks()
    assert explain("r9", told.turn, told.view, told.history) is None


def test_in_the_past_the_recording_says_what_came_later() -> None:
    told = short_of_blocks()
    then = told.turn
    told.step({"r1": "."}, now=20_000)
    told.step(now=30_000)
    explanation = told.why("r2", turn=then)
    assert explanation.state == "waits"
    assert [(each.label, each.words) for each in explanation.later] == [
        ("step 2", "admitted to slot 0 gen 2 after 29ms"),
        ("step 2", "running, 1 of 16 tokens"),
    ]
    assert [each.words for each in told.why("r1", turn=then).later] == [
        "ended: stop EOS (2 tokens)"
    ]
    assert told.why("r4", turn=then).later[-1].words == "still waits"


def test_at_the_head_nothing_is_said_of_later() -> None:
    assert short_of_blocks().why("r2").later == []


def test_very_much_of_later_is_cut_in_the_middle() -> None:
    told = Told(max_num_seqs=1, max_retries=99)
    told.submit("r0")
    for _ in range(30):
        told.desk.fail(told.desk.call())
    later = told.why("r0", turn=1).later
    assert len(later) == MAX_LATER + 2  # a line for those between, one for the head
    assert "more between" in later[MAX_LATER // 2].words


def test_an_id_that_was_used_again_is_explained_as_of_its_moment() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0, max_tokens=1)
    told.step()
    ended = told.turn
    told.submit("r0", index=1)
    told.step()
    assert told.why("r0").state == "runs"
    assert told.why("r0", turn=ended).state == "ended"
    assert told.why("r0", turn=ended).later == []


def test_every_waiting_request_is_looked_at_once_for_a_place() -> None:
    class Counting(Fcfs):
        asked = 0

        def key(self, candidate: Candidate) -> Key:
            self.asked += 1
            return super().key(candidate)

    policy = Counting()
    told = Told(max_num_seqs=1, policy=policy)
    for index in range(500):
        told.submit(f"r{index}", index=index)
    told.step()
    told.why("r400")
    policy.asked = 0
    assert told.words("r400", "place") == "400 of 499 under fcfs"
    assert policy.asked <= 499 + 3


def test_a_history_of_nothing_explains_nothing() -> None:
    history = BatchHistory(1, None, Fcfs())
    assert explain("r0", 0, history.empty(), history) is None


def test_a_moment_before_the_order_changed_is_explained_by_the_order_of_then() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0)
    told.submit("r1", index=1, priority=5)
    told.submit("r2", index=2, priority=1)
    told.step()
    then = told.turn
    told.recorder.take(Configured(body=Options(policy="priority")))
    told.step()
    assert told.words("r2", "place") == "1 of 2 under priority"
    assert told.words("r2", "place", turn=then) == "2 of 2 under fcfs"


def test_slots_that_are_given_up_are_not_counted() -> None:
    told = Told(max_num_seqs=3)
    for index, most in enumerate([9, 9, 2, 9]):
        told.submit(f"r{index}", index=index, max_tokens=most)
    told.recorder.take(Configured(body=Options(max_num_seqs=2)))
    told.step()
    told.submit("r4", index=4)
    told.step()
    assert told.words("r2", "rule") == "slots: all 2 taken"
    assert told.words("r2", "holder").startswith("r0 in slot 0")


@settings(max_examples=60)
@given(acts=ACTS, by_priority=st.booleans(), options=OPTIONS)
def test_everybody_ever_seen_is_explained_at_every_moment(
    acts: list[Act], by_priority: bool, options: dict[str, int]
) -> None:
    timeline = filmed(Play(by_priority=by_priority, **options), acts).timeline
    history = timeline.history
    assert isinstance(history, BatchHistory)
    for turn in range(timeline.num_turns + 1):
        view = timeline.view_at(turn)
        residents = {slot.request_id for slot in view.slots if slot.is_resident}
        for request_id in history.request_ids:
            found = explain(request_id, turn, view, history, head=timeline.view)
            assert found is not None
            assert (found.state == "waits") == (request_id in view.waiting)
            assert (found.state == "runs") == (request_id in residents)
            assert all(reason.words for reason in (*found.reasons, *found.later))
