"""A guided tour: the dashboard, a caption over its last lines, and keys that press themselves.

Between two stages every key does what it always does; the next stage begins where the last one
ended, wherever one has been meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from batchtui.tui.demos import Demo
from batchtui.tui.screens.dashboard import DashboardScreen
from batchtui.tui.screens.running import Options
from batchtui.tui.session import Session
from batchtui.tui.widgets.caption import Caption

_PAUSE_S = 0.01


class TourScreen(DashboardScreen):
    """The dashboard on a demo session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "stage_before", "stage before", id="stage_before"),
    ]

    def __init__(self, session: Session, options: Options, demo: Demo) -> None:
        super().__init__(session, options)
        self._demo = demo
        self._stage = -1
        self._turns: list[int] = []
        self._playing = False

    def compose(self) -> ComposeResult:
        """The panels, and the caption over them."""
        yield from super().compose()
        yield Caption(ascii=self.options.ascii)

    def on_mount(self) -> None:
        """Begin with the first stage."""
        super().on_mount()
        self._next()

    @property
    def is_touring(self) -> bool:
        """Whether a caption is shown."""
        return self.query_one(Caption).display

    def action_detail(self) -> None:
        """The next stage; in a stage, and after the tour, what the key does otherwise."""
        if self._playing or not self.is_touring:
            super().action_detail()
        else:
            self._next()

    def action_stage_before(self) -> None:
        """Look at the stage before again."""
        if self.is_touring and not self._playing and self._stage > 0:
            self._stage -= 1
            self._go_back_to(self._turns[self._stage])
            self._say()

    def action_leave(self) -> None:
        """Leave the tour, or what the key closes otherwise."""
        if not self.leave():
            self.query_one(Caption).display = False

    def _next(self) -> None:
        if self._stage + 1 >= len(self._demo.script):
            self.query_one(Caption).display = False
            self.paint("the tour is over: every key works; q quits")
            return
        if 0 <= self._stage < len(self._turns):
            self._go_back_to(self._turns[self._stage])
        self._stage += 1
        self.run_worker(self._play(), exclusive=True)

    def _go_back_to(self, turn: int) -> None:
        while self.app.screen is not self:
            self.app.pop_screen()
        if self.session.debugger.cursor.turn != turn:
            self.look(lambda session: session.look(lambda debugger: debugger.to_turn(turn)))

    async def _play(self) -> None:
        """Press the keys of the stage, each when the one before has done its work."""
        self._playing = True
        try:
            for key in self._demo.script[self._stage].press:
                self.app.simulate_key(key)
                await self._settled()
        finally:
            self._playing = False
        del self._turns[self._stage :]
        self._turns.append(self.session.debugger.cursor.turn)
        self._say()

    async def _settled(self) -> None:
        """Wait until nothing moves."""
        await asyncio.sleep(_PAUSE_S)
        while self.is_moving:
            await asyncio.sleep(_PAUSE_S)

    def _say(self) -> None:
        stage = self._demo.script[self._stage]
        place = f"{self._demo.title}  {self._stage + 1} of {len(self._demo.script)}"
        self.query_one(Caption).say(place, stage.say)
