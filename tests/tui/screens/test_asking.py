"""What a person asks: why, what looks wrong, all of a request; and what is taken away."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.tui.piloting import dashboard, opened, shown
from tests.tui.saved import assert_replays
from tests.tui.screens.test_running import still, typed
from textual.pilot import Pilot

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.screens.detail import DetailScreen

pytestmark = pytest.mark.anyio


async def export(pilot: Pilot[None], downs: int, path: Path) -> None:
    """Save what stands so far down in the list, under a name."""
    await pilot.press("E", *["down"] * downs, "enter")
    pilot.app.screen.query_one("TypedInput").value = str(path)  # type: ignore[attr-defined]
    await pilot.press("enter")
    await pilot.pause()


async def test_w_says_why_and_once_more_no_longer(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("3", "home", "w")
        assert "WHY r12 waits" in shown(pilot)
        await pilot.press("w")
        assert "WHY" not in shown(pilot)


async def test_why_follows_what_is_picked_and_the_moment(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("3", "home", "w", "down")
        assert "WHY r13 waits ── as of step 12" in shown(pilot)
        await pilot.press("N")
        assert "as of step 11" in shown(pilot)


async def test_without_a_pick_why_is_of_the_head_of_the_queue(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("w")
        assert "WHY r12 waits" in shown(pilot)


async def test_before_anybody_has_come_there_is_nobody_to_ask_about(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("w")
        assert "pick a request first" in shown(pilot)
        await pilot.press("enter", "t")
        assert "first" in shown(pilot)
        assert pilot.app.screen is dashboard(pilot)


async def test_the_lints_are_listed_and_enter_goes_there(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("!")
        assert "What looks wrong" in shown(pilot)
        lint = demo.outlook.lints()[0]
        await pilot.press("enter")
        choice = dashboard(pilot).choice
        assert choice.slot in lint.slots or choice.request_id == lint.request_id


async def test_enter_shows_all_of_a_request(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("1", "home", "enter")
        assert isinstance(pilot.app.screen, DetailScreen)
        assert "r1 as of step 12" in shown(pilot)
        assert "PROMPT" in shown(pilot)


async def test_a_breakpoint_is_proposed_on_what_is_picked(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("1", "home", "down", "b", "enter")
        assert [each.text for each in demo.debugger.breakpoints] == ["slot 1"]
        await pilot.press("3", "home", "b", "enter")
        assert [each.text for each in demo.debugger.breakpoints] == ["slot 1", "request r12"]


async def test_a_breakpoint_that_makes_no_sense_stays_open_with_its_reason(
    demo: BatchSession,
) -> None:
    async with opened(demo, 12) as pilot:
        await typed(pilot, "b", "finsh r1")
        assert "finsh" in shown(pilot) and "finish" in shown(pilot)
        await pilot.press("escape")
        assert len(demo.debugger.breakpoints) == 0


async def test_y_copies_the_picked_row(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("1", "home", "y")
        slot = demo.view.slots[0]
        assert pilot.app.clipboard == f"slot 0 g1 r1 {slot.text}{slot.held}"
        assert "copied" in shown(pilot)
        await pilot.press("3", "3", "home", "y")
        assert pilot.app.clipboard == "r5 stop 12 tokens"


async def test_e_saves_the_session(demo: BatchSession, tmp_path: Path) -> None:
    async with opened(demo, 12) as pilot:
        path = tmp_path / "s.jsonl"
        await export(pilot, 0, path)
        assert_replays(path)


async def test_e_saves_the_rows_of_the_panel_in_the_order_that_is_shown(
    demo: BatchSession, tmp_path: Path
) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("3", "r")
        await export(pilot, 1, tmp_path / "rows.csv")
        with (tmp_path / "rows.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert [row[0] for row in rows] == ["request_id", *(f"r{n}" for n in range(17, 11, -1))]


async def test_e_saves_a_picture_of_the_screen(demo: BatchSession, tmp_path: Path) -> None:
    async with opened(demo, 12) as pilot:
        await export(pilot, 2, tmp_path / "p.svg")
        picture = (tmp_path / "p.svg").read_text(encoding="utf-8")
        assert picture.startswith("<svg")
        assert "SLOTS" in picture


async def test_e_does_not_write_over_a_file(demo: BatchSession, tmp_path: Path) -> None:
    path = tmp_path / "there"
    path.write_text("mine")
    async with opened(demo, 12, size=(160, 24)) as pilot:
        for downs in range(3):
            await export(pilot, downs, path)
            assert "is there already" in shown(pilot)
    assert path.read_text() == "mine"


async def test_hostile_names_in_hints_stay_text(open_case: object, demo: BatchSession) -> None:
    name = "r[b]\x1b[31m"
    session = open_case(  # type: ignore[operator]  # the fixture
        [{"request_id": name, "prompt": "p", "calls": [["a"]] * 5, "max_tokens": 9}]
    )
    async with opened(session, 0) as pilot:
        for keys in (["1", "home", "y"], ["x"], ["w"], ["w", "t"]):
            await pilot.press(*keys)
            await still(pilot)
            assert "\x1b" not in shown(pilot)
            assert "r[b]" in shown(pilot)
