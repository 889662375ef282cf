"""The screen that knows no system moves any: here one that tests pairs of nodes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from tests.tui.pairs import PairsScreen, PairsSession, pairs_session
from tests.tui.piloting import dashboard, shown
from tests.tui.piloting import opened as dashboard_on
from tests.tui.screens.test_running import wait_until
from textual.pilot import Pilot

from batchtui.tui.actions import ACTIONS
from batchtui.tui.app import BatchtuiApp
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.scene import Mode

pytestmark = pytest.mark.anyio


@pytest.fixture
def session() -> Iterator[PairsSession]:
    made = pairs_session(8, {"n2"})
    yield made
    assert made.close()


@asynccontextmanager
async def opened(session: PairsSession) -> AsyncIterator[Pilot[None]]:
    app = BatchtuiApp(session, first=PairsScreen, clock=lambda: 0.0)
    app.animation_level = "none"
    async with app.run_test() as pilot:
        await pilot.pause()
        yield pilot


async def still(pilot: Pilot[None]) -> None:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, PairsScreen)
    await pilot.pause()
    await wait_until(pilot, lambda: not screen.is_moving)


async def typed(pilot: Pilot[None], key: str, text: str) -> None:
    await pilot.press(key, *("space" if each == " " else each for each in text), "enter")
    await still(pilot)


async def test_its_phases_are_made_and_gone_back_over(session: PairsSession) -> None:
    async with opened(session) as pilot:
        await pilot.press("s")
        assert "step 0 plan paused" in shown(pilot)
        await pilot.press("n")
        assert "step 0 deduce paused" in shown(pilot)
        assert "n0=good n1=good" in shown(pilot)
        await pilot.press("S")
        assert "step 0 run past" in shown(pilot)
        assert "n0=good" not in shown(pilot)
        await pilot.press("G")
        assert "step 0 deduce paused" in shown(pilot)


async def test_its_ribbon_does_not_say_what_a_step_will_come_to(session: PairsSession) -> None:
    async with opened(session):
        session.advance_step()
        assert session.outlook.ribbon.marks == "f"
        session.look(lambda debugger: debugger.back_phase())
        assert session.outlook.ribbon.marks == "."
        assert session.outlook.head is not None
        assert session.outlook.head.turns_back == 1


async def test_it_stops_at_breakpoints_of_its_own_words(session: PairsSession) -> None:
    async with opened(session) as pilot:
        await typed(pilot, "b", "judge n2")
        await pilot.press("c")
        await still(pilot)
        assert session.view.verdicts["n2"] == "bad"
        assert 'breakpoint "judge n2" at step' in shown(pilot)


async def test_g_goes_to_where_something_of_it_began(session: PairsSession) -> None:
    async with opened(session) as pilot:
        await pilot.press("n", "n", "n")
        await typed(pilot, "g", "n0")
        assert session.debugger.cursor.turn == 3
        await pilot.press("y")
        assert "copied, if the terminal allows it: n0" in shown(pilot)


async def test_actions_that_it_has_not_are_neither_keys_nor_commands_nor_help(
    session: PairsSession,
) -> None:
    async with opened(session) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, PairsScreen)
        before = session.version
        await pilot.press("a", "x", "w")
        assert session.version == before
        commands = {each.title for each in pilot.app.get_system_commands(screen)}
        labels = {action.name: action.label for action in ACTIONS}
        assert labels["step"] in commands
        assert not {labels["add"], labels["abort"], labels["why"]} & commands
        await pilot.press("question_mark")
        assert "Make one phase" in shown(pilot)
        assert "Abort the picked request" not in shown(pilot)


async def test_the_keys_move_the_session_that_they_were_turned_to(demo: BatchSession) -> None:
    other = pairs_session(8, set())
    async with dashboard_on(demo, 12) as pilot:
        dashboard(pilot).turn_to(other)
        await pilot.press("n")
        assert (demo.step, other.step) == (12, 0)
        assert dashboard(pilot).scene.view is demo.view
        assert dashboard(pilot).mode is Mode.PAUSED
        dashboard(pilot).turn_to(demo)
        await pilot.press("n")
        assert (demo.step, other.step) == (13, 0)
    assert other.close()


async def test_a_free_run_comes_to_its_end(session: PairsSession) -> None:
    async with opened(session) as pilot:
        await pilot.press("c")
        await still(pilot)
        assert session.ended
        assert "ended" in shown(pilot)
        assert list(session.view.verdicts.values()).count("bad") == 1
