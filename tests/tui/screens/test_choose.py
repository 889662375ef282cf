"""One of several things, chosen from a list."""

from __future__ import annotations

import pytest
from tests.tui.screens.overlaid import Overlaid, overlaid

from batchtui.tui.screens.choose import Choice, ChooseScreen

pytestmark = pytest.mark.anyio

CHOICES = [
    Choice("no", "Cancel"),
    Choice("drain", "Drain", "moves three requests to another host, one after the other"),
    Choice("kill", "Kill", "ends three requests"),
    Choice("do", "Do both"),
]


def choose() -> ChooseScreen:
    return ChooseScreen("Drain h7?", CHOICES, ascii=False)


def picked(modal: Overlaid) -> str:
    [row] = [row for row in modal.rows if "> " in row]
    return row.partition("> ")[2].split()[0]


async def test_the_first_is_the_default() -> None:
    async with overlaid(choose()) as modal:
        assert picked(modal) == "Cancel"
        await modal.press("enter")
        assert modal.answers == ["no"]


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (["down"], "drain"),
        (["j", "j"], "kill"),
        (["j", "j", "k"], "drain"),
        (["down", "down", "up"], "drain"),
        (["up"], "no"),
        (["end"], "do"),
        (["end", "down"], "do"),
        (["end", "home"], "no"),
        (["d"], "drain"),
        (["D"], "drain"),
        (["d", "d"], "do"),
        (["d", "d", "d"], "drain"),
        (["z"], "no"),
    ],
)
async def test_keys_pick(keys: list[str], value: str) -> None:
    async with overlaid(choose()) as modal:
        await modal.press(*keys, "enter")
        assert modal.answers == [value]


async def test_the_picked_row_has_a_mark_and_a_ground() -> None:
    async with overlaid(choose()) as modal:
        await modal.press("down")
        assert picked(modal) == "Drain"
        assert modal.style("Drain  ").bgcolor != modal.style("Kill").bgcolor
        assert modal.style("Drain  ").bold


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
async def test_with_a_terminals_own_colours_the_picked_row_is_bold(theme: str) -> None:
    async with overlaid(choose(), theme=theme) as modal:
        assert modal.style("Cancel").bold
        assert not modal.style("Kill").bold


async def test_descriptions_stand_in_a_column() -> None:
    async with overlaid(choose()) as modal:
        drain, kill = modal.rows[modal.row("moves")], modal.rows[modal.row("ends")]
        assert drain.index("moves") == kill.index("ends")


async def test_a_description_that_is_cut_is_told_when_it_is_picked() -> None:
    async with overlaid(choose(), (40, 12)) as modal:
        assert "the other" not in modal.text
        await modal.press("down")
        assert "the other" in modal.text


async def test_a_click_chooses() -> None:
    async with overlaid(choose()) as modal:
        await modal.click("Kill")
        assert modal.answers == ["kill"]


async def test_many_choices_scroll() -> None:
    choices = [Choice(str(number), f"choice {number}") for number in range(30)]
    async with overlaid(ChooseScreen("?", choices, ascii=False), (40, 12)) as modal:
        assert "21 more below" in modal.text
        await modal.press("pagedown", "pagedown")
        assert "> choice 18" in modal.text
        await modal.press("end")
        assert "> choice 29" in modal.text
        assert "more below" not in modal.text
