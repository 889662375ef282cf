"""How a free run is paced, on a clock that the test moves."""

from __future__ import annotations

import pytest

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.pace import SPEEDS, FrameRate, FreeRun


class Clock:
    """Seconds; each reading takes ``cost``."""

    def __init__(self, cost: float = 0.0) -> None:
        self.now = 0.0
        self.cost = cost

    def __call__(self) -> float:
        self.now += self.cost
        return self.now


def test_five_steps_a_second_are_a_fifth_of_a_second_apart(demo: BatchSession) -> None:
    clock = Clock()
    run = FreeRun(demo, clock)
    run.start()
    assert run.slice() == pytest.approx(0.2)
    assert demo.step == 0
    clock.now = 0.1
    assert run.slice() == pytest.approx(0.1)
    assert demo.step == 0
    clock.now = 0.2
    run.slice()
    assert demo.step == 1


def test_a_busy_screen_is_not_made_up_for_in_a_burst(demo: BatchSession) -> None:
    clock = Clock()
    run = FreeRun(demo, clock)
    run.start()
    run.slice()
    clock.now = 60.0
    run.slice()
    assert demo.step == 1


def test_as_fast_as_it_goes_begins_no_step_after_15_ms(demo: BatchSession) -> None:
    run = FreeRun(demo, Clock(cost=0.004))
    for _ in SPEEDS:
        run.faster()
    assert run.words == "max"
    run.start()
    assert run.slice() == pytest.approx(0.001)
    assert demo.step == 2


def test_a_free_run_ends_with_the_run(demo: BatchSession) -> None:
    run = FreeRun(demo, Clock())
    for _ in SPEEDS:
        run.faster()
    run.start()
    assert run.slice() is None
    assert demo.ended


def test_running_to_a_step_stops_there(demo: BatchSession) -> None:
    run = FreeRun(demo, Clock())
    assert run.run_to(12)
    assert demo.step == 12


def test_running_to_a_step_gives_the_screen_its_turns(demo: BatchSession) -> None:
    run = FreeRun(demo, Clock(cost=0.01))
    assert not run.run_to(12)
    assert demo.step < 12


def test_a_step_after_the_end_is_as_far_as_it_goes(demo: BatchSession) -> None:
    assert FreeRun(demo, Clock()).run_to(10_000)
    assert demo.ended


def test_speeds_have_ends(demo: BatchSession) -> None:
    run = FreeRun(demo, Clock())
    for _ in range(9):
        run.slower()
    assert run.words == "1/s"


def test_frames_that_take_too_long_come_half_as_often_and_recover() -> None:
    rate = FrameRate(10)
    rate.took(0.06)
    assert rate.interval == pytest.approx(0.2)
    for _ in range(9):
        rate.took(0.9)
    assert rate.interval == pytest.approx(1.0)
    for _ in range(9):
        rate.took(0.001)
    assert rate.interval == pytest.approx(0.1)
