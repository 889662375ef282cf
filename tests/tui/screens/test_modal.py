"""What every modal screen does: it closes, lets no key through, fits, and shows nothing hostile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.screens.overlaid import HOSTILE, overlaid
from textual.screen import ModalScreen

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.text import foreign
from batchtui.tui.screens.breakpoints import BreakpointsScreen
from batchtui.tui.screens.choose import Choice, ChooseScreen
from batchtui.tui.screens.detail import DetailScreen
from batchtui.tui.screens.findings import FindingsScreen
from batchtui.tui.screens.form import Field, FormScreen
from batchtui.tui.screens.prompt import PromptScreen

pytestmark = pytest.mark.anyio

Make = Callable[[bool], ModalScreen[Any]]  # Any: of whichever screen


def breakpoints_screen(ascii: bool) -> ModalScreen[None]:
    breakpoints: Breakpoints[Any] = Breakpoints(BATCHING)
    breakpoints.add("finish 日本語")
    breakpoints.add("queue > 10")
    return BreakpointsScreen(breakpoints, ascii=ascii)


def hostile_line(ascii: bool) -> Line:
    return foreign(HOSTILE, "name", ascii_only=ascii)


MADE: dict[str, Make] = {
    "prompt": lambda ascii: PromptScreen(
        HOSTILE, HOSTILE, HOSTILE, lambda text: HOSTILE, ascii=ascii
    ),
    "form": lambda ascii: FormScreen(
        HOSTILE,
        [
            Field("one", HOSTILE, HOSTILE, HOSTILE),
            Field("two", "two", HOSTILE, choices=["x", HOSTILE]),
        ],
        lambda values: HOSTILE,
        ascii=ascii,
    ),
    "choose": lambda ascii: ChooseScreen(
        HOSTILE, [Choice("one", HOSTILE, HOSTILE), Choice("two", "two")], ascii=ascii
    ),
    "breakpoints": breakpoints_screen,
    "findings": lambda ascii: FindingsScreen(
        HOSTILE, [hostile_line(ascii)] * 3, empty="", ascii=ascii
    ),
    "nothing found": lambda ascii: FindingsScreen("LINTS", [], empty=HOSTILE, ascii=ascii),
    "detail": lambda ascii: DetailScreen(
        lambda width: [hostile_line(ascii)] * 40, HOSTILE, ascii=ascii
    ),
}
EVERY = pytest.mark.parametrize("make", MADE.values(), ids=list(MADE))


@EVERY
@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_it_closes_without_effect(make: Make, key: str) -> None:
    async with overlaid(make(False)) as modal:
        await modal.press("n", "s", "x", "space", "tab", "down")  # may be typed, goes no further
        assert modal.is_open
        await modal.press(key)
        assert not modal.is_open
        assert modal.answers == [None]
        assert modal.reached == 0
        await modal.press("n")
        assert modal.reached == 1


@EVERY
async def test_hostile_text_is_shown_and_not_obeyed(make: Make) -> None:
    async with overlaid(make(False)) as modal:
        await modal.press("end")
        for size in ((80, 24), (40, 12)):
            await modal.resize(*size)
            assert not set("\x1b\x07\u202e") & set(modal.text)


@pytest.mark.parametrize("name", ["prompt", "form"])
async def test_a_hostile_error_is_shown_and_not_obeyed(name: str) -> None:
    async with overlaid(MADE[name](False)) as modal:
        await modal.press("enter")
        assert "! [bold]é[/] \\x1b[31m\\u202e日本語\\n\\x07" in modal.text


@EVERY
async def test_in_ascii_all_of_it_is_ascii(make: Make) -> None:
    async with overlaid(make(True)) as modal:
        await modal.press("tab", "down")
        for size in ((80, 24), (40, 12)):
            await modal.resize(*size)
            assert modal.text.isascii()


@pytest.mark.parametrize("name", [name for name in MADE if name != "prompt"])
async def test_a_box_is_whole_and_says_how_to_leave(name: str) -> None:
    async with overlaid(MADE[name](False)) as modal:
        for size in ((80, 24), (40, 12)):
            await modal.resize(*size)
            assert sum("┌" in row and "┐" in row for row in modal.rows) == 1
            assert sum("└" in row and "┘" in row for row in modal.rows) == 1
            assert "esc close" in modal.text


@EVERY
async def test_after_a_resize_it_is_as_if_opened_there(make: Make) -> None:
    async with overlaid(make(False), (40, 12)) as modal:
        small = modal.rows
        await modal.resize(160, 50)
        await modal.resize(40, 12)
        assert modal.rows == small


@EVERY
async def test_a_screen_too_small_is_survived(make: Make) -> None:
    async with overlaid(make(False)) as modal:
        for size in ((12, 4), (3, 2), (80, 24)):
            await modal.resize(*size)
            await modal.press("down")
            assert modal.is_open


@EVERY
async def test_every_theme_shows_the_same_words(make: Make) -> None:
    async with overlaid(make(False)) as modal:
        wanted = modal.rows
        for theme in ("textual-light", "ansi-dark", "ansi-light"):
            modal.pilot.app.theme = theme
            await modal.pilot.pause()
            assert modal.rows == wanted


@EVERY
async def test_no_timer_runs_while_nobody_types(make: Make) -> None:
    async with overlaid(make(False)) as modal:
        nodes = modal.pilot.app.screen.walk_children()
        assert not [t for node in nodes for t in node._timers if t._active.is_set()]


@pytest.mark.parametrize("name", ["choose", "findings", "breakpoints", "form"])
async def test_a_click_on_esc_closes(name: str) -> None:
    async with overlaid(MADE[name](False)) as modal:
        await modal.click("esc close")
        assert modal.answers == [None]


async def test_the_screen_below_is_dimmed_but_not_by_a_prompt() -> None:
    async with overlaid(ChooseScreen("?", [Choice("x", "x")], ascii=False)) as modal:
        dimmed = modal.style("row 1").color
    async with overlaid(PromptScreen("?", ascii=False)) as modal:
        assert modal.style("row 1").color != dimmed
