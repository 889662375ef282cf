"""Time travel by keys: at NOW, in the past, at the beginning and at the end; breakpoints; a free
run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from tests.tui.piloting import dashboard, opened, shown
from tests.tui.saved import encoded
from tests.tui.slow_models import PATIENCE_S, SlowModel
from textual.pilot import Pilot

from batchtui.engine.machine import Turn
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.scene import Mode
from batchtui.tui.widgets.ribbon import Ribbon

pytestmark = pytest.mark.anyio

OpenNamed = Callable[..., BatchSession]
OpenSlow = Callable[[SlowModel], BatchSession]


async def wait_until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, shown(pilot)
        await pilot.pause()
    await pilot.pause()


async def still(pilot: Pilot[None]) -> None:
    """Wait until nothing moves."""
    await pilot.pause()
    await wait_until(pilot, lambda: not dashboard(pilot).is_moving)


async def typed(pilot: Pilot[None], key: str, text: str) -> None:
    """Press a key that asks for a line, and give it."""
    await pilot.press(key, *("space" if each == " " else each for each in text), "enter")
    await still(pilot)


def place(session: BatchSession) -> tuple[int, str]:
    """The step and phase that one looks at."""
    return session.step, session.view.phase


# Back and forth.


async def test_n_goes_back_to_the_end_of_the_step_before_and_the_head_stays(
    demo: BatchSession,
) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("N")
        assert place(demo) == (11, "deliver")
        assert demo.debugger.timeline.step == 12
        assert dashboard(pilot).mode is Mode.PAST
        assert "PAST 1 back" in shown(pilot)
        assert "[BATCH 11 of 12]" in shown(pilot)


async def test_from_the_middle_of_a_step_back_is_the_end_of_the_one_before(
    demo: BatchSession,
) -> None:
    async with opened(demo, 5) as pilot:
        await pilot.press("s", "s", "N")
        assert place(demo) == (5, "deliver")


async def test_forward_in_the_past_looks_and_makes_nothing(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        turns = demo.debugger.timeline.num_turns
        await pilot.press("N", "N", "n")
        assert place(demo) == (11, "deliver")
        await pilot.press("s")
        assert place(demo) == (12, "admit")
        await pilot.press("n")
        assert place(demo) == (12, "deliver")
        assert not demo.in_past
        assert demo.debugger.timeline.num_turns == turns
        await pilot.press("n")
        assert place(demo) == (13, "deliver")


async def test_s_and_its_way_back_go_by_phases(demo: BatchSession) -> None:
    async with opened(demo, 2) as pilot:
        seen = []
        for key in "SSSSsss":
            await pilot.press(key)
            seen.append(place(demo))
        assert [phase for _, phase in seen[:4]] == ["apply", "call", "admit", "deliver"]
        assert [phase for _, phase in seen[4:]] == ["admit", "call", "apply"]
        assert seen[3] == (1, "deliver")


@pytest.mark.parametrize("key", ["N", "S", "[", "left_square_bracket"])
async def test_at_the_beginning_there_is_nothing_before(demo: BatchSession, key: str) -> None:
    async with opened(demo) as pilot:
        await pilot.press(key)
        assert demo.debugger.cursor.turn == 0
        assert "n makes the first step" in shown(pilot) or "this is the beginning" in shown(pilot)
        await pilot.press("n", key)
        await pilot.press(*["S"] * 5)
        assert demo.debugger.cursor.turn == 0
        assert "this is the beginning" in shown(pilot)
        assert dashboard(pilot).mode is Mode.PAST


async def test_brackets_scrub_ten_steps_and_end_at_now(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("[")
        assert place(demo) == (2, "deliver")
        await pilot.press("[")
        assert demo.debugger.cursor.turn == 0
        await pilot.press("]")
        assert place(demo) == (9, "deliver")
        await pilot.press("]")
        assert not demo.in_past
        assert place(demo) == (12, "deliver")
        await pilot.press("]")
        assert place(demo) == (12, "deliver")


async def test_capital_g_looks_at_now(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("[", "G")
        assert not demo.in_past
        assert "PAUSED at NOW" in shown(pilot)
        await pilot.press("G")
        assert place(demo) == (12, "deliver")


@pytest.mark.parametrize(
    ("text", "step"),
    [("3", 3), ("-2", 10), (" 0 ", 0), ("-99", 0), ("12", 12), ("+3", 15), ("20", 20)],
)
async def test_g_goes_to_a_step_or_by_steps_and_runs_on_to_one_that_was_not_made(
    demo: BatchSession, text: str, step: int
) -> None:
    async with opened(demo, 12) as pilot:
        await typed(pilot, "g", text)
        assert place(demo) == (step, "deliver")


async def test_g_goes_to_where_a_request_came_and_picks_it(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await typed(pilot, "g", "r12")
        assert dashboard(pilot).choice.request_id == "r12"
        record = demo.debugger.cursor.record
        assert record is not None
        assert any(getattr(event, "request_id", "") == "r12" for event in record.events)
        assert demo.in_past


async def test_g_to_what_is_not_there_says_so_and_stays_open(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await typed(pilot, "g", "nobody")
        assert "want a step, as in 41" in shown(pilot)
        await pilot.press("escape")
        assert place(demo) == (12, "deliver")


async def test_a_click_on_the_ribbon_looks_there(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        ribbon = pilot.app.query_one(Ribbon)
        dashboard(pilot).post_message(Ribbon.Picked(4))
        await pilot.pause()
        assert ribbon.display
        assert place(demo) == (4, "deliver")


async def test_space_in_the_past_replays_and_then_goes_on(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("[", "+", "+", "+", "space")
        await wait_until(pilot, lambda: demo.debugger.timeline.step > 20)
        assert demo.debugger.cursor.at_head


async def test_a_key_of_the_past_pauses_a_free_run(demo: BatchSession) -> None:
    async with opened(demo, 3) as pilot:
        await pilot.press("space")
        step = demo.step
        await pilot.press("N")
        assert not dashboard(pilot).is_free
        assert demo.step == step - 1


async def test_at_the_end_one_goes_back_and_forth_too(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("c")
        await still(pilot)
        assert dashboard(pilot).mode is Mode.ENDED
        last = place(demo)
        await pilot.press("n", "s", "c", "space")
        await still(pilot)
        assert place(demo) == last
        await pilot.press("N", "N")
        assert dashboard(pilot).mode is Mode.PAST
        await pilot.press("n", "n")
        assert place(demo) == last
        assert dashboard(pilot).mode is Mode.ENDED


async def test_every_key_of_time_shows_what_was_seen_there(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        seen = {0: encoded(demo.view)}
        for _ in range(30):
            await pilot.press("s")
            seen[demo.debugger.cursor.turn] = encoded(demo.view)
        for key in ["N", "S", "S", "n", "s", "[", "]", "N", "S", "G"]:
            await pilot.press(key)
            if demo.debugger.cursor.turn in seen:
                assert encoded(demo.view) == seen[demo.debugger.cursor.turn]


async def test_a_resize_while_it_runs_and_in_the_past_keeps_the_place(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("space")
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        assert "RUNNING 5/s" in shown(pilot)
        await pilot.press("N")
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert dashboard(pilot).mode is Mode.PAST
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "PAST" in shown(pilot)


async def test_what_raises_in_a_free_run_stops_it_and_the_past_can_be_seen(
    demo: BatchSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(demo, 5) as pilot:
        assert demo.run is not None
        advance, left = demo.run.simulation.advance, iter(range(3))

        def fail() -> Turn | None:
            if next(left, None) is None:
                raise KeyError("a secret prompt")
            return advance()

        monkeypatch.setattr(demo.run.simulation, "advance", fail)
        await pilot.press("c")
        await still(pilot)
        assert "STOPPED" in shown(pilot)
        assert "secret" not in shown(pilot)
        assert place(demo) == (6, "apply")
        await pilot.press("N")
        assert place(demo) == (5, "deliver")
        await pilot.press("G", "n", "x", "a")
        assert place(demo) == (6, "apply")


# Breakpoints.


async def test_c_runs_on_to_a_breakpoint_and_says_which_and_where(demo: BatchSession) -> None:
    async with opened(demo, 3) as pilot:
        await typed(pilot, "b", "finish r5")
        assert "breakpoint set: finish r5" in shown(pilot)
        await pilot.press("c")
        await still(pilot)
        assert 'breakpoint "finish r5" at step 12, apply' in shown(pilot)
        assert place(demo) == (12, "apply")
        await pilot.press("c")
        await still(pilot)
        assert demo.ended


async def test_space_stops_at_a_breakpoint_too(demo: BatchSession) -> None:
    async with opened(demo, 3) as pilot:
        await typed(pilot, "b", "step 5")
        await pilot.press("+", "+", "+", "space")
        await still(pilot)
        assert place(demo) == (5, "admit")
        assert dashboard(pilot).mode is Mode.PAUSED


async def test_a_single_step_stops_in_its_middle(demo: BatchSession) -> None:
    async with opened(demo, 11) as pilot:
        await typed(pilot, "b", "finish r5")
        await pilot.press("n")
        assert place(demo) == (12, "apply")
        await pilot.press("n")
        assert place(demo) == (12, "deliver")


async def test_in_the_past_a_breakpoint_stops_as_it_would_have(demo: BatchSession) -> None:
    async with opened(demo, 20) as pilot:
        await typed(pilot, "b", "finish r5")
        await pilot.press("[", "c")
        await still(pilot)
        assert place(demo) == (12, "apply")
        assert demo.in_past


async def test_a_step_that_is_gone_to_is_not_reached_where_a_breakpoint_is_before(
    demo: BatchSession,
) -> None:
    async with opened(demo, 3) as pilot:
        await typed(pilot, "b", "finish r5")
        await typed(pilot, "g", "30")
        assert place(demo) == (12, "apply")


async def test_capital_c_goes_back_to_the_last_hit_and_the_one_before(demo: BatchSession) -> None:
    async with opened(demo, 20) as pilot:
        await pilot.press("C")
        assert "there is no breakpoint: b sets one" in shown(pilot)
        await typed(pilot, "b", "finish")
        places = []
        for _ in range(3):
            await pilot.press("C")
            await still(pilot)
            places.append(demo.debugger.cursor.turn)
            assert 'breakpoint "finish" at step' in shown(pilot)
        assert places == sorted(places, reverse=True)
        assert len(set(places)) == 3
        await pilot.press("G")
        await typed(pilot, "b", "finish r5")
        await pilot.press("N", "B", "space", "escape", "C")
        await still(pilot)
        assert place(demo) == (12, "apply")


async def test_capital_c_without_a_hit_stays_where_it_is(demo: BatchSession) -> None:
    async with opened(demo, 9) as pilot:
        await typed(pilot, "b", "finish r5")
        await pilot.press("C")
        await still(pilot)
        assert "no breakpoint is hit before" in shown(pilot)
        assert place(demo) == (9, "deliver")


async def test_hits_are_counted_and_listed(demo: BatchSession) -> None:
    async with opened(demo, 3) as pilot:
        await typed(pilot, "b", "finish")
        await pilot.press("c")
        await still(pilot)
        await pilot.press("c")
        await still(pilot)
        assert next(iter(demo.debugger.breakpoints)).hits == 2
        await pilot.press("B")
        assert "finish" in shown(pilot)
        assert "2 hits" in shown(pilot)


async def test_t_runs_till_something_happens_to_the_picked_slot(demo: BatchSession) -> None:
    async with opened(demo, 3) as pilot:
        await pilot.press("1", "home", *["down"] * 4, "t")
        await still(pilot)
        assert dashboard(pilot).choice.slot == 4
        record = demo.debugger.cursor.record
        assert record is not None
        assert demo.stopped.startswith("slot 4 at step")
        assert "slot 4 at step" in shown(pilot)


async def test_t_in_the_past_replays_till_something_happens(demo: BatchSession) -> None:
    async with opened(demo, 20) as pilot:
        await typed(pilot, "g", "r5")
        await pilot.press("N", "t")
        await still(pilot)
        assert demo.stopped.startswith("request r5 at step")
        assert demo.in_past


# A model that blocks, in a thread.


@pytest.fixture
def model() -> Iterator[SlowModel]:
    made = SlowModel()
    yield made
    made.answer.release(10_000)


@pytest.fixture
def real(model: SlowModel, open_slow: OpenSlow) -> BatchSession:
    return open_slow(model)


async def test_a_breakpoint_stops_what_a_thread_moves(real: BatchSession, model: SlowModel) -> None:
    model.answer.release(1_000)
    async with opened(real) as pilot:
        await typed(pilot, "b", "finish r0")
        await pilot.press("c")
        await still(pilot)
        assert place(real) == (2, "apply")
        assert 'breakpoint "finish r0" at step 2, apply' in shown(pilot)
        await pilot.press("n")
        await still(pilot)
        assert place(real) == (2, "deliver")


async def test_a_single_step_of_a_thread_stops_in_its_middle(
    real: BatchSession, model: SlowModel
) -> None:
    model.answer.release(1_000)
    async with opened(real, 1) as pilot:
        await still(pilot)
        await typed(pilot, "b", "finish r0")
        await pilot.press("n")
        await still(pilot)
        assert place(real) == (2, "apply")


async def test_the_past_is_looked_at_while_the_model_is_called(
    real: BatchSession, model: SlowModel
) -> None:
    model.answer.release(2)
    async with opened(real, 1) as pilot:
        await still(pilot)
        await pilot.press("n")
        await wait_until(pilot, lambda: dashboard(pilot).is_calling)
        await pilot.press("N")
        assert real.in_past
        model.answer.release(10)
        await still(pilot)
        assert real.in_past
        await pilot.press("G")
        assert place(real) == (2, "deliver")


async def test_from_the_past_into_a_step_that_is_being_made_the_screen_does_not_wait(
    real: BatchSession, model: SlowModel
) -> None:
    model.answer.release(1)
    async with opened(real, 0) as pilot:
        await still(pilot)
        await pilot.press("s")
        await still(pilot)
        await pilot.press("S", "n")
        await wait_until(pilot, lambda: dashboard(pilot).is_calling)
        assert real.fault == ""
        model.answer.release(10)
        await still(pilot)
        assert place(real) == (1, "deliver")


@pytest.mark.parametrize("key", ["space", "c"])
async def test_a_free_run_from_the_past_hands_over_to_the_thread(
    real: BatchSession, model: SlowModel, key: str
) -> None:
    model.answer.release(2)
    async with opened(real, 1) as pilot:
        await still(pilot)
        while model.called.acquire(blocking=False):
            pass
        await pilot.press("N", "N", "+", "+", "+", key)
        await wait_until(pilot, lambda: model.called.acquire(blocking=False))
        assert dashboard(pilot).is_calling
        model.answer.release(100)
        await still(pilot)
        assert real.ended
