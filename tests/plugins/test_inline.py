"""A machine run where it is called, on a clock that only moves when the test says so."""

from __future__ import annotations

from collections.abc import Callable
from threading import get_ident
from typing import Any

import anyio
import msgspec
import pytest
from tests.engine.machines.pairs import PairTests
from tests.engine.machines.tickets import Tickets

from batchtui.engine.machine import Failure, Input, Replied, Submitted, Work
from batchtui.plugins.inline import run_inline


class Clock:
    """Seconds that pass when somebody works or sleeps."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


class Limited(PairTests):
    """Keeps its replies; its tests may take a second."""

    def __init__(self) -> None:
        super().__init__()
        self.replies: list[Replied[Any]] = []
        self.take(Submitted(body=["n0", "n1"]))

    def take(self, input: Input) -> None:
        if isinstance(input, Replied):
            self.replies.append(input)
        super().take(input)

    def _work(self, pair: tuple[str, str]) -> Work:
        return msgspec.structs.replace(super()._work(pair), timeout_us=1_000_000)


def run(machine: Any, perform: Callable[[Work], object]) -> Clock:
    clock = Clock()

    def taking_a_while(work: Work) -> object:
        clock.seconds += 0.25
        return perform(work)

    run_inline(machine, taking_a_while, clock=clock, sleep=clock.sleep)
    return clock


def test_work_is_done_in_the_callers_thread_one_after_the_other() -> None:
    machine, busy, done = PairTests(), list[int](), list[int]()
    machine.take(Submitted(body=[f"n{number}" for number in range(8)]))

    def perform(work: Work) -> bool:
        busy.append(get_ident())
        assert len(busy) == 1
        done.append(busy.pop())
        return "n3" not in work.spec

    clock = run(machine, perform)
    assert set(done) == {get_ident()}
    assert [node for node, verdict in machine.verdicts.items() if verdict == "bad"] == ["n3"]
    assert clock.seconds == 100 + 0.25 * len(done)


def test_the_machines_time_begins_at_0() -> None:
    machine = Tickets()
    machine.take(Submitted(body="a"))
    asked = list[int]()

    def perform(work: Work) -> int:
        asked.append(work.spec.asked_at)
        return 0

    run(machine, perform)
    assert asked == [0, 250_000]


def test_it_sleeps_until_the_machine_wants_to_be_woken() -> None:
    machine = Tickets()
    machine.take(Submitted(body="a"))
    asked = list[int]()

    def perform(work: Work) -> object:
        asked.append(work.spec.asked_at)
        return 9_000_000 if len(asked) == 1 else 0 if work.spec.stage == "quota" else "yes"

    run(machine, perform)
    assert asked == [0, 9_000_000, 9_250_000]
    assert machine.answers == {"a": "yes"}


def test_what_took_too_long_has_failed_and_its_answer_is_late() -> None:
    machine, clock = Limited(), Clock()

    def perform(work: Work) -> bool:
        clock.seconds += 3 if work.id == 1 else 1
        return True

    run_inline(machine, perform, clock=clock, sleep=clock.sleep)
    told = [(reply.work, reply.body, reply.final, reply.late) for reply in machine.replies]
    assert told == [
        (1, Failure(kind="timeout"), True, False),
        (1, True, False, True),
        (2, True, True, False),
    ]


def test_an_awaitable_is_run_and_given_up_after_its_timeout() -> None:
    outcomes = list[str]()

    class Brief(Limited):
        def _work(self, pair: tuple[str, str]) -> Work:
            return msgspec.structs.replace(super()._work(pair), timeout_us=1_000)

    async def answer(work: Work) -> bool:
        if work.id == 1:
            try:
                await anyio.sleep_forever()
            finally:
                outcomes.append("interrupted")
        return True

    machine = Brief()
    run_inline(machine, answer)
    assert machine.replies[0].body == Failure(kind="timeout")
    assert outcomes == ["interrupted"]
    assert machine.verdicts == {"n0": "good", "n1": "good"}


@pytest.mark.parametrize("error", [ValueError("secret"), SystemExit("secret")])
def test_an_exception_is_a_failure(error: BaseException) -> None:
    machine, raised = Limited(), list[int]()

    def perform(work: Work) -> bool:
        if not raised:
            raised.append(work.id)
            raise error
        return True

    run(machine, perform)
    body = machine.replies[0].body
    assert isinstance(body, Failure)
    assert (body.kind, "secret" in repr(body)) == ("raise", False)


def test_ctrl_c_comes_out_at_once() -> None:
    def perform(work: Work) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Limited(), perform)
