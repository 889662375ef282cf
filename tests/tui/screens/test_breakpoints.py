"""The list of breakpoints."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.screens.overlaid import overlaid

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.tui.screens.breakpoints import BreakpointsScreen

pytestmark = pytest.mark.anyio

Points = Breakpoints[Any]  # Any: no view is looked at


@pytest.fixture
def points() -> Points:
    points: Points = Breakpoints(BATCHING)
    for text in ("finish r7", "queue > 10", "step 120"):
        points.add(text)
    return points


def screen(points: Points) -> BreakpointsScreen:
    return BreakpointsScreen(points, ascii=False)


def texts(points: Points) -> list[str]:
    return [each.text for each in points]


async def test_each_has_its_switch_its_words_and_its_hits(points: Points) -> None:
    first, second, third = points
    first.hits, second.hits, second.enabled = 1, 1200, False
    async with overlaid(screen(points)) as modal:
        rows = [modal.rows[modal.row(each.text)].strip(" │>").split() for each in points]
        assert rows[0] == ["on", "finish", "r7", "1", "hit"]
        assert rows[1] == ["off", "queue", ">", "10", "1,200", "hits"]
        assert rows[2] == ["on", "step", "120", "0", "hits"]
        assert third.enabled


async def test_space_switches_off_and_on(points: Points) -> None:
    async with overlaid(screen(points)) as modal:
        await modal.press("down", "space")
        assert [each.enabled for each in points] == [True, False, True]
        assert "off  queue" in modal.text
        await modal.press("space")
        assert [each.enabled for each in points] == [True, True, True]
        assert "off" not in modal.text.replace("on/off", "")


@pytest.mark.parametrize("key", ["d", "delete"])
async def test_d_deletes_the_picked_one(points: Points, key: str) -> None:
    async with overlaid(screen(points)) as modal:
        await modal.press("down", key)
        assert texts(points) == ["finish r7", "step 120"]
        assert "> on   step 120" in modal.text
        await modal.press(key, key, key)
        assert texts(points) == []
        assert "no breakpoint is set: a adds one" in modal.text


async def test_a_adds_one_and_picks_it(points: Points) -> None:
    async with overlaid(screen(points)) as modal:
        await modal.press("a")
        await modal.type("discard")
        await modal.press("enter")
        assert texts(points)[3:] == ["discard"]
        assert "> on   discard" in modal.text


@pytest.mark.parametrize("key", ["e", "enter"])
async def test_editing_replaces_it_in_its_place(points: Points, key: str) -> None:
    old = list(points)[1]
    old.hits, old.enabled = 5, False
    async with overlaid(screen(points)) as modal:
        await modal.press("down", key)
        assert "breakpoint: queue > 10" in modal.rows[-1]
        await modal.type("0")
        await modal.press("enter")
        assert texts(points) == ["finish r7", "queue > 100", "step 120"]
        new = list(points)[1]
        assert (new.hits, new.enabled) == (0, False)
        assert "> off  queue > 100" in modal.text


async def test_editing_to_the_same_words_changes_nothing(points: Points) -> None:
    old = list(points)[1]
    old.hits, old.enabled = 5, False
    async with overlaid(screen(points)) as modal:
        await modal.press("down", "e", "enter")
        assert list(points)[1] is old
        assert (old.hits, old.enabled) == (5, False)


async def test_editing_to_the_words_of_another_leaves_one_of_them(points: Points) -> None:
    async with overlaid(screen(points)) as modal:
        await modal.press("e", "ctrl+u")
        await modal.type("step 120")
        await modal.press("enter")
        assert texts(points) == ["step 120", "queue > 10"]
        assert "> on   step 120" in modal.text


async def test_the_parsers_error_is_shown_and_the_words_stay(points: Points) -> None:
    async with overlaid(screen(points)) as modal:
        await modal.press("a")
        await modal.type("finsh r7")
        await modal.press("enter")
        assert "! " in modal.text
        assert "did you mean" in modal.text
        assert "finsh r7" in modal.rows[-1]
        assert len(points) == 3
        await modal.press("escape")
        assert len(points) == 3
        assert modal.is_open


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_a_prompt_over_it_closes_alone(points: Points, key: str) -> None:
    async with overlaid(screen(points)) as modal:
        await modal.press("e", key)
        assert modal.is_open
        assert "BREAKPOINTS" in modal.text
        assert texts(points) == ["finish r7", "queue > 10", "step 120"]
        await modal.press(key)
        assert modal.answers == [None]


async def test_its_keys_can_be_clicked(points: Points) -> None:
    async with overlaid(screen(points), (40, 12)) as modal:
        await modal.click("step 120")
        await modal.click("space on/off")
        assert "> off  step 120" in modal.text
        await modal.click("d delete")
        assert texts(points) == ["finish r7", "queue > 10"]
        await modal.click("a add")
        assert "add breakpoint:" in modal.rows[-1]


async def test_an_empty_list_says_how_to_fill_it() -> None:
    points: Points = Breakpoints(BATCHING)
    async with overlaid(screen(points)) as modal:
        assert "no breakpoint is set: a adds one" in modal.text
        await modal.press("space", "d", "e", "enter", "down")
        assert "BREAKPOINTS" in modal.text
        await modal.press("a")
        await modal.type("finish")
        await modal.press("enter")
        assert "> on   finish" in modal.text
        assert "no breakpoint" not in modal.text
