"""The guided tour of each demo: every stage as text, there and back, and wherever one strays."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from typing import Any

import pytest
from tests.tui.piloting import shown
from tests.tui.saved import encoded
from textual.pilot import Pilot

from batchtui.tui.app import BatchtuiApp
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.demo_sessions import session_of_demo
from batchtui.tui.demos import Demo, demo_names, open_demo
from batchtui.tui.renderables.line import Line
from batchtui.tui.screens.tour import Touring
from batchtui.tui.session import Session

pytestmark = pytest.mark.anyio

OpenNamed = Callable[..., BatchSession]
CheckGolden = Callable[[str, list[Line]], None]

OVER = "the tour is over: every key works; q quits"


def tour(pilot: Pilot[None]) -> Touring:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, Touring)
    return screen


async def played(pilot: Pilot[None]) -> None:
    """Wait until the keys of a stage have been pressed."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def go_on(pilot: Pilot[None]) -> None:
    """Press enter: once more where it closes what the stage has opened."""
    if len(pilot.app.screen_stack) > 1:
        await pilot.press("enter")
    await pilot.press("enter")
    await played(pilot)


@asynccontextmanager
async def touring(
    session: Session[Any], demo: Demo, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Pilot[None]]:
    app = BatchtuiApp(session, demo=demo, clock=lambda: 0.0)
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await played(pilot)
        yield pilot


@pytest.mark.parametrize("name", demo_names())
async def test_enter_goes_through_every_stage(golden: CheckGolden, name: str) -> None:
    demo = open_demo(name)
    lines: list[Line] = []
    with closing(session_of_demo(demo)) as session:
        async with touring(session, demo) as pilot:
            await _go_through(pilot, demo, lines)
    golden(f"demo-{name}-80", lines)


async def _go_through(pilot: Pilot[None], demo: Demo, lines: list[Line]) -> None:
    for number, stage in enumerate(demo.script):
        if number:
            await go_on(pilot)
        screen = shown(pilot)
        lines += [[(row, "")] for row in (f"--- {number + 1}: {stage.say}", *screen.split("\n"))]
        if len(pilot.app.screen_stack) == 1:
            assert f"{number + 1} of {len(demo.script)}" in screen
            assert " ".join(stage.say.split()[:4]) in screen
    await go_on(pilot)
    assert OVER in shown(pilot)
    assert not tour(pilot).is_touring
    await pilot.press("N", "G", "question_mark", "escape")
    assert pilot.app.is_running


@pytest.mark.parametrize("name", ["late"])
async def test_backspace_goes_all_the_way_back_and_enter_comes_again(
    open_workload_named: OpenNamed, name: str
) -> None:
    demo = open_demo(name)
    session = open_workload_named(demo.workload)
    async with touring(session, demo) as pilot:
        seen = [encoded(session.view)]
        for _ in demo.script[1:]:
            await go_on(pilot)
            seen.append(encoded(session.view))
        if len(pilot.app.screen_stack) > 1:
            await pilot.press("escape")
        for view in seen[-2::-1]:
            await pilot.press("backspace")
            assert encoded(session.view) == view
        await pilot.press("backspace")
        assert f"1 of {len(demo.script)}" in shown(pilot)
        for view in seen[1:]:
            await go_on(pilot)
            assert encoded(session.view) == view


@pytest.mark.parametrize("name", ["poison"])
async def test_who_strays_between_two_stages_comes_back(
    open_workload_named: OpenNamed, name: str
) -> None:
    demo = open_demo(name)
    straight = open_workload_named(demo.workload)
    async with touring(straight, demo) as pilot:
        seen = [encoded(straight.view)]
        for _ in demo.script[1:]:
            await go_on(pilot)
            seen.append(encoded(straight.view))
    session = open_workload_named(demo.workload)
    async with touring(session, demo) as pilot:
        for number, keys in enumerate((["n", "n"], ["N", "3", "w"], ["["], ["z", "j"]), 1):
            await pilot.press(*keys)
            await go_on(pilot)
            assert encoded(session.view) == seen[number]


async def test_why_that_a_stage_asks_is_asked_again_when_it_is_played_again(
    open_workload_named: OpenNamed,
) -> None:
    demo = open_demo("fcfs")
    async with touring(open_workload_named("fcfs"), demo) as pilot:
        for _ in range(4):
            await go_on(pilot)
        assert "WHY r5 waits" in shown(pilot)
        await pilot.press("backspace")
        assert "WHY" not in shown(pilot)
        await go_on(pilot)
        assert "WHY r5 waits" in shown(pilot)


async def test_escape_leaves_the_tour_and_the_keys_are_the_dashboards(
    open_workload_named: OpenNamed,
) -> None:
    session = open_workload_named("fcfs")
    async with touring(session, open_demo("fcfs")) as pilot:
        await go_on(pilot)
        await pilot.press("escape")
        assert not tour(pilot).is_touring
        await pilot.press("backspace", "n", "1", "home", "enter")
        assert "r1 as of step 1" in shown(pilot)


@pytest.mark.parametrize("size", [(40, 12), (160, 50)])
async def test_a_tour_is_taken_at_other_sizes(
    open_workload_named: OpenNamed, size: tuple[int, int]
) -> None:
    demo = open_demo("late")
    async with touring(open_workload_named("late"), demo, size) as pilot:
        for _ in demo.script[1:]:
            await go_on(pilot)
        await go_on(pilot)
        assert not tour(pilot).is_touring
