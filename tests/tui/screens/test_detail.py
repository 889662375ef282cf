"""Lines to be read, made for the width there is."""

from __future__ import annotations

import pytest
from tests.tui.screens.overlaid import Overlaid, overlaid
from textual import events

from batchtui.tui.renderables.line import Line
from batchtui.tui.screens.detail import DetailScreen
from batchtui.tui.widgets.lines import ScrolledLines

pytestmark = pytest.mark.anyio


def lines(width: int) -> list[Line]:
    return [[(f"line {number} ".ljust(width - 1, "."), ""), ("|", "")] for number in range(50)]


def detail() -> DetailScreen:
    return DetailScreen(lines, "r7", ascii=False)


def first(modal: Overlaid) -> int:
    return int(modal.rows[1].split()[2])


@pytest.mark.parametrize("width", [40, 80, 160])
async def test_lines_are_made_for_the_width(width: int) -> None:
    async with overlaid(detail(), (width, 24)) as modal:
        assert ".| │" in modal.rows[1]
        await modal.resize(61, 24)
        assert ".| │" in modal.rows[1]


@pytest.mark.parametrize(
    ("keys", "top"),
    [
        (["j"], 1),
        (["down", "down", "up"], 1),
        (["k"], 0),
        (["pagedown"], 9),
        (["space"], 9),
        (["pagedown", "pageup"], 0),
        (["end"], 41),
        (["end", "j"], 41),
        (["end", "home"], 0),
    ],
)
async def test_keys_scroll(keys: list[str], top: int) -> None:
    async with overlaid(detail(), (40, 12)) as modal:
        await modal.press(*keys)
        assert first(modal) == top


async def test_it_says_how_much_is_below() -> None:
    async with overlaid(detail(), (40, 12)) as modal:
        assert "41 more below" in modal.text
        await modal.press("j")
        assert "40 more below" in modal.text
        await modal.resize(40, 22)
        assert "30 more below" in modal.text


@pytest.mark.parametrize("key", ["enter", "q", "escape"])
async def test_keys_close(key: str) -> None:
    async with overlaid(detail()) as modal:
        await modal.press(key)
        assert modal.answers == [None]


async def test_the_wheel_scrolls() -> None:
    async with overlaid(detail()) as modal:
        widget = modal.pilot.app.screen.query_one(ScrolledLines)
        for kind in (events.MouseScrollDown, events.MouseScrollDown, events.MouseScrollUp):
            widget.post_message(kind(widget, 1, 1, 0, 1, 0, False, False, False))
        await modal.pilot.pause()
        assert first(modal) == 2


async def test_a_click_closes_nothing() -> None:
    async with overlaid(detail()) as modal:
        await modal.click("line 3")
        assert modal.is_open
