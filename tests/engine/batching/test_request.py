from __future__ import annotations

import gc
import sys

import pytest

from batchtui.engine.batching.request import Message, Request, SamplingParams, chat_text

CHAT = (Message("system", "Be brief."), Message("user", ""), Message("assistant", "a\nb"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"max_tokens": 0}, "max_tokens is 0: want 1 or more"),
        ({"max_tokens": -4}, "max_tokens is -4: want 1 or more"),
        ({"min_tokens": -1}, "min_tokens is -1: want 0 to max_tokens, which is 16"),
        (
            {"min_tokens": 5, "max_tokens": 4},
            "min_tokens is 5: want 0 to max_tokens, which is 4",
        ),
        ({"stop": ""}, "stop holds an empty string: it would end every request at once"),
        ({"stop": ("x", "")}, "stop holds an empty string: it would end every request at once"),
        (
            {"stop": "\ud83d"},
            "stop holds half a surrogate pair: want text that has a UTF-8 form",
        ),
        ({"stop_token_ids": (3, -1)}, "stop_token_ids holds -1: want token ids from 0 up"),
        ({"temperature": -0.5}, "temperature is -0.5: want a number from 0 up"),
        ({"temperature": float("nan")}, "temperature is nan: want a number from 0 up"),
        ({"temperature": float("inf")}, "temperature is inf: want a number from 0 up"),
        ({"top_p": 0.0}, "top_p is 0.0: want more than 0 and at most 1"),
        ({"top_p": 1.5}, "top_p is 1.5: want more than 0 and at most 1"),
        ({"top_p": float("nan")}, "top_p is nan: want more than 0 and at most 1"),
        ({"logprobs": -1}, "logprobs is -1: want 0 to 20"),
        ({"logprobs": 21}, "logprobs is 21: want 0 to 20"),
    ],
)
def test_a_sampling_fault_names_the_field_the_value_and_what_is_wanted(
    fields: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError) as caught:
        SamplingParams(**fields)  # type: ignore[arg-type]
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"request_id": ""}, "request_id is empty: want a name"),
        ({"prompt": -1}, "prompt_tokens is -1: want 0 or more"),
        (
            {"prompt": (4, -2)},
            "prompt_token_ids holds a negative number: want token ids from 0 up",
        ),
        ({"arrival_us": -2_500_000}, "arrival_s is -2.5: want 0 or more"),
        ({"deadline_us": 0}, "deadline_s is 0.0: want more than 0"),
        ({"deadline_us": -1}, "deadline_s is -1e-06: want more than 0"),
        ({"messages": CHAT, "prompt": ""}, "both messages and a prompt are given: want one"),
        ({"messages": CHAT, "prompt": ()}, "both messages and a prompt are given: want one"),
        ({"messages": CHAT, "prompt": 3}, "both messages and a prompt are given: want one"),
    ],
)
def test_a_request_fault_names_the_field_the_value_and_what_is_wanted(
    fields: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError) as caught:
        Request(**({"request_id": "r", "params": SamplingParams()} | fields))  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_one_stop_string_and_none_become_tuples() -> None:
    assert SamplingParams(stop="END").stops == ("END",)
    assert SamplingParams(stop=None, stop_token_ids=None).stops == ()
    assert SamplingParams(stop_token_ids=None) == SamplingParams()


def test_the_bounds_themselves_are_accepted() -> None:
    params = SamplingParams(max_tokens=1, min_tokens=1, temperature=0.0, top_p=1.0, logprobs=20)
    assert Request(request_id="r", params=params, prompt=0, deadline_us=1).deadline_us == 1


@pytest.mark.parametrize("role", ["tool", "User", "", "my secret is 4711"])
def test_a_role_of_its_own_is_refused_and_not_repeated(role: str) -> None:
    with pytest.raises(ValueError) as caught:
        Message(role, "Hello")
    assert str(caught.value) == "role is unknown: want system, user or assistant"


def test_a_chat_as_text_has_a_line_for_each_message_and_asks_for_the_next() -> None:
    assert chat_text(CHAT) == "system: Be brief.\nuser: \nassistant: a\nb\nassistant:"


def test_a_request_is_small_and_no_work_for_the_garbage_collector() -> None:
    plain = Request(request_id="r", params=SamplingParams())
    assert sys.getsizeof(plain) <= 104
    assert not gc.is_tracked(plain)
