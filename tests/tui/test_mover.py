"""A model that takes its time does not take the keys."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.tui.piloting import dashboard, opened, shown
from textual.pilot import Pilot

from batchtui.plugins.models.function import FunctionModel
from batchtui.plugins.runs import RunOptions, prepare
from batchtui.plugins.workloads import open_workload
from batchtui.tui.renderables.scene import Mode
from batchtui.tui.screens.help import HelpScreen
from batchtui.tui.screens.running import BUSY_HINT
from batchtui.tui.session import Session, session_of

pytestmark = pytest.mark.anyio

PATIENCE_S = 20


class SlowModel:
    """Answers a call when it is told to."""

    def __init__(self) -> None:
        self.called = threading.Semaphore(0)
        self.answer = threading.Semaphore(0)

    def next_tokens(self, prefixes: list[list[int]]) -> list[list[int]]:
        self.called.release()
        assert self.answer.acquire(timeout=PATIENCE_S)
        return [[97] for _ in prefixes]


@pytest.fixture
def model() -> Iterator[SlowModel]:
    made = SlowModel()
    yield made
    made.answer.release(100)


@pytest.fixture
def session(model: SlowModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    opened = FunctionModel(model.next_tokens)
    monkeypatch.setattr("batchtui.plugins.runs._model", lambda workload, options, config: opened)
    path = tmp_path / "three.jsonl"
    lines = [f'{{"request_id": "r{n}", "prompt": "p", "max_tokens": 3}}\n' for n in range(3)]
    path.write_text("".join(lines))
    return session_of(prepare(open_workload(str(path)), RunOptions(slots=2)))


async def wait_until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        await pilot.pause()


async def called(pilot: Pilot[None], model: SlowModel) -> None:
    """Wait until the model is being called."""
    await wait_until(pilot, lambda: model.called.acquire(blocking=False))


async def test_a_step_waits_for_the_model_and_the_screen_does_not(
    session: Session, model: SlowModel
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
        assert "2 tokens applied" in shown(pilot)


async def test_another_step_is_not_begun_meanwhile(session: Session, model: SlowModel) -> None:
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
    session: Session, model: SlowModel
) -> None:
    async with opened(session) as pilot:
        await pilot.press("n")
        await called(pilot, model)
        assert session.version == 0
        assert session.view.totals.arrived == 0
        assert not session.started


async def test_a_free_run_goes_from_call_to_call_and_pauses_at_once(
    session: Session, model: SlowModel
) -> None:
    async with opened(session) as pilot:
        await pilot.press("+", "+", "+", "c")
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


async def test_it_runs_to_the_step_that_was_asked_for(session: Session, model: SlowModel) -> None:
    model.answer.release(100)
    async with opened(session, 1) as pilot:
        await wait_until(pilot, lambda: dashboard(pilot).mode is Mode.PAUSED)
        assert session.step == 1


async def test_a_free_run_ends(session: Session, model: SlowModel) -> None:
    model.answer.release(100)
    async with opened(session) as pilot:
        await pilot.press("+", "+", "+", "c")
        await wait_until(pilot, lambda: session.ended)
        await pilot.pause()
        assert "3 requests done" in shown(pilot)


async def test_who_quits_does_not_wait_for_the_model(session: Session, model: SlowModel) -> None:
    async with opened(session) as pilot:
        await pilot.press("n")
        await called(pilot, model)
        await pilot.press("q")
    assert not pilot.app.is_running
    assert pilot.app.return_code == 0
