"""A run that is begun again is answered as it was recorded, then by the model."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from batchtui.engine.batching.events import CallStarted
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.machine import Failure, Input, Replied, Work
from batchtui.engine.model import Call, Reply
from batchtui.plugins.models.function import FunctionModel
from batchtui.plugins.recall import RecallingCaller

KEY = (0, 1, "r0")


class Counted(FunctionModel):
    """Answers every row with a 9 and counts its calls."""

    def __init__(self) -> None:
        super().__init__(self.next_tokens)
        self.num_calls = 0

    def next_tokens(self, prefixes: list[list[int]]) -> list[list[int]]:
        self.num_calls += 1
        return [[9] for _ in prefixes]


def turn(*entries: Entry, at: int) -> TurnRecord:
    return TurnRecord(0, "call", at, "batch", list(entries))


def started(work: int, at: int) -> TurnRecord:
    event = CallStarted(
        seq=work,
        step=0,
        phase="call",
        at=at,
        unit="batch",
        work=work,
        slots=[0],
        attempt=1,
        num_prefills=0,
        prefill_tokens=0,
    )
    return turn(event, at=at)


def replied(work: int, at: int, *, final: bool = True, late: bool = False) -> TurnRecord:
    return turn(Replied(work=work, body=body(5), at=at, final=final, late=late), at=at)


def body(token: int) -> Reply:
    return Reply([KEY], [[token]])


def work(number: int) -> Work:
    row: Any = SimpleNamespace(key=KEY, prompt_token_ids=[1], num_prompt_tokens=1, token_ids=[])
    return Work(id=number, spec=Call([row], [KEY]))


def recalling(model: Counted, past: list[TurnRecord]) -> RecallingCaller:
    return RecallingCaller(model, (), {}, "batch", past)


def tokens(answers: Iterable[tuple[int, Input]]) -> list[tuple[int, object]]:
    return [
        (delay, input.body.tokens if isinstance(input.body, Reply) else input.body)
        for delay, input in answers
        if isinstance(input, Replied)
    ]


def test_a_recorded_call_is_answered_after_the_time_that_it_took() -> None:
    model = Counted()
    caller = recalling(model, [started(1, 100), replied(1, 350)])
    assert tokens(caller(work(1))) == [(250, [[5]])]
    assert model.num_calls == 0


def test_a_call_that_was_not_recorded_goes_to_the_model() -> None:
    model = Counted()
    caller = recalling(model, [started(1, 100), replied(1, 350)])
    list(caller(work(1)))
    ((_, answer),) = tokens(caller(work(2)))
    assert (answer, model.num_calls) == ([[9]], 1)


def test_a_call_is_recalled_once() -> None:
    model = Counted()
    caller = recalling(model, [started(1, 100), replied(1, 350)])
    list(caller(work(1)))
    list(caller(work(1)))
    assert model.num_calls == 1


def test_all_that_came_of_a_call_comes_again_in_its_order() -> None:
    failed = turn(Replied(work=1, body=Failure(kind="timeout"), at=200), at=200)
    late = replied(1, 900, final=False, late=True)
    caller = recalling(Counted(), [started(1, 100), failed, late])
    answers = list(caller(work(1)))
    assert [delay for delay, _ in answers] == [100, 800]
    assert [input.late for _, input in answers if isinstance(input, Replied)] == [False, True]


def test_one_whose_answer_had_not_come_is_asked_of_the_model() -> None:
    """The fork begins in the middle of the call."""
    model = Counted()
    list(recalling(model, [started(1, 100)])(work(1)))
    assert model.num_calls == 1
    list(recalling(model, [started(1, 100), replied(1, 300, final=False)])(work(1)))
    assert model.num_calls == 2


def test_a_reply_to_a_call_that_is_not_there_is_passed_over() -> None:
    model = Counted()
    list(recalling(model, [replied(7, 300)])(work(7)))
    assert model.num_calls == 1
