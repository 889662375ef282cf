"""What a person does to a run by keys: here, and in a fork; each is a recorded input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.piloting import dashboard, opened, shown
from tests.tui.saved import assert_replays, by_hand, encoded, save
from tests.tui.screens.test_running import still, typed
from tests.tui.slow_models import SlowModel
from textual.pilot import Pilot

from batchtui.engine.errors import InputError
from batchtui.plugins.recordings.recording import open_recording
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.scene import Mode
from batchtui.tui.screens.form import FormScreen
from batchtui.tui.sessions import session_of_recording

pytestmark = pytest.mark.anyio

OpenSlow = Callable[[SlowModel], BatchSession]


def now(pilot: Pilot[None]) -> BatchSession:
    """The session that is shown now: perhaps a fork."""
    return dashboard(pilot).batching


async def add(pilot: Pilot[None], prompt: str = "hello") -> None:
    await pilot.press("a", *prompt, "enter")
    await still(pilot)


@pytest.fixture
def recording(
    demo_at_12: BatchSession, sessions: list[BatchSession], tmp_path: Path
) -> BatchSession:
    path = save(demo_at_12, tmp_path / "recorded.jsonl")
    sessions.append(session_of_recording(open_recording(path), path))
    return sessions[-1]


async def test_a_adds_a_request_that_the_next_phase_takes_in(
    demo: BatchSession, tmp_path: Path
) -> None:
    async with opened(demo, 12) as pilot:
        await add(pilot)
        assert "hand-20 is added: the next phase takes it in" in shown(pilot)
        assert "hand-20" not in demo.view.waiting
        await pilot.press("s")
        assert "hand-20" in demo.view.waiting
        await pilot.press("c")
        await still(pilot)
        assert [type(input).__name__ for input in by_hand(demo)] == ["Submitted"]
        assert demo.view.totals.finished == 21
    assert_replays(save(demo, tmp_path / "s.jsonl"))


async def test_a_request_that_makes_no_sense_is_told_and_nothing_is_lost(
    demo: BatchSession,
) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("a", *"hi", "tab", *"x", "enter")
        assert isinstance(pilot.app.screen, FormScreen)
        assert "max_tokens is not a whole number" in shown(pilot)
        assert "hi" in shown(pilot)
        await pilot.press("escape", "n")
        assert by_hand(demo) == []


async def test_x_aborts_the_picked_request(demo: BatchSession, tmp_path: Path) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("x")
        assert "pick a request first" in shown(pilot)
        await pilot.press("1", "home", "x")
        assert "r1 is aborted" in shown(pilot)
        await pilot.press("n")
        assert demo.view.ended[-1].request_id == "r1"
        assert demo.view.ended[-1].finish_reason == "abort"
    assert_replays(save(demo, tmp_path / "s.jsonl"))


async def test_i_lets_the_next_call_fail(demo: BatchSession, tmp_path: Path) -> None:
    async with opened(demo, 3) as pilot:
        await pilot.press("i")
        assert "the call raises" in shown(pilot)
        await pilot.press("enter")
        assert "the next call has a fault: raise" in shown(pilot)
        await pilot.press("n")
        assert demo.view.totals.failed_calls == 1
        (input,) = by_hand(demo)
        assert input.body == "raise"  # type: ignore[attr-defined]  # an Injected
        await pilot.press("c")
        await still(pilot)
        assert demo.view.totals.finished == 20
    assert_replays(save(demo, tmp_path / "s.jsonl"))


async def test_o_changes_the_options_from_here_on(demo: BatchSession, tmp_path: Path) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("o", "backspace", "3", "tab", "space", "enter")
        await still(pilot)
        assert "options are changed: the next phase takes it in" in shown(pilot)
        await pilot.press("n")
        assert sum(not slot.retiring for slot in demo.view.slots) == 3
        assert demo.policy_name == "priority"
        await pilot.press("c")
        await still(pilot)
        assert len(demo.view.slots) == 3
    assert_replays(save(demo, tmp_path / "s.jsonl"))


async def test_options_as_they_are_change_nothing(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("o", "enter")
        assert "nothing is changed" in shown(pilot)
        await pilot.press("n")
        assert by_hand(demo) == []


async def test_options_that_cannot_be_stay_open_with_their_reason(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("o", "backspace", "0", "enter")
        assert "max_num_seqs is 0: want 1" in shown(pilot)
        assert isinstance(pilot.app.screen, FormScreen)


async def test_o_in_a_fork_leaves_the_moment_and_changes_what_follows(
    demo: BatchSession, tmp_path: Path
) -> None:
    async with opened(demo, 12) as pilot:
        wanted = encoded(demo.view)
        await pilot.press("o", "backspace", "9", "tab", "tab", "space", "enter")
        await still(pilot)
        fork = now(pilot)
        assert fork is not demo
        assert encoded(fork.view) == wanted
        assert "the fork has other options" in shown(pilot)
        await pilot.press("n")
        assert len(fork.view.slots) == 9
        assert_replays(save(fork, tmp_path / "s.jsonl"))


# In the past.


async def test_f_in_the_past_begins_another_run_from_there(
    demo: BatchSession, tmp_path: Path
) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("N", "N", "S")
        wanted = encoded(demo.view)
        await pilot.press("f")
        await still(pilot)
        fork = now(pilot)
        assert fork is not demo
        assert encoded(fork.view) == wanted
        assert dashboard(pilot).mode is Mode.PAUSED
        assert "a fork: what follows is another run" in shown(pilot)
        await pilot.press("c")
        await still(pilot)
        assert fork.view.totals.finished == 20
        assert demo._closed
        assert_replays(save(fork, tmp_path / "s.jsonl"))


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        (("a", "h", "i", "enter"), "Submitted"),
        (("1", "home", "x"), "Aborted"),
        (("i", "enter"), "Injected"),
        (("o", "backspace", "3", "enter"), "Configured"),
    ],
)
async def test_what_is_done_in_the_past_is_done_in_a_fork(
    demo: BatchSession, tmp_path: Path, keys: tuple[str, ...], kind: str
) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("[")
        moment, wanted = demo.debugger.cursor.turn, encoded(demo.view)
        await pilot.press(*keys)
        await still(pilot)
        fork = now(pilot)
        assert fork is not demo
        assert (fork.debugger.timeline.num_turns, encoded(fork.view)) == (moment, wanted)
        await pilot.press("n")
        assert [type(input).__name__ for input in by_hand(fork)] == [kind]
        await pilot.press("c")
        await still(pilot)
        assert_replays(save(fork, tmp_path / "s.jsonl"))


async def test_a_fork_keeps_breakpoints_and_their_switches(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await typed(pilot, "b", "finish r1")
        await typed(pilot, "b", "step 14")
        await pilot.press("B", "down", "space", "escape", "N", "f")
        await still(pilot)
        points = [(each.text, each.enabled) for each in now(pilot).debugger.breakpoints]
        assert points == [("finish r1", True), ("step 14", False)]
        await pilot.press("c")
        await still(pilot)
        assert now(pilot).stopped.startswith('breakpoint "finish r1"')


async def test_whoever_presses_another_key_on_the_way_stays_where_he_is(
    demo: BatchSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("batchtui.tui.screens.running.SLICE_S", -1.0)  # a turn a slice
    monkeypatch.setattr("batchtui.tui.screens.running._BREATH_S", 3600.0)
    async with opened(demo) as pilot:
        await pilot.press(*["n"] * 9, "N", "f")
        assert dashboard(pilot).is_moving
        assert "RUNNING to the fork" in shown(pilot)
        await pilot.press("N")
        assert not dashboard(pilot).is_moving
        assert now(pilot) is demo
        assert demo.step == 6


async def test_a_fork_that_cannot_be_made_is_told(
    demo: BatchSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(past: object) -> BatchSession:
        raise InputError("the weights are gone")

    async with opened(demo, 12) as pilot:
        demo.refork = refuse
        await pilot.press("N", "f")
        assert "no fork: the weights are gone" in shown(pilot)
        assert now(pilot) is demo


# Recordings and real models.


async def test_a_recording_is_forked_and_goes_on(recording: BatchSession, tmp_path: Path) -> None:
    async with opened(recording) as pilot:
        assert dashboard(pilot).mode is Mode.ENDED
        await pilot.press("N", "N", "n", "G")
        wanted = encoded(recording.view)
        await pilot.press("N", "G", "f")
        await still(pilot)
        fork = now(pilot)
        assert fork is not recording
        assert encoded(fork.view) == wanted
        await pilot.press("n")
        assert fork.step == 13
        assert_replays(save(fork, tmp_path / "s.jsonl"))


@pytest.mark.parametrize("key", ["f", "a", "o", "i", "x"])
async def test_one_without_texts_says_that_it_cannot_be_changed(
    recording: BatchSession, key: str
) -> None:
    recording.refork = None
    async with opened(recording) as pilot:
        await pilot.press("1", "home", key)
        assert "a recording cannot be changed" in shown(pilot)


async def test_faults_are_not_injected_into_a_real_model(open_slow: OpenSlow) -> None:
    async with opened(open_slow(SlowModel())) as pilot:
        await pilot.press("i")
        assert "simulated backends only" in shown(pilot)


async def test_during_a_call_one_acts_and_does_not_fork(
    open_slow: OpenSlow, tmp_path: Path
) -> None:
    model = SlowModel()
    session = open_slow(model)
    async with opened(session) as pilot:
        await pilot.press("n")
        await pilot.press("a", *"hi", "enter")
        assert "is added" in shown(pilot)
        await pilot.press("f")
        assert "the model is being called" in shown(pilot)
        assert now(pilot) is session
        model.answer.release(1_000)
        await still(pilot)
        await pilot.press("c")
        await still(pilot)
        assert session.view.totals.finished == 4
    assert_replays(save(session, tmp_path / "s.jsonl"))


# Keys of a modal.


@pytest.mark.parametrize("key", ["a", "o", "i", "b", "B", "g", "E", "slash", "?", "!", "enter"])
async def test_a_key_in_a_modal_does_not_reach_the_dashboard(demo: BatchSession, key: str) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("1", "home", key)
        assert len(pilot.app.screen_stack) == 2
        moment, choice = demo.debugger.cursor.turn, dashboard(pilot).choice
        await pilot.press("n", "s", "N", "G", "z", "x", "f")
        assert demo.debugger.cursor.turn == moment
        assert now(pilot) is demo
        await pilot.press("escape", "escape")
        assert pilot.app.screen is dashboard(pilot)
        assert by_hand(demo) == []
        if key != "enter":
            assert dashboard(pilot).choice.panel == choice.panel
