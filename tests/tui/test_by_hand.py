"""What is typed about a request or about options, and what is said of what makes no sense."""

from __future__ import annotations

import pytest

from batchtui.engine.batching.options import Options
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.by_hand import FIELDS, option_fields, options_now, options_of, request_of

TYPED = {field.name: field.value for field in FIELDS} | {"prompt": "hello"}


def test_a_prompt_alone_is_enough() -> None:
    request = request_of(TYPED, index=20, now=1_500)
    assert (request.request_id, request.index) == ("hand-20", 20)
    assert (request.prompt, request.arrival_us) == ("hello", 1_500)
    assert (request.params.max_tokens, request.params.stop) == (32, ())


def test_everything_that_was_typed_is_in_the_request() -> None:
    typed = {
        "prompt": " keep blanks ",
        "max_tokens": " 7 ",
        "min_tokens": "2",
        "stop": '["END", "\\n"]',
        "priority": "-3",
        "tenant": " acme ",
        "request_id": " mine ",
    }
    request = request_of(typed, index=1, now=0)
    assert (request.request_id, request.tenant, request.priority) == ("mine", "acme", -3)
    assert request.prompt == " keep blanks "
    assert (request.params.max_tokens, request.params.min_tokens) == (7, 2)
    assert request.params.stop == ("END", "\n")


def test_a_stop_that_is_no_list_is_one_string() -> None:
    assert request_of(TYPED | {"stop": "a b"}, index=0, now=0).params.stop == ("a b",)


@pytest.mark.parametrize(
    ("name", "text", "seen"),
    [
        ("prompt", "  ", "the prompt is empty"),
        ("max_tokens", "many", "max_tokens is not a whole number"),
        ("max_tokens", "", "max_tokens is not a whole number"),
        ("max_tokens", "0", "max_tokens"),
        ("min_tokens", "-1", "min_tokens"),
        ("min_tokens", "33", "min_tokens"),
        ("stop", '["END"', "not a JSON list of strings"),
        ("stop", "[1]", "not a JSON list of strings"),
        ("stop", '[""]', "stop"),
        ("priority", "1.5", "priority is not a whole number"),
        ("priority", "9" * 30, "priority"),
        ("max_tokens", "9" * 30, "max_tokens"),
        ("max_tokens", "9" * 5000, "max_tokens"),
        ("prompt", "\ud800", "prompt"),
    ],
)
def test_what_makes_no_sense_is_told_by_its_name(name: str, text: str, seen: str) -> None:
    with pytest.raises(ValueError, match=seen) as caught:
        request_of(TYPED | {name: text}, index=0, now=0)
    assert "\n" not in str(caught.value)


def test_the_options_are_those_of_where_one_looks(demo_at_12: BatchSession) -> None:
    slots, policy, where = option_fields(demo_at_12, here=True)
    assert (slots.value, policy.value, where.value) == ("8", "fcfs", "here")
    assert set(policy.choices) == {"fcfs", "priority"}
    assert [field.name for field in option_fields(demo_at_12, here=False)] == ["slots", "policy"]
    assert options_now(demo_at_12) == Options(max_num_seqs=8, policy="fcfs")


def test_options_that_were_typed() -> None:
    assert options_of({"slots": "3", "policy": "priority"}) == Options(
        max_num_seqs=3, policy="priority"
    )


@pytest.mark.parametrize(
    ("slots", "policy", "seen"),
    [
        ("0", "fcfs", "max_num_seqs is 0: want 1"),
        ("-2", "fcfs", "max_num_seqs is -2"),
        ("x", "fcfs", "slots is not a whole number"),
        ("9999999999", "fcfs", "max_num_seqs"),
        ("4", "nosuch", "nosuch"),
        ("9", "fcfs", "the model was opened for 8"),
    ],
)
def test_options_that_make_no_sense_are_told(slots: str, policy: str, seen: str) -> None:
    with pytest.raises(ValueError, match=seen):
        options_of({"slots": slots, "policy": policy}, 8 if slots == "9" else None)
