from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.engine.batching.table import Letters, request

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.intake import Intake, Refusal
from batchtui.engine.batching.request import Message
from batchtui.engine.batching.sequence import Entry

CHAT = (Message("user", "secret"), Message("assistant", ""))


class Codes:
    """A token is a character's code; a chat has one a message and the role's first letter."""

    eos_token_ids = frozenset({0})

    def encode(self, text: str) -> list[int]:
        return list(map(ord, text))

    def token_bytes(self, token: int) -> bytes:
        return chr(token).encode()


class Chatty(Codes):
    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        return [ord(message.role[0]) for message in messages]


def intake(**options: int) -> Intake:
    return Intake(BatchingConfig(**options), Letters())


def accepted(door: Intake, request_id: str, **fields: Any) -> Entry:
    """The fields are those of ``request``, hence ``Any``."""
    entry = door.accept(request(request_id, **fields))
    assert isinstance(entry, Entry)
    return entry


def refused(door: Intake, request_id: str, **fields: Any) -> Refusal:
    """The fields are those of ``request``, hence ``Any``."""
    refusal = door.accept(request(request_id, **fields))
    assert isinstance(refusal, Refusal)
    return refusal


def test_a_prompt_is_a_text_its_tokens_or_their_number() -> None:
    door = intake()
    text = accepted(door, "a", prompt="abc")
    assert (text.prompt_token_ids, text.num_prompt_tokens) == ([1, 2, 3], 3)
    tokens = accepted(door, "b", prompt=(7, 8))
    assert (tokens.prompt_token_ids, tokens.num_prompt_tokens) == ((7, 8), 2)
    length = accepted(door, "c", prompt=10**9)
    assert (length.prompt_token_ids, length.num_prompt_tokens) == (None, 10**9)


def test_the_limit_is_what_the_pool_leaves_and_blocks_are_for_prompt_and_limit() -> None:
    entry = accepted(intake(num_gpu_blocks=4, block_size=5), "a", prompt=13, max_tokens=50)
    assert (entry.limit, entry.num_blocks) == (7, 4)
    entry = accepted(intake(num_gpu_blocks=4, block_size=5), "a", prompt=13, max_tokens=2)
    assert (entry.limit, entry.num_blocks) == (2, 3)


def test_no_room_for_one_token_is_refused_with_the_numbers() -> None:
    door = intake(max_model_len=8)
    assert accepted(door, "fits", prompt=7).limit == 1
    refusal = refused(door, "full", prompt=8)
    assert refusal.code == "context_length_exceeded"
    assert "the prompt has 8 tokens" in refusal.message
    assert "may have 8 together" in refusal.message


def test_a_living_id_is_refused_and_its_owner_stays() -> None:
    door = intake()
    owner = accepted(door, "x")
    assert refused(door, "x", index=1).code == "duplicate_id"
    assert door.living == {"x": owner}


def test_a_vocabulary_that_raises_loses_one_request_and_repeats_nothing_of_it() -> None:
    class Raises(Letters):
        def encode(self, text: str) -> list[int]:
            raise RuntimeError(f"cannot encode {text}")

    door = Intake(BatchingConfig(), Raises())
    refusal = refused(door, "a", prompt="secret")
    assert refusal.code == "encoding_failed"
    assert "secret" not in refusal.message
    assert door.living == {}


def test_deadlines_are_named_once_nearest_first_and_only_of_the_living() -> None:
    door = intake()
    accepted(door, "late", index=0, arrival_us=10, deadline_us=90)
    accepted(door, "soon", index=1, arrival_us=10, deadline_us=20)
    accepted(door, "gone", index=2, arrival_us=10, deadline_us=1)
    accepted(door, "never", index=3)
    del door.living["gone"]
    assert door.next_deadline() == 30
    assert door.expired(29) == []
    assert door.expired(100) == ["soon", "late"]
    assert door.expired(100) == []
    assert door.next_deadline() is None


def test_a_deadline_belongs_to_one_request_not_to_its_id() -> None:
    door = intake()
    accepted(door, "x", index=0, deadline_us=20)
    del door.living["x"]
    accepted(door, "x", index=1, deadline_us=50)
    assert door.next_deadline() == 50


def test_deadlines_of_those_who_have_ended_do_not_pile_up() -> None:
    door = intake()
    for index in range(1000):
        accepted(door, f"r{index}", index=index, deadline_us=10**15)
        del door.living[f"r{index}"]
    assert len(door.deadlines) <= 65


def test_messages_are_encoded_by_the_models_own_template() -> None:
    entry = accepted(Intake(BatchingConfig(), Chatty()), "a", messages=CHAT)
    assert (entry.prompt_token_ids, entry.num_prompt_tokens) == ([ord("u"), ord("a")], 2)


def test_messages_are_plain_text_for_a_model_without_a_template() -> None:
    entry = accepted(Intake(BatchingConfig(), Codes()), "a", messages=CHAT)
    text = "user: secret\nassistant: \nassistant:"
    assert (entry.prompt_token_ids, entry.num_prompt_tokens) == (list(map(ord, text)), len(text))


def test_messages_that_leave_no_room_are_refused_like_a_prompt() -> None:
    door = Intake(BatchingConfig(max_model_len=2), Chatty())
    assert refused(door, "a", messages=CHAT).code == "context_length_exceeded"
    assert accepted(door, "a", messages=CHAT[:1]).limit == 1


@pytest.mark.parametrize("has_template", [True, False])
def test_messages_that_cannot_be_encoded_lose_one_request_and_repeat_nothing(
    has_template: bool,
) -> None:
    class Raises(Codes):
        def encode(self, text: str) -> list[int]:
            raise ValueError(f"cannot encode {text}")

    class RaisesOnChat(Chatty):
        def encode_chat(self, messages: Sequence[Message]) -> list[int]:
            raise ValueError(f"cannot encode {messages}")

    door = Intake(BatchingConfig(), RaisesOnChat() if has_template else Raises())
    refusal = refused(door, "a", messages=CHAT)
    assert refusal.code == "encoding_failed"
    assert refusal.message == "the model could not encode the messages (ValueError)"
    assert door.living == {}


@pytest.mark.parametrize("answer", [None, 7, iter([1, 2, 3])])
def test_what_an_encoder_returns_is_tokens_or_loses_its_request(answer: Any) -> None:
    class Odd(Letters):
        def encode(self, text: str) -> Any:  # Any: it returns what an encoder must not
            return answer

    entry = Intake(BatchingConfig(), Odd()).accept(request("a", prompt="text"))
    if isinstance(entry, Refusal):
        assert entry.code == "encoding_failed"
    else:
        assert (entry.num_prompt_tokens, entry.prompt_token_ids) == (3, [1, 2, 3])
