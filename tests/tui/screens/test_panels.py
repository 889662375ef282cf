"""The panels in the app: each is where the layout says, and queue and ended share a place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.tui.piloting import dashboard, opened, shown
from textual.pilot import Pilot

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.layout import PANELS, layout
from batchtui.tui.widgets.panel import Panel

pytestmark = pytest.mark.anyio

OpenCase = Callable[..., BatchSession]


def regions(pilot: Pilot[None]) -> dict[str, tuple[int, ...]]:
    """Where the panels that are seen stand."""
    panels = dashboard(pilot).query(Panel)
    return {str(panel.id): tuple(panel.region) for panel in panels if panel.display}


@pytest.mark.parametrize("size", [(40, 10), (80, 24), (120, 40), (160, 50), (200, 60)])
async def test_every_panel_is_where_the_layout_says(
    demo: BatchSession, size: tuple[int, int]
) -> None:
    async with opened(demo, 12, size=size) as pilot:
        places = layout(*size, 8)
        seen = regions(pilot)
        wanted = {name: tuple(getattr(places, name)) for name in PANELS}
        assert seen == {name: rect for name, rect in wanted.items() if rect[2] and rect[3]}


async def test_queue_and_ended_have_the_same_place(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        queue = regions(pilot)["queue"]
        screen = dashboard(pilot)
        screen.focus_panel("ended")
        await pilot.pause()
        assert regions(pilot)["ended"] == queue
        assert "queue" not in regions(pilot)
        assert "3 ENDED 5 of 17" in shown(pilot)
        screen.focus_panel("slots")  # what was shown stays
        await pilot.pause()
        assert "ended" in regions(pilot)


async def test_a_zoomed_panel_has_all_the_room_and_gives_it_back(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        before, screen = regions(pilot), dashboard(pilot)
        screen.zoomed = "queue"
        screen.paint()
        await pilot.pause()
        assert set(regions(pilot)) == {"top", "ribbon", "queue", "footer"}
        screen.zoomed = ""
        screen.paint()
        await pilot.pause()
        assert regions(pilot) == before


async def test_resizing_moves_the_panels(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        assert "dock" in regions(pilot)
        assert "WHY" in shown(pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "dock" not in regions(pilot)


async def test_where_rows_change_places_the_picked_slot_stays_in_sight(
    open_case: OpenCase,
) -> None:
    requests = [{"request_id": f"r{n}", "prompt": "p", "calls": [["a"]] * 9} for n in range(60)]
    async with opened(open_case(requests, slots=40), 1) as pilot:
        screen = dashboard(pilot)
        screen.pick(slot=39)
        screen.paint()
        await pilot.pause()
        assert ">39 D" in shown(pilot)
