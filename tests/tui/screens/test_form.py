"""Several values, asked for at once."""

from __future__ import annotations

import pytest
from tests.tui.screens.overlaid import overlaid

from batchtui.tui.screens.form import Field, FormScreen

pytestmark = pytest.mark.anyio

FIELDS = [
    Field("prompt", "prompt", "hello", "what the model is given"),
    Field("max", "max tokens", "64"),
    Field("policy", "policy", "priority", choices=("fcfs", "priority", "fair")),
    Field("seed", "seed"),
]
EIGHT = [Field(f"f{number}", f"field {number}", f"v{number}") for number in range(8)]


def no_check(values: dict[str, str]) -> str:
    return ""


def max_is_a_number(values: dict[str, str]) -> str:
    return "" if values["max"].isdigit() else f'max tokens is "{values["max"]}": want a number'


def form(fields: list[Field] = FIELDS) -> FormScreen:
    return FormScreen("ADD", fields, max_is_a_number if fields is FIELDS else no_check, ascii=False)


def given(**changed: str) -> dict[str, str]:
    return {"prompt": "hello", "max": "64", "policy": "priority", "seed": "", **changed}


async def test_enter_accepts_what_stands_there() -> None:
    async with overlaid(form()) as modal:
        await modal.press("enter")
        assert modal.answers == [given()]


@pytest.mark.parametrize("field", range(4))
async def test_enter_accepts_from_any_field(field: int) -> None:
    async with overlaid(form()) as modal:
        await modal.press(*["tab"] * field, "enter")
        assert modal.answers == [given()]


@pytest.mark.parametrize(
    "keys", [["tab"] * 3, ["down"] * 3, ["up"], ["shift+tab"], ["down", "up", "up"]]
)
async def test_keys_move_through_the_fields_and_round(keys: list[str]) -> None:
    async with overlaid(form()) as modal:
        await modal.press(*keys)
        assert "> seed" in modal.text
        assert modal.text.count("> ") == 1 + modal.text.count("priority >")
        await modal.type("7 q")
        await modal.press("enter")
        assert modal.answers == [given(seed="7 q")]


@pytest.mark.parametrize(
    ("keys", "policy"),
    [
        (["right"], "fair"),
        (["space"], "fair"),
        (["left"], "fcfs"),
        (["right", "right"], "fcfs"),
        (["left", "left"], "fair"),
    ],
)
async def test_a_choice_is_changed(keys: list[str], policy: str) -> None:
    async with overlaid(form()) as modal:
        await modal.press("down", "down", *keys)
        assert f"< {policy} >" in modal.text
        await modal.press("enter")
        assert modal.answers == [given(policy=policy)]


async def test_a_value_that_is_no_choice_becomes_the_first() -> None:
    fields = [Field("policy", "policy", choices=("fcfs", "fair"))]
    async with overlaid(form(fields)) as modal:
        await modal.press("enter")
        assert modal.answers == [{"policy": "fcfs"}]


async def test_the_field_that_has_the_keys_says_what_it_takes() -> None:
    async with overlaid(form()) as modal:
        assert "what the model is given" in modal.text
        await modal.press("tab")
        assert "what the model is given" not in modal.text
        await modal.press("tab")
        assert "one of: fcfs, priority, fair" in modal.text


async def test_what_is_wrong_is_said_in_red_and_nothing_is_lost() -> None:
    async with overlaid(form()) as modal:
        await modal.press("down")
        await modal.type("x")
        await modal.press("up", "enter")
        assert modal.is_open
        assert '! max tokens is "64x": want a number' in modal.text
        assert modal.style("want a number").bold
        await modal.press("down", "backspace")
        assert "want a number" not in modal.text
        await modal.press("enter")
        assert modal.answers == [given()]


async def test_eight_fields_fit() -> None:
    async with overlaid(form(EIGHT)) as modal:
        assert all(f"field {number}  v{number}" in modal.text for number in range(8))


async def test_eight_fields_scroll_where_there_is_little_room() -> None:
    async with overlaid(form(EIGHT), (40, 12)) as modal:
        for number in range(8):
            assert f"> field {number}" in modal.text
            assert f"v{number}" in modal.text
            await modal.press("down")
        assert "> field 0" in modal.text
        assert "esc close" in modal.text


async def test_more_fields_than_rows_scroll() -> None:
    many = [Field(f"f{number}", f"field {number}", f"v{number}") for number in range(20)]
    async with overlaid(form(many), (40, 12)) as modal:
        await modal.press("up")
        assert "> field 19" in modal.text
        await modal.resize(40, 10)
        assert "> field 19" in modal.text


async def test_values_stand_in_a_column() -> None:
    async with overlaid(form(EIGHT)) as modal:
        columns = {modal.rows[modal.row(f"v{number}")].index(f"v{number}") for number in range(8)}
        assert len(columns) == 1


async def test_a_long_label_leaves_half_of_the_box() -> None:
    async with overlaid(form([Field("x", "x" * 80, "value")]), (40, 12)) as modal:
        assert "x.." in modal.text
        assert "value" in modal.text


async def test_a_click_goes_to_the_field_and_on_a_choice_changes_it() -> None:
    async with overlaid(form()) as modal:
        await modal.click("max tokens")
        assert "> max tokens" in modal.text
        await modal.click("64")
        await modal.type("1")
        await modal.click("priority >")
        assert "< fair >" in modal.text
        assert "> policy" in modal.text
        await modal.click("< fair")
        assert "< priority >" in modal.text
        await modal.click("enter accept")
        assert modal.answers == [given(max="164")]
