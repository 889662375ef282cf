"""One line, asked for at the foot of the screen."""

from __future__ import annotations

import pytest
from tests.tui.screens.overlaid import overlaid
from textual import events
from textual.widgets import Input

from batchtui.tui.screens.prompt import PromptScreen

pytestmark = pytest.mark.anyio


def no_digits(text: str) -> str:
    return "" if text.isdigit() else f'"{text}" is no step: want a number'


def prompt(value: str = "", *, hint: str = "a step", ascii: bool = False) -> PromptScreen:
    return PromptScreen("go to", value, hint, no_digits, ascii=ascii)


async def test_what_is_typed_comes_back() -> None:
    async with overlaid(prompt()) as modal:
        await modal.type("41")
        await modal.press("enter")
        assert modal.answers == ["41"]


async def test_it_takes_the_last_two_rows_and_no_others() -> None:
    async with overlaid(prompt()) as modal:
        assert modal.rows[-2].split() == ["a", "step"]
        assert modal.rows[-1].startswith(" go to:")
        assert modal.rows[9].startswith("row 9")
    async with overlaid(prompt(hint="")) as modal:
        assert modal.rows[-1].startswith(" go to:")
        assert not modal.rows[-2].strip()


async def test_a_value_stands_there_and_what_is_typed_first_takes_its_place() -> None:
    async with overlaid(prompt("4")) as modal:
        await modal.type("17")
        await modal.press("enter")
        assert modal.answers == ["17"]


async def test_what_is_wrong_is_said_in_red_and_nothing_is_lost() -> None:
    async with overlaid(prompt()) as modal:
        await modal.type("4x")
        await modal.press("enter")
        assert modal.is_open
        assert '! "4x" is no step: want a number' in modal.rows[-2]
        assert "4x" in modal.rows[-1]
        assert modal.style("is no step").bold
        assert modal.style("is no step").color != modal.style("go to").color
        await modal.press("backspace")
        assert modal.rows[-2].split() == ["a", "step"]
        await modal.press("enter")
        assert modal.answers == ["4"]


async def test_a_long_error_is_broken_where_the_screen_is_narrow() -> None:
    async with overlaid(prompt(), (30, 12)) as modal:
        await modal.type("x")
        await modal.press("enter")
        assert '! "x" is no step: want a' in modal.rows[-3]
        assert "number" in modal.rows[-2]


async def test_without_colour_an_error_has_its_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with overlaid(prompt()) as modal:
        await modal.type("x")
        await modal.press("enter")
        assert ' ! "x" is no step' in modal.rows[-2]


async def test_ctrl_c_with_text_selected_closes_and_copies_nothing() -> None:
    async with overlaid(prompt("41")) as modal:
        await modal.press("ctrl+shift+a", "ctrl+c")
        assert modal.answers == [None]
        assert modal.pilot.app.clipboard == ""


async def test_what_is_pasted_is_kept_but_never_obeyed() -> None:
    async with overlaid(PromptScreen("say", ascii=False)) as modal:
        modal.pilot.app.screen.query_one(Input).post_message(events.Paste("a\x1b[31mb\ncd"))
        await modal.pilot.pause()
        assert "a?[31mb cd" in modal.rows[-1]
        await modal.press("enter")
        assert modal.answers == ["a\x1b[31mb cd"]


@pytest.mark.parametrize("ascii", [False, True])
async def test_the_cursor_of_a_long_line_stays_in_sight(ascii: bool) -> None:
    async with overlaid(PromptScreen("say", "日本\x1b" * 60 + "END", ascii=ascii)) as modal:
        assert "END" in modal.rows[-1]
        await modal.press("home")
        assert "END" not in modal.rows[-1]


async def test_a_click_accepts() -> None:
    async with overlaid(prompt("41")) as modal:
        await modal.click("enter accept")
        assert modal.answers == ["41"]


async def test_a_long_title_leaves_half_of_the_line() -> None:
    async with overlaid(PromptScreen("t" * 100, "41", ascii=False), (40, 12)) as modal:
        assert "t.." in modal.rows[-1]
        assert "41" in modal.rows[-1]
