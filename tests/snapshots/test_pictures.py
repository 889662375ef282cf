"""What the dashboard looks like: the bundled demo before its first decision and at step 12."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from batchtui.plugins.runs import RunOptions
from batchtui.plugins.workloads import open_workload
from batchtui.tui.app import BatchtuiApp
from batchtui.tui.sessions import open_session

SnapCompare = Callable[..., bool]


def demo_app(step: int, *, ascii: bool = False) -> BatchtuiApp:
    """The demo; the clock stands still and nothing moves by itself."""
    session = open_session(open_workload("demo"), RunOptions())
    app = BatchtuiApp(session, start_step=step, ascii=ascii, clock=lambda: 0.0)
    app.animation_level = "none"
    return app


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


@pytest.mark.parametrize("step", [0, 12])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)], ids=lambda size: f"{size[0]}")
def test_the_dashboard(snap_compare: SnapCompare, size: tuple[int, int], step: int) -> None:
    """Aligned columns, joined borders, the exceptions of step 12 in colour."""
    assert snap_compare(demo_app(step), terminal_size=size, run_before=settled)


def test_the_dashboard_on_a_light_background(snap_compare: SnapCompare) -> None:
    """Every colour is readable on light grey."""
    app = demo_app(12)
    app.theme = "textual-light"
    assert snap_compare(app, terminal_size=(80, 24), run_before=settled)


def test_the_dashboard_in_ascii(snap_compare: SnapCompare) -> None:
    """Nothing but ASCII."""
    assert snap_compare(demo_app(12, ascii=True), terminal_size=(80, 24), run_before=settled)


def test_the_help(snap_compare: SnapCompare) -> None:
    """Keys, letters and marks, over the dashboard."""

    async def ask(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await settled(pilot)

    assert snap_compare(demo_app(12), terminal_size=(100, 50), run_before=ask)
