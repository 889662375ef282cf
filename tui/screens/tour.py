"""A guided tour: a screen, a caption over its last lines, and keys that press themselves.

Between two stages every key does what it always does; the next stage begins where the last one
ended, wherever one has been meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from batchtui.tui.demos import Demo
from batchtui.tui.screens.dashboard import DashboardScreen
from batchtui.tui.screens.forking import ForkingScreen
from batchtui.tui.screens.painting import Options
from batchtui.tui.widgets.caption import Caption
from batchtui.tui.widgets.scrolling import ScrollingPanel

_PAUSE_S = 0.01

_CHARACTERS = {"space": " "}
"""What keys type whose names are not what they type."""


_STILL = 2


class _End(NamedTuple):
    """How the screen stood when a stage was over."""

    turn: int
    choice: Any
    asks_why: bool
    zoomed: str


class Touring(ForkingScreen):
    """A tour over a screen of some system, which comes after this one in the bases."""

    if TYPE_CHECKING:  # what that screen has
        choice: Any
        asks_why: bool
        zoomed: str

        def panel(self, name: str) -> ScrollingPanel: ...  # noqa: D102
        def leave(self) -> bool: ...  # noqa: D102

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "stage_before", "stage before", id="stage_before"),
    ]

    def __init__(self, session: Any, options: Options, *, demo: Demo, **more: Any) -> None:
        super().__init__(session, options, **more)
        self._demo = demo
        self._stage = -1
        self._ends: list[_End] = []
        self._playing = False

    def compose(self) -> ComposeResult:
        """The panels, and the caption over them."""
        yield from super().compose()
        yield Caption(ascii=self.options.ascii)

    def on_mount(self) -> None:
        """Begin with the first stage; Textual also calls the one of the dashboard."""
        self._next()

    @property
    def is_touring(self) -> bool:
        """Whether a caption is shown."""
        return self.query_one(Caption).display

    def action_detail(self) -> None:
        """The next stage; in a stage, and after the tour, what the key does otherwise."""
        if self._playing or not self.is_touring:
            super().action_detail()  # type: ignore[misc]  # that screen's
        else:
            self._next()

    def action_stage_before(self) -> None:
        """Look at the stage before again."""
        if self.is_touring and not self._playing and self._stage > 0:
            self._stage -= 1
            self._go_back_to(self._ends[self._stage])
            self._say()

    def action_leave(self) -> None:
        """Leave the tour, or what the key closes otherwise."""
        if not self.leave() and not self._playing:
            self.query_one(Caption).display = False

    def _next(self) -> None:
        if self._stage + 1 >= len(self._demo.script):
            self.query_one(Caption).display = False
            self.paint("the tour is over: every key works; q quits")
            return
        if 0 <= self._stage < len(self._ends):
            self._go_back_to(self._ends[self._stage])
        self._stage += 1
        self.run_worker(self._play(), exclusive=True)

    def _go_back_to(self, end: _End) -> None:
        while self.app.screen is not self:
            self.app.pop_screen()
        self.choice, self.asks_why, self.zoomed = end.choice, end.asks_why, end.zoomed
        self.panel(end.choice.panel).focus()
        if self.session.debugger.cursor.turn != end.turn:
            self.look(lambda session: session.look(lambda debugger: debugger.to_turn(end.turn)))
        else:
            self.paint()

    async def _play(self) -> None:
        """Press the keys of the stage, each when the one before has done its work."""
        self._playing = True
        try:
            for key in self._demo.script[self._stage].press:
                self.app.post_message(events.Key(key, _CHARACTERS.get(key)))
                await self._settled()
        finally:
            self._playing = False
        del self._ends[self._stage :]
        turn = self.session.debugger.cursor.turn
        self._ends.append(_End(turn, self.choice, self.asks_why, self.zoomed))
        self._say()

    async def _settled(self) -> None:
        """Wait until nothing moves and nobody has anything left to do, twice in a row."""
        still = 0
        while still < _STILL:
            await asyncio.sleep(_PAUSE_S)
            still = 0 if self.is_moving or self._is_anything_queued() else still + 1

    def _is_anything_queued(self) -> bool:
        nodes = [self.app, *self.app.screen_stack, *self.app.screen.walk_children()]
        return any(node.message_queue_size for node in nodes)

    def _say(self) -> None:
        stage = self._demo.script[self._stage]
        place = f"{self._demo.title}  {self._stage + 1} of {len(self._demo.script)}"
        self.query_one(Caption).say(place, stage.say)


class TourScreen(Touring, DashboardScreen):
    """The dashboard on a demo session."""
