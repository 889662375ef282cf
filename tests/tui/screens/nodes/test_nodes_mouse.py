"""The mouse on the screen of a search."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.tui.piloting import opened, own, press, settled, shown
from textual.pilot import Pilot

from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.screens.detail import DetailScreen
from batchtui.tui.widgets.nodes.map import MapPanel
from batchtui.tui.widgets.nodes.tests import TestsPanel
from batchtui.tui.widgets.scrolling import ScrollingPanel

pytestmark = pytest.mark.anyio

Find = Callable[..., NodesSession]


def find_words(pilot: Pilot[None], words: str) -> tuple[int, int]:
    rows = shown(pilot).split("\n")
    return next((row.index(words), y) for y, row in enumerate(rows) if words in row)


async def click(pilot: Pilot[None], at: tuple[int, int], times: int = 1) -> None:
    await pilot.click(offset=at, times=times)
    await settled(pilot)


async def test_a_click_picks_a_node_and_a_second_one_shows_all_of_it(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        x, y = find_words(pilot, "B +#")
        await click(pilot, (x + 3, y))
        assert (own(pilot).choice.panel, own(pilot).choice.node) == ("map", 17)
        await click(pilot, (x + 3, y), times=2)
        assert isinstance(pilot.app.screen, DetailScreen)
        assert "gpu-017 as of step 9" in shown(pilot)


async def test_a_click_beside_the_letters_picks_nothing(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        for words in ("1 MAP", "B +#", ". untested"):
            await click(pilot, find_words(pilot, words))
        assert own(pilot).choice.node is None


async def test_a_click_picks_a_test_and_its_title_none(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        await click(pilot, find_words(pilot, "2 TESTS"))
        assert own(pilot).choice.test is None
        await click(pilot, find_words(pilot, "T12  PASS"))
        assert (own(pilot).choice.panel, own(pilot).choice.test) == ("tests", 12)
        await click(pilot, find_words(pilot, "T12  PASS"), times=2)
        assert "T12 as of step 9" in shown(pilot)


async def test_the_ribbon_and_the_footer_do_what_they_show(gpus: NodesSession) -> None:
    async with opened(gpus, 9) as pilot:
        await settled(pilot)
        x, y = find_words(pilot, "fcfcfccfc[#]")
        await click(pilot, (x + 3, y))
        assert gpus.step == 3
        await click(pilot, find_words(pilot, "G NOW"))
        assert not gpus.in_past
        await click(pilot, find_words(pilot, "w why"))
        assert "WHY gpu-017 is bad" in shown(pilot)


async def test_a_contradiction_in_the_footer_leads_to_the_list(link: NodesSession) -> None:
    async with opened(link, size=(160, 50)) as pilot:
        await press(pilot, "c")
        x, y = find_words(pilot, "! contradiction: gpu-[004-005]")
        assert y == 48
        await click(pilot, (x, y))
        assert "What cannot be told" in shown(pilot)


async def test_the_wheel_scrolls_a_map_that_is_too_high_and_its_letters_stay_true(
    find: Find,
) -> None:
    session = find(4096, (3,))
    async with opened(session, 2, size=(30, 16)) as pilot:
        await settled(pilot)
        panel = own(pilot).query_one(MapPanel)
        assert panel.num_rows(own(pilot).scene) > panel.page
        panel.scroll_rows(2)
        await pilot.pause()
        await click(pilot, (panel.region.x + 5, panel.region.y + 1))
        node = own(pilot).choice.node
        assert node is not None
        grid = own(pilot)._grid
        assert grid.place_of(node) == (2, 3)
        panel.scroll_rows(-99)
        assert panel.top == 0
        panel.scroll_rows(10_000)
        assert panel.top == panel.num_rows(own(pilot).scene) - panel.page


async def test_what_is_picked_stays_in_sight(find: Find) -> None:
    session = find(4096, (3,))
    async with opened(session, 2, size=(30, 16)) as pilot:
        await settled(pilot)
        for key in ("end", "home", "pagedown", "down"):
            await press(pilot, key)
            panel = own(pilot).query_one(MapPanel)
            node = own(pilot).choice.node
            assert node is not None
            place = own(pilot)._grid.place_of(node)
            assert place is not None
            assert panel.top <= place[0] < panel.top + panel.page


async def test_tests_scroll_with_what_is_picked(find: Find) -> None:
    session = find(64, (3, 9, 17, 33, 60))
    async with opened(session) as pilot:
        await press(pilot, "c", "2", "end")
        panel: ScrollingPanel = own(pilot).query_one(TestsPanel)
        assert panel.top > 0
        assert "T1 " in shown(pilot)
        await press(pilot, "home")
        assert panel.top == 0
