"""A search beside a batch on the dashboard: which of both the keys move, and its own screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.tui.piloting import dashboard, opened, own, press, settled, shown, typed
from tests.tui.saved import assert_replays, by_hand, encoded, save
from tests.tui.searching import at_step
from textual.pilot import Pilot

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.scene import Mode
from batchtui.tui.screens.beside import EXCLUDED_THERE, NOTHING_BESIDE, OWN_SCREEN
from batchtui.tui.screens.nodes.screen import NodesScreen
from batchtui.tui.widgets.nodes.beside import NodesPanel

pytestmark = pytest.mark.anyio

Find = Callable[..., NodesSession]


@asynccontextmanager
async def both(
    demo: BatchSession, gpus: NodesSession, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Pilot[None]]:
    """The batch at its step 12, and the search at its step 9."""
    at_step(gpus, 9)
    async with opened(demo, 12, size, beside=gpus) as pilot:
        await settled(pilot)
        yield pilot


# Units.


async def test_without_a_search_there_is_one_unit(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await press(pilot, "u")
        assert NOTHING_BESIDE in shown(pilot)
        await press(pilot, "4", "w", "w", "down", "home")
        assert pilot.app.screen is dashboard(pilot)


async def test_u_turns_the_step_keys_and_turns_them_back(
    demo: BatchSession, gpus: NodesSession
) -> None:
    async with both(demo, gpus) as pilot:
        assert "[BATCH 12]  nodes 9" in shown(pilot)
        await press(pilot, "n")
        assert (demo.step, gpus.step) == (13, 9)
        await press(pilot, "u")
        assert "[NODES 9]  batch 13" in shown(pilot)
        assert "fcfcfccfc[#]" in shown(pilot)
        assert "condemned gpu-017" in shown(pilot)
        await press(pilot, "n", "s")
        assert (demo.step, gpus.step) == (13, 11)
        await press(pilot, "u", "n")
        assert (demo.step, gpus.step) == (14, 11)


async def test_past_of_one_the_other_stays_at_now(demo: BatchSession, gpus: NodesSession) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "u", "N", "N")
        assert gpus.in_past and not demo.in_past
        assert dashboard(pilot).mode is Mode.PAST
        assert "PAST 2 back  [NODES 7 of 9]" in shown(pilot)
        assert "╔" in shown(pilot)
        await press(pilot, "u")
        assert dashboard(pilot).mode is Mode.PAUSED
        assert "PAUSED at NOW" in shown(pilot)
        assert "[BATCH 12]  nodes 7" in shown(pilot)
        assert "╔" not in shown(pilot)
        await press(pilot, "N")
        assert demo.in_past
        assert "╔" in shown(pilot)
        await press(pilot, "G")
        assert gpus.in_past and not demo.in_past


async def test_to_turn_the_keys_stops_what_runs(demo: BatchSession, gpus: NodesSession) -> None:
    async with both(demo, gpus) as pilot:
        await pilot.press("space", "u")
        assert not dashboard(pilot).is_moving
        assert dashboard(pilot).session is gpus
        await press(pilot, "c")
        assert gpus.ended and not demo.ended
        assert "ENDED" in shown(pilot)
        assert "every node is known" in shown(pilot)


async def test_breakpoints_and_places_are_those_of_the_unit(
    demo: BatchSession, gpus: NodesSession
) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "u")
        await typed(pilot, "b", "condemn")
        await typed(pilot, "g", "gpu-017")
        assert gpus.step == 9
        assert [each.text for each in gpus.debugger.breakpoints] == ["condemn"]
        assert len(demo.debugger.breakpoints) == 0
        await press(pilot, "G", "n", "c")
        assert 'breakpoint "condemn" at step 12' in shown(pilot)
        await press(pilot, "u")
        await typed(pilot, "b", "condemn")
        assert "condemn" in shown(pilot)
        await press(pilot, "escape")
        assert len(demo.debugger.breakpoints) == 0


async def test_the_search_is_acted_upon_on_its_own_screen(
    demo: BatchSession, gpus: NodesSession
) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "1", "home", "u")
        for key in ("a", "x", "i", "o", "f"):
            await press(pilot, key)
            assert OWN_SCREEN[:60] in shown(pilot)
        assert by_hand(demo) == by_hand(gpus) == []


async def test_x_on_the_nodes_does_not_abort_a_request(
    demo: BatchSession, gpus: NodesSession
) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "1", "home", "4", "home", "x")
        assert EXCLUDED_THERE in shown(pilot)
        assert demo.pending == []
        await press(pilot, "1", "x")
        assert "r1 is aborted" in shown(pilot)


# The panel.


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
async def test_arrows_move_on_the_map(
    demo: BatchSession, gpus: NodesSession, size: tuple[int, int]
) -> None:
    async with both(demo, gpus, size) as pilot:
        await press(pilot, "4", "home", "right", "down")
        picks = dashboard(pilot).picks
        assert picks is not None
        assert picks.choice.node == 17
        await press(pilot, "end", "left", "pageup")
        assert picks.choice.node is not None and picks.choice.node < 62
        await press(pilot, "escape")
        assert picks.choice.node is None


async def test_a_click_picks_a_node_and_two_go_to_its_screen(
    demo: BatchSession, gpus: NodesSession
) -> None:
    async with both(demo, gpus, (160, 50)) as pilot:
        panel = dashboard(pilot).query_one(NodesPanel)
        grid = panel.grid
        assert grid is not None
        place = grid.place_of(17)
        assert place is not None
        at = (panel.region.x + 2 + place[1], panel.region.y + 1 + place[0])
        await pilot.click(offset=at)
        await settled(pilot)
        picks = dashboard(pilot).picks
        assert picks is not None
        assert picks.choice.node == 17
        assert dashboard(pilot).choice.panel == "nodes"
        await pilot.click(offset=(at[0], panel.region.bottom - 2))
        await settled(pilot)
        assert picks.choice.node == 17
        await pilot.click(offset=at, times=2)
        await settled(pilot)
        assert isinstance(pilot.app.screen, NodesScreen)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_w_on_a_node_says_which_tests_prove_it(
    demo: BatchSession, gpus: NodesSession, size: tuple[int, int]
) -> None:
    async with both(demo, gpus, size) as pilot:
        await press(pilot, "4", "w")
        assert "WHY gpu-017 is bad ── as of step 9" in shown(pilot)
        assert "T10 failed (timeout)" in shown(pilot)
        await press(pilot, "3", "home", "w")
        assert "WHY r12 waits" in shown(pilot)
        await press(pilot, "4", "w")
        assert "WHY gpu-017 is bad" in shown(pilot)
        await press(pilot, "escape")
        assert "WHY gpu-017" not in shown(pilot)


async def test_y_copies_the_bad_hosts(demo: BatchSession, gpus: NodesSession) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "4", "y")
        assert pilot.app.clipboard == "gpu-017"
        await press(pilot, "u")
        await typed(pilot, "g", "0")
        await press(pilot, "y")
        assert "nobody is known to be bad" in shown(pilot)
        await press(pilot, "u", "y")
        assert "nobody is known to be bad" in shown(pilot)


# Its own screen.


async def test_enter_opens_its_screen_and_escape_comes_back(
    demo: BatchSession, gpus: NodesSession
) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "4", "home", "enter")
        assert isinstance(pilot.app.screen, NodesScreen)
        assert "[NODES 9]  batch 12" in shown(pilot)
        assert own(pilot).choice.node == 0
        await press(pilot, "n", "right", "escape", "escape")
        assert len(pilot.app.screen_stack) == 1
        assert (demo.step, gpus.step) == (12, 10)
        assert dashboard(pilot).session is demo
        assert "[BATCH 12]  nodes 10" in shown(pilot)


async def test_a_fork_there_is_shown_on_the_dashboard_after(
    demo: BatchSession, gpus: NodesSession, tmp_path: Path
) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "4", "enter", "N", "N", "f")
        fork = own(pilot).session
        assert fork is not gpus
        await press(pilot, "c", "escape", "escape")
        assert pilot.app.screen is dashboard(pilot)
        picks = dashboard(pilot).picks
        assert picks is not None
        assert picks.session is fork
        assert "nodes 14" in shown(pilot)
        assert "BAD gpu-[017,051]" in shown(pilot)
        assert pilot.app.sessions == [demo, fork]  # type: ignore[attr-defined]  # a BatchtuiApp
        await press(pilot, "u", "N")
        assert fork.in_past
        assert_replays(save(fork, tmp_path / "s.jsonl"))


async def test_a_fork_there_while_the_keys_move_it_keeps_them(
    demo: BatchSession, gpus: NodesSession
) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "u", "4", "enter", "N", "f", "escape", "escape")
        picks = dashboard(pilot).picks
        assert picks is not None
        assert dashboard(pilot).session is picks.session is not gpus
        await press(pilot, "n")
        assert picks.session.step == 9


async def test_a_fork_of_the_batch_leaves_the_search(
    demo: BatchSession, gpus: NodesSession
) -> None:
    async with both(demo, gpus) as pilot:
        seen = encoded(gpus.view)
        await press(pilot, "N", "f")
        fork = dashboard(pilot).batching
        assert fork is not demo
        assert pilot.app.sessions == [fork, gpus]  # type: ignore[attr-defined]  # a BatchtuiApp
        assert encoded(gpus.view) == seen
        await press(pilot, "u", "n")
        assert gpus.step == 10


async def test_q_on_its_screen_quits_the_app(demo: BatchSession, gpus: NodesSession) -> None:
    async with both(demo, gpus) as pilot:
        await press(pilot, "4", "enter")
        await pilot.press("q")
        await pilot.pause()
        assert pilot.app._exit


async def test_every_key_is_harmless_whatever_it_moves(
    demo: BatchSession, gpus: NodesSession
) -> None:
    keys = ["tab", "4", "down", "slash", "escape", "r", "<", ">", "5", "3", "z", "z", "!", "escape"]
    async with both(demo, gpus) as pilot:
        for turn in ("u", "u"):
            await press(pilot, turn, *keys)
            assert pilot.app.screen is dashboard(pilot)
        assert (demo.step, gpus.step) == (12, 9)
