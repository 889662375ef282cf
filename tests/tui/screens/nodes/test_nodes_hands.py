"""What a person does to a search: here, and in a fork; each is a recorded input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.piloting import opened, own, press, settled, shown, typed
from tests.tui.saved import assert_replays, by_hand, encoded, save
from tests.tui.searching import at_step, reopened, to_end
from textual.pilot import Pilot

from batchtui.engine.errors import InputError
from batchtui.plugins.probes.performer import FAULTS
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.scene import Title
from batchtui.tui.screens.form import FormScreen

pytestmark = pytest.mark.anyio

Find = Callable[..., NodesSession]


def now(pilot: Pilot[None]) -> NodesSession:
    """The session that is shown now: perhaps a fork."""
    return own(pilot).session


@pytest.fixture
def recording(gpus: NodesSession, searches: list[NodesSession], tmp_path: Path) -> NodesSession:
    searches.append(reopened(at_step(gpus, 12), tmp_path / "recorded.jsonl"))
    return searches[-1]


async def test_x_excludes_the_picked_node(gpus: NodesSession, tmp_path: Path) -> None:
    async with opened(gpus, 2) as pilot:
        await settled(pilot)
        await press(pilot, "x")
        assert "pick a node first" in shown(pilot)
        await press(pilot, "end", "x")
        assert "gpu-063 is excluded: the next phase takes it in" in shown(pilot)
        await press(pilot, "n", "c")
        assert gpus.view.letter(63) == "-"
        assert "1 excluded" in shown(pilot)
        assert [type(each).__name__ for each in by_hand(gpus)] == ["Configured"]
    assert_replays(save(gpus, tmp_path / "s.jsonl"))


@pytest.mark.parametrize("place", range(len(FAULTS)), ids=FAULTS)
async def test_i_lets_the_next_test_have_a_fault(
    gpus: NodesSession, tmp_path: Path, place: int
) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "i", *["down"] * place, "enter")
        kind = FAULTS[place]
        assert f"the next test has a fault: {kind}" in shown(pilot)
        await press(pilot, "n")
        first = gpus.view.ended[0] if gpus.view.ended else None
        wanted = {"fail": ("fail", "exit_code"), "pass": ("pass", ""), "hang": ("fail", "timeout")}
        if kind in wanted:
            assert first is not None
            assert (first.verdict, first.reason) == wanted[kind]
        elif kind == "inconclusive":
            assert first is not None
            assert (first.verdict, first.again) == ("inconclusive", True)
        await press(pilot, "c")
        assert gpus.view.over is not None
        assert gpus.fault == ""
        (input,) = by_hand(gpus)
        assert input.body == kind  # type: ignore[attr-defined]  # an Injected
        if kind in ("late", "duplicate"):
            assert gpus.view.totals.discarded == 1
    assert_replays(save(gpus, tmp_path / "s.jsonl"))


async def test_o_changes_strategy_and_lanes_from_here_on(
    gpus: NodesSession, tmp_path: Path
) -> None:
    async with opened(gpus, 1) as pilot:
        await settled(pilot)
        await press(pilot, "o")
        assert "Options from here on" in shown(pilot)
        await press(pilot, "space", "tab", "backspace", "3", "enter")
        assert "options are changed" in shown(pilot)
        await press(pilot, "n")
        assert gpus.view.max_parallel == 3
        assert gpus.view.strategy != "fewest-tests"
        assert "0 of 3 lanes" in shown(pilot) or "of 3 lanes" in shown(pilot)
        await press(pilot, "c")
        assert gpus.view.over == "identified"
    assert_replays(save(gpus, tmp_path / "s.jsonl"))


async def test_options_that_cannot_be_stay_open_with_their_reason(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "o", "tab", "backspace", "0", "enter")
        assert isinstance(pilot.app.screen, FormScreen)
        assert "at once is not a number from 1 to 100,000" in shown(pilot)
        await press(pilot, "escape", "n")
        assert by_hand(gpus) == []


async def test_f_in_the_past_begins_another_run_from_there(
    gpus: NodesSession, tmp_path: Path
) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "c")
        end = encoded(gpus.view)
        await typed(pilot, "g", "5")
        wanted = encoded(gpus.view)
        await press(pilot, "f")
        fork = now(pilot)
        assert fork is not gpus
        assert encoded(fork.view) == wanted
        assert "a fork: what follows is another run" in shown(pilot)
        assert "PAUSED at NOW" in shown(pilot)
        await press(pilot, "c")
        assert encoded(fork.view) == end
        assert pilot.app.sessions == [fork]  # type: ignore[attr-defined]  # a BatchtuiApp
        assert_replays(save(fork, tmp_path / "s.jsonl"))


async def test_in_the_past_another_strategy_is_tried_in_a_fork(
    gpus: NodesSession, tmp_path: Path
) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "c")
        await typed(pilot, "g", "3")
        wanted = encoded(gpus.view)
        await press(pilot, "o")
        assert "Options of a fork from here" in shown(pilot)
        await press(pilot, "space", "enter")
        fork = now(pilot)
        assert fork is not gpus
        assert encoded(fork.view) == wanted
        await press(pilot, "c")
        assert fork.view.over == "identified"
        assert [fork.view.letter(node) for node in (17, 51)] == ["#", "#"]
        assert fork.view.strategy != "fewest-tests"
        assert_replays(save(fork, tmp_path / "s.jsonl"))


async def test_in_the_past_a_node_is_excluded_in_a_fork(gpus: NodesSession, tmp_path: Path) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        await typed(pilot, "g", "2")
        await press(pilot, "end", "x")
        fork = now(pilot)
        assert fork is not gpus
        await press(pilot, "c")
        assert fork.view.letter(63) == "-"
        assert gpus.view.letter(63) == "?" or gpus.view.letter(63) == "."
        assert_replays(save(fork, tmp_path / "s.jsonl"))


async def test_a_fork_keeps_the_pick_and_the_breakpoints(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        await typed(pilot, "b", "condemn")
        await press(pilot, "N", "N", "w", "f")
        assert now(pilot) is not gpus
        assert [each.text for each in now(pilot).debugger.breakpoints] == ["condemn"]
        assert own(pilot).asks_why
        assert "WHY" in shown(pilot)


async def test_a_fork_that_cannot_be_made_is_told(gpus: NodesSession) -> None:
    def refuse(past: object) -> NodesSession:
        raise InputError("the probe is gone")

    async with opened(gpus, 3) as pilot:
        await settled(pilot)
        gpus.refork = refuse
        await press(pilot, "N", "f")
        assert "no fork: the probe is gone" in shown(pilot)
        assert now(pilot) is gpus


async def test_a_recording_is_forked_and_goes_on(recording: NodesSession, tmp_path: Path) -> None:
    async with opened(recording) as pilot:
        assert "ENDED" in shown(pilot)
        wanted = encoded(recording.view)
        await press(pilot, "n", "N", "G", "f")
        fork = now(pilot)
        assert fork is not recording
        assert encoded(fork.view) == wanted
        await press(pilot, "c")
        assert fork.view.over == "identified"
        assert_replays(save(fork, tmp_path / "s.jsonl"))


@pytest.mark.parametrize("key", ["f", "o", "i", "x"])
async def test_one_that_cannot_be_run_again_says_so(recording: NodesSession, key: str) -> None:
    recording.refork = None
    async with opened(recording) as pilot:
        await press(pilot, "home", key)
        assert "a recording cannot be changed" in shown(pilot)


async def test_faults_are_not_injected_into_a_real_probe(gpus: NodesSession) -> None:
    gpus.title = Title("w", "torch", "p", real=True)
    async with opened(gpus) as pilot:
        await press(pilot, "i")
        assert "simulated probes only" in shown(pilot)


@pytest.mark.parametrize("key", ["o", "i", "b", "B", "g", "E", "?", "!", "enter"])
async def test_a_key_in_a_modal_does_not_reach_the_screen(gpus: NodesSession, key: str) -> None:
    async with opened(gpus, 3) as pilot:
        await settled(pilot)
        await press(pilot, "home", key)
        assert len(pilot.app.screen_stack) == 2
        moment = gpus.debugger.cursor.turn
        await press(pilot, "n", "s", "N", "G", "z", "f")
        assert gpus.debugger.cursor.turn == moment
        await press(pilot, "escape", "escape")
        assert pilot.app.screen is own(pilot)
        assert by_hand(gpus) == []


async def test_a_recording_shows_the_same_screens(
    gpus: NodesSession, searches: list[NodesSession], tmp_path: Path
) -> None:
    seen: dict[int, str] = {}
    async with opened(gpus, size=(160, 50)) as pilot:
        await press(pilot, "c", "end", "w")
        while gpus.step > 0:
            await press(pilot, "N")
            seen[gpus.step] = shown(pilot)
    searches.append(reopened(to_end(gpus), tmp_path / "r.jsonl"))
    async with opened(searches[-1], size=(160, 50)) as pilot:
        await press(pilot, "end", "w")
        while searches[-1].step > 0:
            await press(pilot, "N")
            assert shown(pilot).replace("r.jsonl", "gpus.json") == seen[searches[-1].step]
