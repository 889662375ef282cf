"""Opens the dashboard under a pilot and reads what stands on its screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from batchtui.tui.app import BatchtuiApp
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.screens.dashboard import DashboardScreen


@asynccontextmanager
async def opened(
    session: BatchSession,
    step: int | None = None,
    size: tuple[int, int] = (80, 24),
    clock: Callable[[], float] = lambda: 0.0,
) -> AsyncIterator[Pilot[None]]:
    # Unless a test moves it, the clock stands still: a free run makes its first step, and the next
    # is never due.
    app = BatchtuiApp(session, start_step=step, clock=clock)
    app.animation_level = "none"
    try:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield pilot
    finally:
        if app.session is not session:  # a fork, which nobody else closes
            app.session.close()


def dashboard(pilot: Pilot[None]) -> DashboardScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, DashboardScreen)
    return screen


def shown(pilot: Pilot[None]) -> str:
    """What stands on the screen."""
    width, height = pilot.app.size
    strips = pilot.app.screen._compositor.render_strips()
    assert len(strips) == height
    assert all(strip.cell_length == width for strip in strips)
    return "\n".join(strip.text for strip in strips)
