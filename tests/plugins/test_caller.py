from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from batchtui.engine.batching.request import TokenLogprob
from batchtui.engine.machine import Failure, Replied, Work
from batchtui.engine.model import Call, Key, Reply, Row
from batchtui.plugins.caller import ModelCaller

KEYS: list[Key] = [(0, 1, "a"), (1, 1, "b")]


class Ambiguous:
    """Compares as an array does: whether it is equal has no truth value."""

    __hash__ = None  # type: ignore[assignment]  # as an array's

    def __eq__(self, other: object) -> bool:
        raise ValueError("the truth value of an array is ambiguous")


class Answers:
    """A black box that answers with whatever it was given, or raises it."""

    name = "answers"
    max_model_len = None
    eos_token_ids = frozenset({0})

    def __init__(self, answer: Any) -> None:  # a plugin may return anything
        self.answer = answer

    def encode(self, text: str) -> list[int]:
        return [1] * len(text)

    def token_bytes(self, token: int) -> bytes:
        return b"x"

    def forward(self, rows: Sequence[Row]) -> Reply:
        if isinstance(self.answer, Exception):
            raise self.answer
        reply: Reply = self.answer
        return reply


def call(answer: object, *, timeout_us: int | None = None) -> list[tuple[int, Replied[Any]]]:
    rows: list[Any] = [SimpleNamespace(key=key) for key in KEYS]  # nobody looks into them
    work = Work(id=7, spec=Call(rows=rows, keys=KEYS), timeout_us=timeout_us)
    outcome = ModelCaller(Answers(answer))(work)
    return [(delay, input) for delay, input in outcome if isinstance(input, Replied)]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (None, "type"),
        ([[1], [2]], "type"),
        (Reply(KEYS, [(1,), [2]], 5), "type"),  # type: ignore[list-item]
        (Reply(KEYS, [[1], ["2"]], 5), "type"),  # type: ignore[list-item]
        (Reply(KEYS, [[1], [True]], 5), "type"),
        (Reply([[0, 1, "a"], (1, 1, "b")], [[1], [2]], 5), "shape"),  # type: ignore[list-item]
        (Reply([(0, 1, "a"), (99, 1, "b")], [[1], [2]], 5), "shape"),
        (Reply(None, [[1], [2]], 5), "shape"),  # type: ignore[arg-type]
        (Reply(Ambiguous(), [[1], [2]], 5), "shape"),  # type: ignore[arg-type]
        (Reply(KEYS, None, 5), "type"),  # type: ignore[arg-type]
        (Reply(KEYS, (new for new in ([1], [2])), 5), "type"),  # type: ignore[arg-type]
        (Reply(KEYS, [[1], [2]], -5), "type"),
        (Reply(KEYS, [[1], [2]], 5.5), "type"),  # type: ignore[arg-type]
        (Reply(KEYS, [[1], [2]], float("nan")), "type"),  # type: ignore[arg-type]
        (Reply(KEYS, [[1], [2]], "5"), "type"),  # type: ignore[arg-type]
        (Failure(kind="raise", detail="said by the model itself"), "type"),
    ],
)
def test_what_is_no_reply_to_this_call_never_reaches_the_engine(answer: object, kind: str) -> None:
    ((_, replied),) = call(answer)
    assert isinstance(replied.body, Failure)
    assert replied.body.kind == kind


def test_a_reply_comes_after_its_own_time() -> None:
    reply = Reply(KEYS, [[1], [2, 3]], 5)
    assert call(reply) == [(5, Replied(work=7, body=reply))]
    assert call(reply, timeout_us=5) == [(5, Replied(work=7, body=reply))]


def test_a_call_over_its_time_fails_and_its_reply_comes_late() -> None:
    reply = Reply(KEYS, [[1], [2]], 50)
    (failed_at, failed), (came_at, late) = call(reply, timeout_us=20)
    assert (failed_at, failed.body) == (20, Failure(kind="timeout"))
    assert (came_at, late.late, late.final, late.body) == (50, True, False, reply)


def test_an_exception_is_named_by_type_and_place_never_by_its_message() -> None:
    ((_, replied),) = call(RuntimeError("the prompt was: secret"))
    assert isinstance(replied.body, Failure)
    assert replied.body.kind == "raise"
    assert replied.body.detail.startswith("RuntimeError at test_caller.py:")
    assert "secret" not in replied.body.detail


GOOD = [TokenLogprob(1, -0.5, ((1, -0.5), (2, -3.0)))], None


def logprobs(*rows: Any) -> Reply:  # Any: a plugin may return anything
    return Reply(KEYS, [[1], [2, 3]], 5, list(rows))


def entry(token: Any = 1, logprob: Any = -0.5, *top: Any) -> list[TokenLogprob]:
    return [TokenLogprob(token, logprob, top)]


@pytest.mark.parametrize("rows", [GOOD, (None, None), ([TokenLogprob(1, 0.001)], None)])
def test_logprobs_come_with_their_reply(rows: tuple[Any, ...]) -> None:
    reply = logprobs(*rows)
    assert call(reply) == [(5, Replied(work=7, body=reply))]


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        (Reply(KEYS, [[1], [2]], 5, GOOD), "logprobs is not a list with a place for each key"),  # type: ignore[arg-type]
        (logprobs(None), "logprobs is not a list with a place for each key"),
        (logprobs((), None), "of a row are not a list as long as its tokens"),
        (logprobs([], None), "of a row are not a list as long as its tokens"),
        (logprobs(None, entry(2)), "of a row are not a list as long as its tokens"),
        (logprobs([-0.5], None), "a logprob is of type float, not TokenLogprob"),
        (logprobs(entry(2), None), "a logprob is of another token than its place has"),
        (logprobs(entry(True), None), "the token id of a logprob is not an int"),
        (logprobs(entry(1, -1), None), "a logprob is of type int, not float"),
        (logprobs(entry(1, None), None), "a logprob is of type NoneType, not float"),
        (logprobs(entry(1, math.nan), None), "a logprob is nan: want 0 or less"),
        (logprobs(entry(1, math.inf), None), "a logprob is inf: want 0 or less"),
        (logprobs(entry(1, 0.5), None), "a logprob is 0.5: want 0 or less"),
        (logprobs(entry(1, -1.0, (2, "SECRET")), None), "a logprob is of type str, not float"),
        (logprobs(entry(1, -1.0, (-2, -1.0)), None), "the token id of a logprob is not an int"),
        (logprobs(entry(1, -1.0, (2**63, -1.0)), None), "the token id of a logprob is not an int"),
        (logprobs(entry(1, -1.0, (2,)), None), "the top of a logprob is not a tuple of pairs"),
        (logprobs([TokenLogprob(1, -1.0, [(2, -1.0)])], None), "the top of a logprob is not a"),  # type: ignore[arg-type]
        (logprobs(entry(1, -1.0, *[(2, -1.0)] * 21), None), "has 21 tokens: want 20 at most"),
    ],
)
def test_logprobs_of_another_shape_fail_the_call_and_say_why(answer: Reply, seen: str) -> None:
    ((_, replied),) = call(answer)
    assert isinstance(replied.body, Failure)
    assert replied.body.kind == "type"
    assert seen in replied.body.detail
    assert "SECRET" not in replied.body.detail


def test_minus_infinity_becomes_a_number_that_json_can_say() -> None:
    never = TokenLogprob(2, -math.inf, ((5, -0.5), (3, -math.inf)))
    ((_, replied),) = call(logprobs(None, [never, TokenLogprob(3, -1.0)]))
    bounded = TokenLogprob(2, -9999.0, ((5, -0.5), (3, -9999.0)))
    assert replied.body.logprobs == [None, [bounded, TokenLogprob(3, -1.0)]]
