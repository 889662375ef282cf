"""Opens a dashboard, or the screen of a search, under a pilot, and reads what stands on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from batchtui.tui.app import BatchtuiApp
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.screens.dashboard import DashboardScreen
from batchtui.tui.screens.moving import MovingScreen
from batchtui.tui.screens.nodes.screen import NodesScreen
from batchtui.tui.session import Session


@asynccontextmanager
async def opened(
    session: Session[Any],
    step: int | None = None,
    size: tuple[int, int] = (80, 24),
    clock: Callable[[], float] = lambda: 0.0,
    beside: NodesSession | None = None,
    ascii: bool = False,
) -> AsyncIterator[Pilot[None]]:
    # Unless a test moves it, the clock stands still: a free run makes its first step, and the next
    # is never due.
    app = BatchtuiApp(session, beside=beside, start_step=step, clock=clock, ascii=ascii)
    app.animation_level = "none"
    try:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield pilot
    finally:
        for each in app.sessions:
            if each is not session and each is not beside:  # a fork, which nobody else closes
                each.close()


def dashboard(pilot: Pilot[None]) -> DashboardScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, DashboardScreen)
    return screen


def own(pilot: Pilot[None]) -> NodesScreen:
    """The screen of a search, which may lie over the dashboard."""
    return next(each for each in pilot.app.screen_stack if isinstance(each, NodesScreen))


async def settled(pilot: Pilot[None]) -> None:
    """Wait until no screen moves anything."""
    await pilot.pause()
    screens = [each for each in pilot.app.screen_stack if isinstance(each, MovingScreen)]
    while any(screen.is_moving for screen in screens):
        await pilot.pause()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each when the one before has done its work."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def typed(pilot: Pilot[None], key: str, text: str) -> None:
    """Press a key that asks for a line, and give it."""
    await pilot.press(key, *({" ": "space", "-": "minus"}.get(each, each) for each in text))
    await press(pilot, "enter")


def shown(pilot: Pilot[None]) -> str:
    """What stands on the screen."""
    width, height = pilot.app.size
    strips = pilot.app.screen._compositor.render_strips()
    assert len(strips) == height
    assert all(strip.cell_length == width for strip in strips)
    return "\n".join(strip.text for strip in strips)
