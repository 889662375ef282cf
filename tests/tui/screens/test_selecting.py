"""Panels, rows, filter and order: what is picked, and what is left with escape."""

from __future__ import annotations

import pytest
from tests.tui.piloting import dashboard, opened, shown
from tests.tui.screens.test_running import typed

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.scene import Sort
from batchtui.tui.widgets.slots import SlotsPanel

pytestmark = pytest.mark.anyio


async def test_rows_are_picked_with_arrows_and_the_ends_hold(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        picked = []
        for key in ["down", "down", "k", "up", "end", "j", "home"]:
            await pilot.press(key)
            picked.append(dashboard(pilot).choice.slot)
        assert picked == [0, 1, 0, 0, 7, 7, 0]


async def test_a_slot_stays_picked_whoever_is_in_it_and_a_request_wherever_it_waits(
    demo: BatchSession,
) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("1", "home", *["down"] * 4)
        assert dashboard(pilot).choice.request_id == "r5"
        await pilot.press("n")
        assert (dashboard(pilot).choice.slot, dashboard(pilot).choice.request_id) == (4, "")
        await pilot.press("N")
        assert dashboard(pilot).choice.request_id == "r5"
        await pilot.press("G", "3", "home", "down")
        assert dashboard(pilot).choice.request_id == "r13"
        await pilot.press("[")
        assert dashboard(pilot).choice.request_id == "r13"


async def test_a_click_picks_and_a_second_one_shows_all(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.click(SlotsPanel, offset=(8, 4))
        assert dashboard(pilot).choice.slot == 2
        await pilot.click(SlotsPanel, offset=(8, 4), times=2)
        await pilot.pause()
        assert "r9 as of step 12" in shown(pilot)


async def test_a_filter_leaves_rows_that_hold_a_text_and_one_with_a_mark_the_others(
    demo: BatchSession,
) -> None:
    async with opened(demo, 12, size=(120, 40)) as pilot:
        await pilot.press("3")
        await typed(pilot, "slash", "r14")
        assert [row.request_id for row in dashboard(pilot).panel_rows()] == ["r14"]
        await typed(pilot, "slash", "!r14")
        names = [row.request_id for row in dashboard(pilot).panel_rows()]
        assert names == ["r12", "r13", "r15", "r16", "r17"]
        await pilot.press("slash", *["backspace"] * 9, "enter")
        assert dashboard(pilot).choice.filter == ""


async def test_a_filter_of_a_panel_without_rows_is_one_of_the_queue(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await typed(pilot, "slash", "r14")
        assert dashboard(pilot).choice.panel == "queue"


async def test_the_queue_is_sorted_by_its_columns_either_way_and_back(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        screen = dashboard(pilot)
        await pilot.press(">")
        assert "3 goes there" in shown(pilot)
        await pilot.press("3")
        before = [row.request_id for row in screen.panel_rows()]
        await pilot.press("r")
        assert [row.request_id for row in screen.panel_rows()] == before[::-1]
        await pilot.press("r", ">")
        first = screen.choice.queue_sort
        assert first.column and not first.reverse
        await pilot.press("<")
        assert screen.choice.queue_sort == Sort()
        await pilot.press("<", ">")
        assert [row.request_id for row in screen.panel_rows()] == before


async def test_queue_and_ended_have_orders_of_their_own(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("3", "r", "3", ">")
        choice = dashboard(pilot).choice
        assert choice.panel == "ended"
        assert choice.queue_sort == Sort("", reverse=True)
        assert choice.ended_sort.column and not choice.ended_sort.reverse


async def test_z_gives_the_panel_all_the_room_and_the_next_one_takes_it_over(
    demo: BatchSession,
) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("3", "z")
        assert "SLOTS" not in shown(pilot)
        await pilot.press("1")
        assert "QUEUE" not in shown(pilot)
        assert "SLOTS" in shown(pilot)
        await pilot.press("z")
        assert "QUEUE" in shown(pilot)


async def test_escape_leaves_why_then_zoom_then_filter_then_pick(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        screen = dashboard(pilot)
        await pilot.press("3")
        await typed(pilot, "slash", "r1")
        await pilot.press("home", "z", "w")
        left = []
        for _ in range(5):
            await pilot.press("escape")
            choice = screen.choice
            left.append((screen.asks_why, screen.zoomed, choice.filter, choice.request_id))
        assert left == [
            (False, "queue", "r1", "r12"),
            (False, "", "r1", "r12"),
            (False, "", "", "r12"),
            (False, "", "", ""),
            (False, "", "", ""),
        ]
        assert "nothing to leave: q quits" in shown(pilot)
        assert pilot.app.is_running


@pytest.mark.parametrize(
    ("request_id", "condition"),
    [
        ("r12", "request r12"),
        ("and", 'request "and"'),
        ("a b", 'request "a b"'),
        ('say "x"', "request 'say \"x\"'"),
        ("é", 'request "é"'),
    ],
)
async def test_a_condition_is_proposed_that_can_be_read_again(
    demo: BatchSession, request_id: str, condition: str
) -> None:
    async with opened(demo, 12) as pilot:
        screen = dashboard(pilot)
        screen.pick(request_id=request_id)
        assert screen.picked_condition == condition
        demo.debugger.breakpoints.parse(condition)
