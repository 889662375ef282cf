"""Names that a terminal would obey, on every screen that shows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from tests.tui.piloting import opened, own, press, settled, shown
from tests.tui.searching import hostile_inventory

from batchtui.tui.nodes_session import NodesSession

pytestmark = pytest.mark.anyio

Find = Callable[..., NodesSession]


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_they_stay_text_wherever_they_are_shown(find: Find, ascii_only: bool) -> None:
    session = find(hostile_inventory(), (1, 2, 9), "fewest-rounds", links=[[3, 4]])
    async with opened(session, ascii=ascii_only) as pilot:
        await press(pilot, "n", "c")
        for keys in (
            ("home", "right", "w"),
            ("right",),
            ("w", "enter"),
            ("escape", "!"),
            ("escape", "y"),
            ("N", "b"),
            ("escape", "2", "end", "enter"),
            ("escape", "1", "x"),
        ):
            await press(pilot, *keys)
            text = shown(pilot).replace("\n", "")
            assert not any(unicodedata.category(each)[0] == "C" for each in text), keys
            assert text.isascii() or not ascii_only, keys


async def test_a_breakpoint_on_such_a_name_is_set_and_hit(find: Find) -> None:
    session = find(hostile_inventory(), (1,), "fewest-rounds")
    async with opened(session) as pilot:
        await press(pilot, "home", "right", "b", "enter")
        assert [each.text for each in session.debugger.breakpoints] == [
            f'node "{session.inventory.nodes[1].name}"'
        ]
        await press(pilot, "c")
        assert session.stopped.startswith("breakpoint")
        assert "\x1b" not in shown(pilot)
        own(pilot).picks.pick(1)
        await press(pilot, "t")
        await settled(pilot)
        assert session.fault == ""
