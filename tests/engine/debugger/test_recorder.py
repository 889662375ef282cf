"""The recorder stands before a machine and writes down what it takes, asks and decides."""

from __future__ import annotations

import pytest
from tests.engine.batching.table import request
from tests.engine.debugger.runs import Kept, recorder, run

from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import PromptEncoded, TokenSpelled, Turned, TurnRecord
from batchtui.engine.errors import InvariantError
from batchtui.engine.machine import Input, Status, Submitted, Turn


class Odd:
    """A machine that does what it is told."""

    unit, phases, step = "odd", ("one",), 3
    status: Status = "ready"

    def __init__(self, turn: Turn | BaseException) -> None:
        self.made = turn

    def take(self, input: Input) -> None:
        """Nothing."""

    def wake_at(self) -> int | None:
        return 77

    def turn(self, now: int) -> Turn:
        if isinstance(self.made, BaseException):
            raise self.made
        return self.made


def test_inputs_are_numbered_and_dated_by_the_turn_that_decides() -> None:
    log, _ = run()
    inputs = [entry for entry in log.entries if isinstance(entry, Input)]
    assert [each.seq for each in inputs] == list(range(1, len(inputs) + 1))
    assert {each.unit for each in inputs} == {"batch"}
    assert inputs[0].at == 10
    assert [each.at for each in inputs] == sorted(each.at for each in inputs)


def test_a_turn_is_inputs_then_facts_then_events() -> None:
    log, _ = run()
    kinds = [type(entry) for entry in log.turns[0]]
    assert kinds[:6] == [Submitted] * 3 + [PromptEncoded] * 3
    assert all(kind not in (Submitted, PromptEncoded) for kind in kinds[6:])


def test_each_token_is_spelled_once() -> None:
    log, _ = run()
    spelled = [entry.token for entry in log.entries if isinstance(entry, TokenSpelled)]
    assert sorted(spelled) == sorted(set(spelled))
    assert spelled


def test_who_watches_is_told_after_it_was_written() -> None:
    log = Kept()
    seen: list[int] = []
    machine = recorder(log, [])
    machine.watch = lambda record: seen.append(len(log.turns))
    machine.take(Submitted(body=request("a", prompt="b")))
    machine.turn(0)
    machine.turn(0)
    assert seen == [1, 2]


def test_before_a_call_all_is_safe_where_that_was_asked_for() -> None:
    for flushes, num_safe in ((False, 0), (True, 2)):
        log = Kept()
        machine = recorder(log, [])
        machine.flushes = flushes
        machine.take(Submitted(body=request("a", prompt="b")))
        machine.turn(0)
        assert log.num_safe == 0
        assert machine.turn(0).start
        assert log.num_safe == num_safe


def test_a_turn_that_decides_nothing_is_written() -> None:
    log, watched = Kept(), list[TurnRecord]()
    machine = Recorder(Odd(Turn(phase="one", events=[], start=[], cancel=[])), log)
    machine.watch = watched.append
    machine.turn(5)
    assert log.entries == [Turned(step=3, phase="one", at=5, unit="odd")]
    assert watched[0].events == []


def test_a_bug_leaves_what_led_to_it() -> None:
    log = Kept()
    machine = Recorder(Odd(InvariantError("broken")), log)
    machine.take(Submitted(body=1))
    with pytest.raises(InvariantError, match="broken"):
        machine.turn(5)
    assert log.entries == [Submitted(body=1, seq=1, unit="odd")]
    assert log.num_safe == 1


def test_it_is_the_machine_to_whoever_drives_it() -> None:
    machine = Recorder(Odd(Turn(phase="one", events=[], start=[], cancel=[])))
    assert (machine.unit, machine.phases, machine.status, machine.step) == (
        "odd",
        ("one",),
        "ready",
        3,
    )
    assert machine.wake_at() == 77
    assert machine.turn(0).phase == "one"
    machine.flush()
