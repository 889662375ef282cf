"""A model that takes its time does not take the keys."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from tests.tui.piloting import dashboard, opened, shown
from tests.tui.slow_models import PATIENCE_S, InterruptibleModel, SlowModel
from textual.pilot import Pilot
from textual.timer import Timer

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.mover import Mover
from batchtui.tui.renderables.scene import Mode
from batchtui.tui.screens.help import HelpScreen
from batchtui.tui.screens.running import BUSY_HINT
from batchtui.tui.screens.stopping import CALLING_HINT

pytestmark = pytest.mark.anyio

OpenSlow = Callable[[SlowModel], BatchSession]


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def model() -> Iterator[SlowModel]:
    made = SlowModel()
    yield made
    made.answer.release(100)


@pytest.fixture
def session(model: SlowModel, open_slow: OpenSlow) -> BatchSession:
    return open_slow(model)


async def wait_until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        await pilot.pause()


async def called(pilot: Pilot[None], model: SlowModel) -> None:
    """Wait until the model is being called."""
    await wait_until(pilot, lambda: model.called.acquire(blocking=False))


async def test_a_step_waits_for_the_model_and_the_screen_does_not(
    session: BatchSession, model: SlowModel
) -> None:
    async with opened(session) as pilot:
        await pilot.press("n")
        await called(pilot, model)
        await wait_until(pilot, lambda: "CALLING" in shown(pilot))
        await pilot.press("?")
        assert isinstance(pilot.app.screen, HelpScreen)
        await pilot.press("escape")
        model.answer.release()
        await wait_until(pilot, lambda: "[BATCH 0]" in shown(pilot))
        assert "PAUSED" in shown(pilot)
        assert session.view.totals.kept == 2


async def test_another_step_is_not_begun_meanwhile(session: BatchSession, model: SlowModel) -> None:
    async with opened(session) as pilot:
        await pilot.press("n")
        await called(pilot, model)
        await pilot.press("n")
        assert BUSY_HINT in shown(pilot)
        model.answer.release(2)
        await wait_until(pilot, lambda: session.step == 0)
        await pilot.pause()
        assert not model.called.acquire(blocking=False)


async def test_nothing_that_is_shown_moves_before_the_step_is_over(
    session: BatchSession, model: SlowModel
) -> None:
    async with opened(session) as pilot:
        await pilot.press("n")
        await called(pilot, model)
        assert session.version == 0
        assert session.view.totals.arrived == 0
        assert not session.started


async def test_a_free_run_goes_from_call_to_call_and_pauses_at_once(
    session: BatchSession, model: SlowModel
) -> None:
    async with opened(session) as pilot:
        await pilot.press("+", "+", "+", "space")
        for _ in range(2):
            await called(pilot, model)
            model.answer.release()
        await called(pilot, model)
        assert dashboard(pilot).mode is Mode.RUNNING
        await pilot.press("space")
        assert dashboard(pilot).mode is Mode.PAUSED
        model.answer.release()
        await wait_until(pilot, lambda: session.step == 2)
        assert dashboard(pilot).mode is Mode.PAUSED


async def test_it_runs_to_the_step_that_was_asked_for(
    session: BatchSession, model: SlowModel
) -> None:
    model.answer.release(100)
    async with opened(session, 1) as pilot:
        await wait_until(pilot, lambda: dashboard(pilot).mode is Mode.PAUSED)
        assert session.step == 1


async def test_a_free_run_ends(session: BatchSession, model: SlowModel) -> None:
    model.answer.release(100)
    async with opened(session) as pilot:
        await pilot.press("+", "+", "+", "space")
        await wait_until(pilot, lambda: session.ended)
        await pilot.pause()
        assert "3 requests done" in shown(pilot)


async def test_who_quits_does_not_wait_for_the_model(
    session: BatchSession, model: SlowModel
) -> None:
    async with opened(session) as pilot:
        await pilot.press("n")
        await called(pilot, model)
        await pilot.press("q")
    assert not pilot.app.is_running
    assert pilot.app.return_code == 0


@pytest.mark.parametrize("keys", ["n", "s", "c"])
async def test_who_quits_ends_a_call_that_can_be_ended(
    keys: str, open_slow: OpenSlow, capfd: pytest.CaptureFixture[str]
) -> None:
    model = InterruptibleModel()
    session = open_slow(model)
    async with opened(session) as pilot:
        await pilot.press(keys, *"ss")  # a phase that calls is the second one
        await called(pilot, model)
        await pilot.press("q")
    assert pilot.app.return_code == 0
    assert session.close()
    assert model.story[:2] == ["interrupted", "a call ends"]
    assert model.story[-1] == "closed"
    assert capfd.readouterr() == ("", "")


async def test_ctrl_c_pauses_first_and_then_ends_the_call(open_slow: OpenSlow) -> None:
    model = InterruptibleModel()
    session = open_slow(model)
    async with opened(session) as pilot:
        await pilot.press("c")
        await called(pilot, model)
        await pilot.press("ctrl+c")
        await wait_until(pilot, lambda: CALLING_HINT in shown(pilot))
        assert pilot.app.is_running and not dashboard(pilot).is_free
        await pilot.press("ctrl+c")
    assert pilot.app.return_code == 0
    assert session.close()
    assert model.story[:2] == ["interrupted", "a call ends"]
    assert model.story[-1] == "closed"


def test_a_screen_that_is_gone_is_not_told(
    open_slow: OpenSlow, capfd: pytest.CaptureFixture[str]
) -> None:
    told = threading.Semaphore(0)

    def over() -> None:
        told.release()
        raise RuntimeError("Event loop is closed")

    model = SlowModel()
    model.answer.release(100)
    mover = Mover(open_slow(model), over)
    for _ in range(2):
        mover.move(whole_step=True)
        assert told.acquire(timeout=PATIENCE_S)
        mover.settle()
    assert capfd.readouterr() == ("", "")


async def test_keys_are_answered_while_a_call_of_a_free_run_is_out(
    session: BatchSession, model: SlowModel
) -> None:
    async with opened(session) as pilot:
        await pilot.press("space")
        await called(pilot, model)
        assert "RUNNING 5/s" in shown(pilot)
        await pilot.press("+")
        assert "RUNNING 10/s" in shown(pilot)
        assert "being called for the first time" in shown(pilot)


async def test_a_step_that_is_over_is_painted_at_the_next_frame(
    session: BatchSession, model: SlowModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, due = Clock(), list[tuple[float, str]]()
    async with opened(session, clock=clock) as pilot:
        screen = dashboard(pilot)

        def note(delay: float, callback: Callable[[], None]) -> Timer:
            due.append((round(delay, 3), callback.__name__))
            return Timer(screen, 0)

        await pilot.press("+", "+", "+", "space")  # painted at 0
        monkeypatch.setattr(screen, "set_timer", note)
        await called(pilot, model)
        clock.now = 0.04
        model.answer.release()
        await called(pilot, model)
        await pilot.pause()
        assert (0.06, "paint") in due
        assert "[BATCH]" in shown(pilot)
        clock.now = 0.12
        model.answer.release()
        await called(pilot, model)
        await pilot.pause()
        assert "[BATCH 1]" in shown(pilot)


async def test_a_long_call_is_seen_to_go_on(session: BatchSession, model: SlowModel) -> None:
    clock = Clock()
    async with opened(session, clock=clock) as pilot:
        await pilot.press("n")
        await called(pilot, model)
        clock.now = 3.2
        await wait_until(pilot, lambda: "CALLING 3 s" in shown(pilot))
        await pilot.press("space")
        assert "RUNNING 5/s, CALLING 3 s" in shown(pilot)
        clock.now = 7.0
        await wait_until(pilot, lambda: "CALLING 7 s" in shown(pilot))
        await pilot.resize_terminal(40, 24)
        await pilot.pause()
        assert "RUNNING" not in shown(pilot)
        await pilot.press("space")
        model.answer.release()
        await wait_until(pilot, lambda: "PAUSED" in shown(pilot))
        ours = [each for each in dashboard(pilot)._timers if each.name.startswith("set_timer")]
        assert [each for each in ours if each._task is not None and not each._task.done()] == []
