"""Each word of batching hits where a plain look at the turn says that it should."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.play import ACTS, OPTIONS, Act, Play, filmed
from tests.engine.batching.table import table

from batchtui.engine.batching import events as said
from batchtui.engine.batching.conditions import BATCHING, OldestWait, Running
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.phrase import parse
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import fold
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Event

Look = Callable[[list[Event], BatchView, BatchView], bool]


def any_of(kind: type, request_id: str | None = None, **fields: object) -> Look:
    """An event of a kind, perhaps of a request, with such fields."""
    wanted = dict(fields) if request_id is None else {"request_id": request_id, **fields}
    return lambda events, before, after: any(
        isinstance(event, kind) and all(getattr(event, k) == v for k, v in wanted.items())
        for event in events
    )


def newly_held(request_id: str | None = None) -> Look:
    def look(events: list[Event], before: BatchView, after: BatchView) -> bool:
        held = {slot.request_id for slot in after.slots if slot.state == "H"}
        was = {(slot.request_id, slot.generation) for slot in before.slots if slot.state == "H"}
        now = {(slot.request_id, slot.generation) for slot in after.slots if slot.state == "H"}
        return bool(now - was) if request_id is None else request_id in held - {i for i, _ in was}

    return look


def slot_changed(index: int) -> Look:
    def state(view: BatchView) -> tuple[str, int] | None:
        if index >= len(view.slots):
            return None
        slot = view.slots[index]
        return slot.state, slot.generation

    def look(events: list[Event], before: BatchView, after: BatchView) -> bool:
        if any(isinstance(event, said.RowsDiscarded) and index in event.slots for event in events):
            return True
        old, new = state(before), state(after)
        # An ended slot is cleared, and one too many goes, without anything being decided.
        return old != new and new is not None and new[0] != "."

    return look


def at_least(read: Callable[[BatchView], float | None], value: float) -> Look:
    def holds(view: BatchView) -> bool:
        figure = read(view)
        return figure is not None and figure >= value

    return lambda events, before, after: holds(after) and not holds(before)


def oldest_wait(view: BatchView) -> float | None:
    waiting = view.waiting.values()
    return view.now - next(iter(waiting)).arrival_us if waiting else None


def share(view: BatchView) -> float | None:
    return None if view.kv_total is None else 100 * view.kv_used / view.kv_total


LOOKS: dict[str, Look] = {
    "finish": any_of(said.RequestFinished),
    "finish r1": any_of(said.RequestFinished, "r1"),
    "admit r2": any_of(said.RequestAdmitted, "r2"),
    "arrive r0": any_of(said.RequestQueued, "r0"),
    "refuse": any_of(said.RequestRefused),
    "discard": any_of(said.RowsDiscarded),
    "fail": any_of(said.CallFailed),
    "abort": any_of(said.RequestFinished, finish_reason="abort"),
    "abort r1": any_of(said.RequestFinished, "r1", finish_reason="abort"),
    "error": any_of(said.RequestFinished, finish_reason="error"),
    "options": any_of(said.OptionsChanged),
    "preempt": lambda events, before, after: False,
    "hold": newly_held(),
    "hold r1": newly_held("r1"),
    "slot 0": slot_changed(0),
    "slot 2": slot_changed(2),
    "queue >= 2": at_least(lambda view: len(view.waiting), 2),
    "running >= 2": at_least(lambda view: view.num_resident, 2),
    "kv >= 3": at_least(lambda view: view.kv_used, 3),
    "kv >= 50%": at_least(share, 50),
    "wait >= 9us": at_least(oldest_wait, 9),
    "wait >= 0.02ms": at_least(oldest_wait, 20),
    "step 3": at_least(lambda view: view.step, 3),
    "step >= 3": at_least(lambda view: view.step, 3),
}


@settings(max_examples=100)
@given(acts=ACTS, by_priority=st.booleans(), options=OPTIONS)
def test_a_word_hits_where_it_should(
    acts: list[Act], by_priority: bool, options: dict[str, int]
) -> None:
    film = filmed(Play(by_priority=by_priority, **options), acts)
    conditions = {text: parse(text, BATCHING) for text in LOOKS}
    history = film.timeline.history
    view = history.empty()
    for record in film.timeline.records():
        before = history.thaw(history.freeze(view), 0)
        before.waiting = dict(view.waiting)
        fold(view, record)
        for text, condition in conditions.items():
            expected = LOOKS[text](record.events, before, view)
            assert condition.hits(record, view) == expected, (text, record)


def told(*events: Event) -> TurnRecord:
    return TurnRecord(0, "apply", 0, "batch", list(events))


def queued(index: int) -> said.RequestQueued:
    return said.RequestQueued(
        seq=0,
        step=0,
        phase="admit",
        at=index,
        unit="batch",
        request_id=f"r{index % 50_000}",
        index=index,
        prompt_tokens=1,
        limit=1,
        blocks=1,
        arrival_us=index,
        priority=0,
        tenant="",
    )


def left(index: int) -> said.RequestFinished:
    return said.RequestFinished(
        seq=0,
        step=0,
        phase="admit",
        at=index,
        unit="batch",
        request_id=f"r{index % 50_000}",
        index=index,
        slot=None,
        generation=None,
        finish_reason="abort",
        stop_reason=None,
        error=None,
        output_tokens=0,
        blocks=0,
        arrival_us=index,
    )


def test_the_oldest_is_told_from_another_one_who_has_his_id_now() -> None:
    view, wait = BatchView.empty(1, None, Fcfs()), OldestWait()
    wait.start(view)
    events = queued(0), queued(7), left(0), queued(50_000)
    for event in events:
        view.fold(event)
    assert view.now == 50_000
    assert wait.read(told(*events), view) == 50_000 - 7


def test_text_that_stays_held_is_held_once() -> None:
    desk = table()
    desk.submit("a", stop="end", max_tokens=9)
    view, condition = BatchView.empty(8, None, Fcfs()), parse("hold a", BATCHING)
    hits = []
    for letter in "enexend":
        desk.reply(desk.call(), {"a": letter})
        for event in desk.events:
            view.fold(event)
            if isinstance(event, said.TokensApplied):
                hits.append(condition.hits(told(event), view))
        desk.events.clear()
    assert hits == [True, False, False, False, True, False, False]


def test_those_who_left_behind_one_who_stays_do_not_pile_up() -> None:
    view, wait = BatchView.empty(1, None, Fcfs()), OldestWait()
    wait.start(view)
    for index in range(2_000):
        for event in (queued(index), *([left(index)] if index else [])):
            view.fold(event)
            assert wait.read(told(event), view) == index
    assert wait._line is not None
    assert len(wait._line) <= 2 * 1 + 66


@pytest.mark.parametrize("measure", [OldestWait, Running])
def test_a_figure_may_be_asked_for_in_the_middle_of_a_run(
    measure: type[OldestWait | Running],
) -> None:
    view = BatchView.empty(1, None, Fcfs())
    for event in (queued(0), queued(5)):
        view.fold(event)
    begun, asked = measure(), measure()
    assert begun.start(view) == asked.read(told(queued(5)), view)


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("wait > 2", "2s"),
        ("wait > 2h", "2s"),
        ("wait > -2s", "2s"),
        ("queue > 1.5", "10"),
        ("queue > 10%", "10"),
        ("kv > 1e3", "90%"),
        ("kv > %", "90%"),
        ("running > many", "4"),
        ("step soon", "120"),
        ("queue > 9999999999999999", "10"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_with_one_that_can(text: str, example: str) -> None:
    with pytest.raises(InputError, match=f"wants a value such as {example}"):
        parse(text, BATCHING)


@pytest.mark.parametrize(
    ("text", "least_us"),
    [("wait > 2s", 2e6), ("wait > 1.5ms", 1500), ("WAIT > 3US", 3), ("wait > 2m", 12e7)],
)
def test_a_wait_has_a_unit(text: str, least_us: float) -> None:
    view = BatchView.empty(1, None, Fcfs())
    view.fold(queued(0))
    condition = parse(text, BATCHING)
    view.reach(0, "admit", int(least_us))
    assert not condition.hits(told(), view)
    view.reach(0, "admit", int(least_us) + 1)
    assert condition.hits(told(), view)


def test_without_a_bound_there_is_no_share_of_the_blocks() -> None:
    view = BatchView.empty(1, None, Fcfs())
    assert not parse("kv >= 0%", BATCHING).hits(told(), view)
    assert parse("kv >= 0", BATCHING).hits(told(), view)
