from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

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
