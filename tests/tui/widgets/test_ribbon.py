"""The ribbon under the mouse."""

from __future__ import annotations

from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.view import BatchView
from batchtui.tui.renderables import scene as scenes
from batchtui.tui.renderables.scene import Scene, Title
from batchtui.tui.widgets.ribbon import Ribbon

pytestmark = pytest.mark.anyio


class RibbonApp(App[None]):
    """A ribbon of ten steps, the last under the cursor; it notes what is picked."""

    def __init__(self) -> None:
        super().__init__()
        self.picked: list[int] = []

    def compose(self) -> ComposeResult:
        yield Ribbon(id="ribbon")

    def on_mount(self) -> None:
        ribbon = scenes.Ribbon(0, "+" * 10, (0,) * 10, 9, 9)
        view = BatchView.empty(1, None, Fcfs())
        title = Title("w", "b", "p")
        scene = Scene(view=view, title=title, phases=("admit",), ribbon=ribbon)
        self.query_one(Ribbon).show(scene)

    def on_ribbon_picked(self, message: Ribbon.Picked) -> None:
        self.picked.append(message.step)


async def at(pilot: Pilot[Any], act: str, column: int) -> None:
    await getattr(pilot, act)("#ribbon", offset=(column, 0))
    await pilot.pause()


async def test_a_click_says_which_step_is_meant() -> None:
    app = RibbonApp()
    async with app.run_test(size=(80, 2)) as pilot:
        await at(pilot, "click", 5)
        await at(pilot, "click", 8)
        assert app.picked == [0, 3]


async def test_a_click_on_the_cursor_says_nothing() -> None:
    app = RibbonApp()
    async with app.run_test(size=(80, 2)) as pilot:
        await at(pilot, "click", 15)
        assert app.picked == []


async def test_a_drag_takes_the_cursor_along() -> None:
    app = RibbonApp()
    async with app.run_test(size=(80, 2)) as pilot:
        await at(pilot, "mouse_down", 6)
        assert app.mouse_captured is app.query_one(Ribbon)
        await at(pilot, "mouse_up", 6)
        assert app.mouse_captured is None
        await at(pilot, "hover", 8)
        assert app.picked == [1]
