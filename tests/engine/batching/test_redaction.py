"""What is taken out of a recording: every text and token of what was asked and answered."""

from __future__ import annotations

from batchtui.engine.batching import events as said
from batchtui.engine.batching.redaction import BLANK, Redaction, blank, hashed
from batchtui.engine.batching.request import Message, Request, SamplingParams
from batchtui.engine.debugger.recording import Entry, PromptEncoded, TokenSpelled, Turned
from batchtui.engine.machine import Aborted, Failure, Replied, Submitted
from batchtui.engine.model import Reply

KEY = bytes(32)
PLACE = {"seq": 1, "step": 0, "phase": "apply", "at": 5, "unit": "batch"}


def asked(**fields: object) -> Request:
    params = SamplingParams(stop=("secret stop",), stop_token_ids=(77,), max_tokens=4)
    return Request(request_id="r1", tenant="acme", params=params, **fields)  # type: ignore[arg-type]


def redacted(entry: Entry, key: bytes | None = None) -> list[Entry]:
    return Redaction(blank if key is None else hashed(key))([entry])


def request_of(entry: Entry, key: bytes | None = None) -> Request:
    (kept,) = redacted(entry, key)
    assert isinstance(kept, Submitted)
    body = kept.body
    assert isinstance(body, Request)
    return body


def test_a_request_keeps_who_and_how_many() -> None:
    kept = request_of(Submitted(body=asked(prompt="secret", expected="secret", prefix=(3, 4))))
    assert (kept.request_id, kept.tenant, kept.params.max_tokens) == ("r1", "acme", 4)
    assert (kept.prompt, kept.expected, kept.prefix) == ("", "", ())
    assert (kept.params.stop, kept.params.stop_token_ids) == ((BLANK,), (0,))


def test_the_tokens_of_a_prompt_become_their_number() -> None:
    assert request_of(Submitted(body=asked(prompt=(7, 8, 9)))).prompt == 3
    assert request_of(Submitted(body=asked(prompt=12))).prompt == 12


def test_a_chat_keeps_its_roles() -> None:
    chat = (Message("system", "secret"), Message("user", "secret"))
    kept = request_of(Submitted(body=asked(messages=chat)))
    assert kept.messages == (Message("system", ""), Message("user", ""))


def test_hashes_tell_which_texts_are_equal_and_nothing_more() -> None:
    first = request_of(Submitted(body=asked(prompt="secret", expected="secret")), KEY)
    assert first.prompt == first.expected
    assert isinstance(first.prompt, str)
    assert len(first.prompt) == 13
    assert first.prompt[0] == "#"
    other = request_of(Submitted(body=asked(prompt="secret")), bytes([1] * 32))
    assert other.prompt != first.prompt


def test_replies_and_what_the_vocabulary_said_are_gone() -> None:
    gone: list[Entry] = [
        Replied(work=1, body=Reply([(0, 1, "r1")], [[7]])),
        PromptEncoded(token_ids=[7, 8]),
        TokenSpelled(token=7, data=b"secret"),
    ]
    turn = Turned(step=0, phase="apply", at=5, unit="batch")
    assert Redaction(blank)([*gone, turn]) == [turn]


def test_two_turns_of_one_place_are_still_two() -> None:
    event = said.ResultsDelivered(**PLACE, request_ids=["r1"])  # type: ignore[arg-type]
    late = Replied(work=4, body=Reply([(0, 1, "r1")], [[7]]), final=False, late=True)
    redaction = Redaction(blank)
    assert redaction([event]) == [event]
    shell = Replied(work=4, body=Failure(kind="redacted"), final=False, late=True)
    assert redaction([late, event]) == [shell, event]
    abort = Aborted(target="r1")
    assert redaction([late, abort, event]) == [abort, event]


def test_tokens_become_zeros_and_what_is_held_is_still_held() -> None:
    event = said.TokensApplied(
        **PLACE,  # type: ignore[arg-type]
        work=1,
        slots=[0, 1],
        counts=None,
        tokens=[7, 8],
        held={1: "secret"},
        surplus=0,
    )
    (kept,) = redacted(event)
    assert isinstance(kept, said.TokensApplied)
    assert (kept.tokens, kept.held, kept.slots) == ([0, 0], {1: BLANK}, [0, 1])


def finished(finish_reason: str, stop_reason: str | int | None) -> str | int | None:
    event = said.RequestFinished(
        **PLACE,  # type: ignore[arg-type]
        request_id="r1",
        index=0,
        slot=0,
        generation=1,
        finish_reason=finish_reason,
        stop_reason=stop_reason,
        error=None,
        output_tokens=3,
        blocks=1,
        arrival_us=0,
    )
    (kept,) = redacted(event)
    assert isinstance(kept, said.RequestFinished)
    return kept.stop_reason


def test_a_stop_is_no_longer_told_but_that_it_was_one_is() -> None:
    assert finished("stop", "secret") == BLANK
    assert finished("stop", 77) == 0
    assert finished("stop", None) is None
    assert finished("abort", "deadline") == "deadline"


def test_deltas_are_counted_and_not_told() -> None:
    event = said.TextDelivered(**PLACE, keys=[(0, 1, "r1")], texts=["secret"])  # type: ignore[arg-type]
    (kept,) = redacted(event)
    assert isinstance(kept, said.TextDelivered)
    assert kept.texts == [""]


def test_why_a_prompt_could_not_be_encoded_may_quote_it() -> None:
    for code, message in (("encoding_failed", ""), ("duplicate_id", "secret")):
        event = said.RequestRefused(
            **PLACE,  # type: ignore[arg-type]
            request_id="r1",
            index=0,
            code=code,
            message="secret",
        )
        (kept,) = redacted(event)
        assert isinstance(kept, said.RequestRefused)
        assert kept.message == message
