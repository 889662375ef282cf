"""The contract of a machine, tried on two that are nothing like batching."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.machines.pairs import NodeJudged, PairTests
from tests.engine.machines.tickets import Question, TicketDecided, Tickets

from batchtui.engine.debugger.driver import Driver
from batchtui.engine.machine import (
    Aborted,
    Event,
    Failure,
    Input,
    Machine,
    Replied,
    Submitted,
    Work,
)
from batchtui.engine.simulate import Performer, Simulation, TimedFeed

Answer = Callable[[Work], object]


class Seen:
    """A view that keeps every event."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def fold(self, event: Event) -> None:
        self.events.append(event)


def drive(machine: Machine, perform: Performer, inputs: Iterable[Input]) -> tuple[Driver, Seen]:
    seen = Seen()
    return Driver(Simulation(machine, perform, TimedFeed(inputs)), seen), seen


def run(machine: Machine, perform: Performer, inputs: Iterable[Input]) -> list[Event]:
    driver, seen = drive(machine, perform, inputs)
    assert not driver.run_until(lambda: False)
    assert machine.status == "done"
    return seen.events


def pair_probe(bad: set[str]) -> Performer:
    """The first of a pair says how long its test takes, so replies come in any order."""

    def perform(work: Work) -> list[tuple[int, Input]]:
        duration = 100 + 37 * int(work.spec[0][1:]) % 500
        return [(duration, Replied(work=work.id, body=bad.isdisjoint(work.spec)))]

    return perform


def nodes(count: int) -> list[str]:
    return [f"n{number}" for number in range(count)]


@given(count=st.integers(4, 40), bad=st.sets(st.integers(2, 39), max_size=8))
def test_every_bad_node_is_found_and_no_good_one_is_blamed(count: int, bad: set[int]) -> None:
    machine, guilty = PairTests(), {f"n{number}" for number in bad if number < count}
    events = run(machine, pair_probe(guilty), [Submitted(body=nodes(count))])
    verdicts = {event.node: event.verdict for event in events if isinstance(event, NodeJudged)}
    assert verdicts == {node: "bad" if node in guilty else "good" for node in nodes(count)}
    assert len(events) == count
    assert machine.most_open == count // 2


def test_tests_that_run_at_once_share_no_node() -> None:
    machine, busy = PairTests(), set[str]()
    probe = pair_probe({"n5", "n8"})

    def perform(work: Work) -> Iterable[tuple[int, Input]]:
        assert busy.isdisjoint(work.spec)
        busy.update(work.spec)
        return probe(work)

    simulation = Simulation(machine, perform, TimedFeed([Submitted(body=nodes(12))]))
    for _ in simulation:
        busy.intersection_update({node for pair in machine.open.values() for node in pair})
    assert machine.verdicts["n5"] == machine.verdicts["n8"] == "bad"


def test_replies_come_in_the_order_of_their_times_not_of_their_starts() -> None:
    slowest_first = {"n0": 900, "n2": 500, "n4": 100}

    def perform(work: Work) -> list[tuple[int, Input]]:
        return [(slowest_first[work.spec[0]], Replied(work=work.id, body=True))]

    events = run(PairTests(), perform, [Submitted(body=nodes(6))])
    judged = [(event.at, event.node) for event in events if isinstance(event, NodeJudged)]
    assert [node for _, node in judged] == ["n4", "n5", "n2", "n3", "n0", "n1"]
    assert [at for at, _ in judged] == [100, 100, 500, 500, 900, 900]


def test_a_failed_test_is_run_again_and_a_dead_host_is_lost() -> None:
    tries: dict[tuple[str, str], int] = {}

    def perform(work: Work) -> list[tuple[int, Input]]:
        tries[work.spec] = tries.get(work.spec, 0) + 1
        if "n3" in work.spec:
            return [(5, Replied(work=work.id, body=Failure(kind="unreachable", retryable=False)))]
        if work.spec == ("n0", "n1") and tries[work.spec] == 1:
            late = Replied(work=work.id, body=True, final=False, late=True)
            return [(5, Replied(work=work.id, body=Failure(kind="timeout"))), (50, late)]
        return [(9, Replied(work=work.id, body=True))]

    machine = PairTests()
    run(machine, perform, [Submitted(body=nodes(6))])
    assert tries["n0", "n1"] == 2
    assert machine.verdicts == dict.fromkeys(nodes(6), "good") | {"n2": "lost", "n3": "lost"}
    assert machine.num_late == 1


def test_nodes_that_come_later_join_the_tests_that_run() -> None:
    machine = PairTests()
    inputs = [Submitted(body=nodes(4)), Submitted(at=120, body=["n8", "n9"])]
    events = run(machine, pair_probe({"n9"}), inputs)
    assert machine.verdicts == dict.fromkeys([*nodes(4), "n8"], "good") | {"n9": "bad"}
    assert max(event.at for event in events) > 120


def test_the_driver_steps_it_by_phases_and_by_whole_steps() -> None:
    driver, seen = drive(PairTests(), pair_probe({"n3"}), [Submitted(body=nodes(4))])
    phases = []
    for _ in range(4):
        driver.advance_phase()
        phases.append((driver.step, driver.phase))
    assert phases == [(0, "plan"), (0, "run"), (0, "deduce"), (1, "plan")]
    assert driver.advance_step()
    assert (driver.phase, driver.simulation.machine.step) == ("deduce", 2)
    assert driver.run_until(lambda: len(seen.events) >= 3)
    assert not driver.ended
    driver.run_until(lambda: False)
    assert driver.ended
    assert len(seen.events) == 4


def store_and_model(refills_at: dict[str, int], failures: dict[str, list[Failure]]) -> Performer:
    """A store whose quota comes back in time, and a model that fails as often as it is told."""

    def answer(question: Question) -> object:
        if question.stage == "model":
            left = failures.get(question.ticket, [])
            return left.pop(0) if left else f"hello {question.ticket}"
        refill = refills_at.get(question.ticket, 0)
        if refill < 0:
            return None
        return refill if question.asked_at < refill else 0

    def perform(work: Work) -> list[tuple[int, Input]]:
        delay = 10 if work.spec.stage == "quota" else 200
        return [(delay, Replied(work=work.id, body=answer(work.spec)))]

    return perform


def story(events: list[Event], ticket: str) -> list[tuple[int, str, str]]:
    return [
        (event.at, event.stage, event.decision)
        for event in events
        if isinstance(event, TicketDecided) and event.ticket == ticket
    ]


def submitted(*names: str) -> list[Input]:
    return [Submitted(body=name) for name in names]


def test_tickets_pass_both_stages_with_their_work_open_at_once() -> None:
    machine = Tickets()
    events = run(machine, store_and_model({}, {}), submitted("a", "b", "c"))
    assert machine.answers == {name: f"hello {name}" for name in "abc"}
    assert machine.most_open == 3
    assert story(events, "b") == [(10, "quota", "pass"), (210, "model", "pass")]


def test_a_held_ticket_wakes_at_its_time_and_holds_nobody_up() -> None:
    machine = Tickets()
    events = run(machine, store_and_model({"slow": 5_000}, {}), submitted("slow", "quick"))
    assert story(events, "quick")[-1] == (210, "model", "pass")
    assert story(events, "slow") == [
        (10, "quota", "hold"),
        (5_010, "quota", "pass"),
        (5_210, "model", "pass"),
    ]


def test_a_model_that_stumbles_is_asked_again_later_and_one_that_stays_down_is_given_up() -> None:
    down = Failure(kind="timeout")
    machine = Tickets()
    perform = store_and_model({}, {"once": [down], "never": [down] * 9})
    events = run(machine, perform, submitted("once", "never"))
    assert machine.answers == {"once": "hello once"}
    assert story(events, "once")[1:] == [(210, "model", "hold"), (1_410, "model", "pass")]
    assert [decision for _, _, decision in story(events, "never")] == [
        "pass",
        "hold",
        "hold",
        "refuse",
    ]


def test_a_refusal_says_its_reason_and_asks_no_model() -> None:
    asked: list[str] = []
    answer = store_and_model({"poor": -1}, {})

    def perform(work: Work) -> Iterable[tuple[int, Input]]:
        asked.append(work.spec.stage)
        return answer(work)

    (event,) = run(Tickets(), perform, submitted("poor"))
    assert isinstance(event, TicketDecided)
    assert (event.decision, event.reason) == ("refuse", "no quota at all")
    assert asked == ["quota"]


def test_work_that_is_cancelled_is_answered_all_the_same_and_dropped() -> None:
    machine = Tickets()
    inputs = [*submitted("a", "b"), Aborted(at=100, target="a")]
    simulation = Simulation(machine, store_and_model({}, {}), TimedFeed(inputs))
    cancelled = [work for turn in simulation for work in turn.cancel]
    assert len(cancelled) == 1
    assert machine.answers == {"b": "hello b"}
    assert machine.num_discarded == 1


@pytest.mark.parametrize("machine", [PairTests(), Tickets()])
def test_a_machine_without_anything_to_do_is_done_and_is_never_turned(machine: Machine) -> None:
    driver, seen = drive(machine, lambda work: [], [])
    assert not driver.advance_step()
    assert (driver.ended, seen.events, machine.step) == (True, [], 0)
