"""Every key on the screen of a search does what the help says of it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.piloting import opened, own, press, settled, shown, typed
from tests.tui.saved import assert_replays, encoded
from textual.pilot import Pilot

from batchtui.tui.actions import ACTIONS
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.scene import Mode
from batchtui.tui.screens.detail import DetailScreen
from batchtui.tui.screens.findings import FindingsScreen
from batchtui.tui.screens.help import HelpScreen

pytestmark = pytest.mark.anyio

Find = Callable[..., NodesSession]

NOT_HERE = {
    *("unit", "add", "filter", "sort_left", "sort_right", "reverse", "focus_nodes", "focus_evals")
}


def place(session: NodesSession) -> tuple[int, str]:
    return session.step, session.view.phase


# Move.


async def test_n_and_s_go_on_and_their_capitals_back(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "s", "s")
        assert place(gpus) == (0, "run")
        await press(pilot, "n")
        assert place(gpus) == (0, "deduce")
        await press(pilot, "n", "n", "N")
        assert place(gpus) == (1, "deduce")
        assert own(pilot).mode is Mode.PAST
        assert "PAST 1 back  [NODES 1 of 2]" in shown(pilot)
        await press(pilot, "S")
        assert place(gpus) == (1, "run")
        turns = gpus.debugger.timeline.num_turns
        await press(pilot, "n", "s")
        assert place(gpus) == (2, "plan")
        assert gpus.debugger.timeline.num_turns == turns
        await press(pilot, "G")
        assert not gpus.in_past
        await press(pilot, "G")
        assert "this is NOW" in shown(pilot)


async def test_at_the_beginning_there_is_nothing_before(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        for key in ("N", "S", "["):
            await press(pilot, key)
            assert "this is the beginning" in shown(pilot)
        await press(pilot, "]")
        assert "this is NOW" in shown(pilot)


async def test_brackets_scrub_by_ten_steps(gpus: NodesSession) -> None:
    async with opened(gpus, 12) as pilot:
        await settled(pilot)
        await press(pilot, "[")
        assert place(gpus) == (2, "deduce")
        await press(pilot, "]")
        assert place(gpus) == (12, "deduce")


async def test_space_runs_and_pauses_and_ctrl_c_pauses(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        await pilot.press("space")
        assert own(pilot).mode is Mode.RUNNING
        assert "RUNNING 5/s" in shown(pilot)
        await pilot.press("+")
        assert "RUNNING 10/s" in shown(pilot)
        await pilot.press("-", "space")
        assert own(pilot).mode is Mode.PAUSED
        await pilot.press("space", "ctrl+c")
        assert own(pilot).mode is Mode.PAUSED
        await pilot.press("ctrl+c")
        assert "ctrl+c pauses a run; q quits" in shown(pilot)


async def test_g_goes_to_steps_nodes_and_tests(gpus: NodesSession) -> None:
    async with opened(gpus, 12) as pilot:
        await settled(pilot)
        await typed(pilot, "g", "3")
        assert place(gpus) == (3, "deduce")
        await typed(pilot, "g", "+2")
        assert place(gpus) == (5, "deduce")
        await typed(pilot, "g", "gpu-017")
        assert gpus.step == 9
        assert own(pilot).choice.node == 17
        await typed(pilot, "g", "T3")
        assert place(gpus) == (2, "plan")
        assert (own(pilot).choice.panel, own(pilot).choice.test) == ("tests", 3)
        await typed(pilot, "g", "T99")
        assert "want a step, as in 41" in shown(pilot)
        await press(pilot, "escape")
        await typed(pilot, "g", "14")
        assert gpus.step == 14


# Breakpoints.


@pytest.mark.parametrize(
    ("condition", "step"), [("condemn", 9), ("node gpu-017", 0), ("bad >= 2", 12), ("over", 14)]
)
async def test_c_runs_on_to_a_breakpoint(gpus: NodesSession, condition: str, step: int) -> None:
    async with opened(gpus) as pilot:
        gpus.debugger.breakpoints.add(condition)
        await press(pilot, "c")
        assert gpus.step == step
        assert f'breakpoint "{condition}" at step {step}' in shown(pilot)


async def test_b_sets_one_on_what_is_picked_and_capital_c_goes_back_to_it(
    gpus: NodesSession,
) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "C")
        assert "there is no breakpoint" in shown(pilot)
        await press(pilot, "1", "home", "b", "enter", "2", "b", "escape")
        assert [each.text for each in gpus.debugger.breakpoints] == ["node gpu-000"]
        await press(pilot, "c")
        assert place(gpus) == (0, "plan")
        gpus.look(lambda debugger: debugger.to_head())
        await press(pilot, "n", "n", "n", "n", "G", "C")
        assert 'breakpoint "node gpu-000" at step' in shown(pilot)
        await press(pilot, "B")
        assert "node gpu-000" in shown(pilot)


async def test_words_that_make_no_sense_are_refused_with_a_reason(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        await typed(pilot, "b", "condem")
        assert "condemn" in shown(pilot)
        await press(pilot, "escape")
        assert len(gpus.debugger.breakpoints) == 0


async def test_t_runs_till_something_happens_to_the_picked_node(gpus: NodesSession) -> None:
    async with opened(gpus, 5) as pilot:
        await settled(pilot)
        await press(pilot, "t")
        assert "pick a node or a test first" in shown(pilot)
        own(pilot).picks.pick(17)
        await press(pilot, "t")
        assert gpus.stopped.startswith("node gpu-017 at step")
        record = gpus.debugger.cursor.record
        assert record is not None


# Ask.


async def test_w_says_which_tests_prove_it_and_once_more_no_longer(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        await press(pilot, "w")
        assert "WHY gpu-017 is bad ── as of step 9" in shown(pilot)
        assert "T10 failed (timeout): gpu-017 + gpu-000" in shown(pilot)
        await press(pilot, "right")
        assert "WHY nothing is known of gpu-018" in shown(pilot)
        await press(pilot, "N")
        assert "as of step 8" in shown(pilot)
        await press(pilot, "w")
        assert "WHY" not in shown(pilot)
        assert "VERDICT" in shown(pilot)


async def test_exclamation_mark_lists_what_cannot_be_told(link: NodesSession) -> None:
    async with opened(link) as pilot:
        await press(pilot, "!")
        assert "nothing is left to be told" in shown(pilot)
        await press(pilot, "escape", "c", "!")
        assert isinstance(pilot.app.screen, FindingsScreen)
        assert "contradiction: gpu-[004-005] failed together" in shown(pilot)


async def test_enter_shows_all_of_a_node_or_of_a_test(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        await press(pilot, "enter")
        assert "pick a node first" in shown(pilot)
        await press(pilot, "home", "enter")
        assert isinstance(pilot.app.screen, DetailScreen)
        assert "gpu-000 as of step 9" in shown(pilot)
        await press(pilot, "escape", "2", "end", "enter")
        assert "T1 as of step 9" in shown(pilot)
        assert "64 nodes" in shown(pilot)


async def test_the_help_lists_every_key_there_is_and_no_other(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        keys = dict(own(pilot)._keys())
        assert "2 3" in keys or "3 2" in keys
        described = set(keys.values())
        for action in ACTIONS:
            said = own(pilot).describe(action)
            assert (said in described) is (action.name not in NOT_HERE), action.name
        await press(pilot, "?")
        assert isinstance(pilot.app.screen, HelpScreen)
        assert "MAP has the keys" in shown(pilot)


@pytest.mark.parametrize(
    "key", ["a", "slash", "less_than_sign", "greater_than_sign", "r", "4", "5", "u"]
)
async def test_a_key_that_makes_no_sense_here_does_nothing(gpus: NodesSession, key: str) -> None:
    async with opened(gpus, 3) as pilot:
        await settled(pilot)
        await press(pilot, "home")
        before = (place(gpus), own(pilot).choice, shown(pilot))
        await press(pilot, key)
        assert (place(gpus), own(pilot).choice, shown(pilot)) == before
        assert pilot.app.screen is own(pilot)


# Look.


async def test_digits_and_tab_give_the_keys_to_a_panel(gpus: NodesSession) -> None:
    async with opened(gpus, 3) as pilot:
        await settled(pilot)
        for key, panel in (("2", "tests"), ("1", "map"), ("3", "tests"), ("tab", "map")):
            await press(pilot, key)
            assert own(pilot).choice.panel == panel
            assert pilot.app.focused is own(pilot).panel(panel)
        await press(pilot, "shift+tab")
        assert own(pilot).choice.panel == "tests"


async def test_on_a_narrow_screen_2_goes_on_to_the_verdict(gpus: NodesSession) -> None:
    async with opened(gpus, 3, size=(60, 24)) as pilot:
        await settled(pilot)
        assert "VERDICT" not in shown(pilot)
        await press(pilot, "2", "2")
        assert "VERDICT" in shown(pilot)
        assert "TESTS" not in shown(pilot)
        await press(pilot, "2")
        assert "TESTS" in shown(pilot)


@pytest.mark.parametrize(
    ("keys", "node"),
    [
        (("down",), 0),
        (("home", "right", "l"), 2),
        (("home", "j", "down"), 32),
        (("home", "down", "k", "up"), 0),
        (("end",), 63),
        (("end", "left", "h"), 61),
        (("home", "pagedown"), 48),
        (("end", "pageup"), 15),
        (("home", "left"), 0),
    ],
)
async def test_arrows_move_on_the_map(gpus: NodesSession, keys: tuple[str, ...], node: int) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, *keys)
        assert own(pilot).choice.node == node
        assert f"gpu-{node:03}" in shown(pilot)


async def test_arrows_move_among_the_tests(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "2", "down", "end")
        assert own(pilot).choice.test is None
        await typed(pilot, "g", "4")
        await press(pilot, "home")
        assert own(pilot).choice.test == 6
        await press(pilot, "down", "j")
        assert own(pilot).choice.test == 5
        await press(pilot, "end", "down")
        assert own(pilot).choice.test == 1
        await press(pilot, "k", "up", "pageup")
        assert own(pilot).choice.test == 6
        await press(pilot, "right")
        assert own(pilot).choice.panel == "map"


async def test_escape_clears_what_lies_nearest(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        await press(pilot, "w", "z")
        assert own(pilot).zoomed == "map"
        assert "TESTS" not in shown(pilot)
        await press(pilot, "escape")
        assert not own(pilot).asks_why
        await press(pilot, "escape")
        assert own(pilot).zoomed == ""
        await press(pilot, "escape")
        assert own(pilot).choice.node is None
        await press(pilot, "escape")
        assert "nothing to leave: q quits" in shown(pilot)


async def test_z_zooms_and_back_and_follows_the_panel(gpus: NodesSession) -> None:
    async with opened(gpus, 3) as pilot:
        await settled(pilot)
        await press(pilot, "2", "z")
        assert "MAP" not in shown(pilot)
        assert "T5" in shown(pilot)
        await press(pilot, "1")
        assert "1 MAP" in shown(pilot)
        await press(pilot, "z")
        assert "2 TESTS" in shown(pilot)


# Take away.


async def test_y_copies_the_bad_hosts_and_never_the_picked_one(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "home", "y")
        assert "nobody is known to be bad" in shown(pilot)
        assert pilot.app.clipboard == ""
        await press(pilot, "c", "y")
        assert pilot.app.clipboard == "gpu-[017,051]"
        assert "copied, if the terminal allows it: gpu-[017,051]" in shown(pilot)


async def export(pilot: Pilot[None], downs: int, path: Path) -> None:
    await press(pilot, "E", *["down"] * downs, "enter")
    pilot.app.screen.query_one("TypedInput").value = str(path)  # type: ignore[attr-defined]
    await press(pilot, "enter")


async def test_e_saves_the_session_the_rows_and_a_picture(
    gpus: NodesSession, tmp_path: Path
) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, "c")
        await export(pilot, 0, tmp_path / "s.jsonl")
        await export(pilot, 1, tmp_path / "nodes.csv")
        await press(pilot, "2")
        await export(pilot, 1, tmp_path / "tests.csv")
        await export(pilot, 2, tmp_path / "p.svg")
    assert_replays(tmp_path / "s.jsonl")
    with (tmp_path / "nodes.csv").open(newline="") as file:
        nodes = list(csv.reader(file))
    assert nodes[0] == ["node", "rack", "state", "by test", "prior"]
    assert nodes[18][:4] == ["gpu-017", "B", "bad", "T10"]
    assert len(nodes) == 65
    with (tmp_path / "tests.csv").open(newline="") as file:
        tests = list(csv.reader(file))
    assert len(tests) == 16
    assert tests[1][:4] == ["T1", "1", "fail", "timeout"]
    assert "VERDICT" in (tmp_path / "p.svg").read_text(encoding="utf-8")


async def test_the_palette_finds_what_there_is(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        await press(pilot, ":")
        assert len(pilot.app.screen_stack) == 2
        await press(pilot, "escape")
        commands = {each.title for each in pilot.app.get_system_commands(own(pilot))}
        assert "why" in commands
        assert "filter" not in commands


async def test_q_quits(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        await pilot.press("q")
        await pilot.pause()
        assert not pilot.app.is_running or pilot.app._exit


async def test_every_key_of_time_shows_what_was_seen_there(gpus: NodesSession) -> None:
    async with opened(gpus) as pilot:
        seen = {0: encoded(gpus.view)}
        for _ in range(24):
            await press(pilot, "s")
            seen[gpus.debugger.cursor.turn] = encoded(gpus.view)
        for key in ("N", "S", "S", "n", "s", "[", "]", "N", "S", "G"):
            await press(pilot, key)
            assert encoded(gpus.view) == seen[gpus.debugger.cursor.turn]


async def test_a_resize_keeps_the_place_and_the_pick(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        await press(pilot, "w")
        for size in ((160, 50), (40, 12), (20, 5), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert "NODES" in shown(pilot)
        assert "WHY gpu-017 is bad" in shown(pilot)
        assert place(gpus) == (9, "deduce")
