"""A list of findings, one of which is gone to."""

from __future__ import annotations

import pytest
from tests.tui.screens.overlaid import overlaid
from textual import events

from batchtui.tui.renderables.line import Line
from batchtui.tui.screens.findings import FindingsScreen
from batchtui.tui.widgets.lines import ScrolledLines

pytestmark = pytest.mark.anyio

LINES: list[Line] = [
    [("! ", "alarm"), (f"finding {number} ", "name"), ("and so on " * 10 + "END", "")]
    for number in range(40)
]


def findings(lines: list[Line] = LINES) -> FindingsScreen:
    return FindingsScreen("LINTS", lines, empty="nothing looks wrong", ascii=False)


@pytest.mark.parametrize(
    ("keys", "index"),
    [([], 0), (["down", "j"], 2), (["j", "k"], 0), (["end"], 39), (["end", "home"], 0)],
)
async def test_enter_gives_the_index_of_the_picked_one(keys: list[str], index: int) -> None:
    async with overlaid(findings()) as modal:
        await modal.press(*keys, "enter")
        assert modal.answers == [index]


async def test_a_page_is_what_is_seen() -> None:
    async with overlaid(findings()) as modal:
        seen = sum("finding" in row for row in modal.rows)
        await modal.press("pagedown", "enter")
        assert modal.answers == [seen]


async def test_the_picked_one_is_always_in_sight() -> None:
    async with overlaid(findings(LINES[:12]), (40, 12)) as modal:
        for number in range(1, 12):
            await modal.press("down")
            assert f"> ! finding {number} " in modal.text
        assert "more below" not in modal.text


async def test_long_lines_are_cut_and_scroll_sideways() -> None:
    async with overlaid(findings(), (60, 12)) as modal:
        assert "END" not in modal.text
        assert "..  " not in modal.text
        await modal.press(*["right"] * 8)
        assert "END" in modal.rows[1]
        assert "> .." in modal.rows[1]
        await modal.press(*["h"] * 8)
        assert "> ! finding 0" in modal.rows[1]


async def test_where_all_fits_nothing_scrolls_sideways() -> None:
    async with overlaid(findings([[("short", "")]])) as modal:
        await modal.press("right")
        assert "> short" in modal.text


async def test_none_is_said_and_enter_means_nothing() -> None:
    async with overlaid(findings([])) as modal:
        assert "nothing looks wrong" in modal.text
        assert "go there" not in modal.text
        await modal.press("down", "end", "right", "enter")
        assert modal.answers == [None]


async def test_a_click_picks_and_another_goes_there() -> None:
    async with overlaid(findings()) as modal:
        await modal.click("finding 3 ")
        assert modal.is_open
        assert "> ! finding 3 " in modal.text
        await modal.click("finding 3 ")
        assert modal.answers == [3]


async def test_the_wheel_moves() -> None:
    async with overlaid(findings()) as modal:
        widget = modal.pilot.app.screen.query_one(ScrolledLines)
        widget.post_message(events.MouseScrollDown(widget, 1, 1, 0, 1, 0, False, False, False))
        await modal.pilot.pause()
        assert "> ! finding 1 " in modal.text


async def test_q_closes() -> None:
    async with overlaid(findings()) as modal:
        await modal.press("q")
        assert modal.answers == [None]
