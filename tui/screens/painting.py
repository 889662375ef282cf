"""Hands one scene to every panel: what the session looks like now, and what the screen is doing.

It knows no system: what a scene has, and where panels stand, is said by who derives from it. What
goes on, a free run or a job or a call, is only looked at here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.message import Message
from textual.screen import Screen

from batchtui.tui.mover import Mover
from batchtui.tui.pace import FrameRate, FreeRun
from batchtui.tui.renderables.glyphs import ASCII, UNICODE
from batchtui.tui.renderables.scene import Mode
from batchtui.tui.renderables.text import plain
from batchtui.tui.session import Session
from batchtui.tui.widgets.panel import Panel

Job = Generator[object, None, None]
"""Something long, done in slices; one that is dropped is closed, and cleans up after itself."""


@dataclass(frozen=True)
class Options:
    """How a screen is shown.

    ``start_step`` is gone to before the first key, unless it is None; ``clock`` gives seconds and
    is real but in tests.
    """

    start_step: int | None
    fps: float
    ascii: bool
    clock: Callable[[], float]


class PaintingScreen(Screen[None]):
    """Panels on a session. ``session`` is the one that the step keys move."""

    class MoveOver(Message):
        """A move in the background has come to its end."""

    def __init__(self, session: Session[Any], options: Options) -> None:
        super().__init__()
        self.options = options
        self.is_free = False
        self.caption = ""
        self._clock = options.clock
        self._frames = FrameRate(options.fps)
        self._glyphs = ASCII if options.ascii else UNICODE
        self._goal: int | None = None
        self._hint = ""
        self._called_at = 0.0
        self._painted: tuple[object, ...] | None = None
        self._next_paint = 0.0
        self._job: Job | None = None
        self._job_words = ""
        self._open(session)

    def turn_to(self, session: Session[Any]) -> None:
        """Let the step keys move another session. Not while an answer is awaited."""
        self._mover.close()
        self._open(session)

    def _open(self, session: Session[Any]) -> None:
        self.session = session
        self.free_run = FreeRun(session, self._clock)
        self._mover = Mover(session, lambda: self.post_message(self.MoveOver()))

    @property
    def mode(self) -> Mode:
        """What the screen is doing."""
        if self.is_free or self._job is not None:
            return Mode.RUNNING
        if self.session.in_past:
            return Mode.PAST
        return Mode.ENDED if self.session.ended else Mode.PAUSED

    # Any, here and below: of whichever system's screen.
    @property
    @abstractmethod
    def scene(self) -> Any:
        """This moment, as the panels take it."""
        raise NotImplementedError

    @property
    def looks(self) -> tuple[object, ...]:
        """What else the picture depends on."""
        return (len(self.session.debugger.breakpoints),)

    def look_again(self) -> None:
        """Learn what is known about this moment, if anything has changed."""

    @abstractmethod
    def share_out(self, scene: Any) -> None:
        """Give each panel its place."""
        raise NotImplementedError

    def on_resize(self, event: events.Resize) -> None:
        """Share the screen out anew."""
        self.share_out(self.scene)

    @property
    def ascii(self) -> bool:
        """Whether everything is drawn in ASCII."""
        return self.options.ascii

    @property
    def is_moving(self) -> bool:
        """Whether something goes on by itself."""
        return self.is_free or self._job is not None or self._mover.busy

    @property
    def is_calling(self) -> bool:
        """Whether an answer of the model is awaited."""
        return self._mover.busy

    @property
    def _speed(self) -> str:
        if self._job is not None:
            return self._job_words
        return self.free_run.words if self._goal is None else f"to {self._goal}"

    @property
    def _calling_s(self) -> int:
        """For how many whole seconds the model has been called."""
        return int(self._clock() - self._called_at) if self._mover.busy else 0

    def paint(self, hint: str = "") -> None:
        """Hand the scene to the panels, if it has changed; a hint lasts until the next time."""
        self._hint = hint = plain(hint, ascii_only=self.ascii)  # it may hold a name from outside
        self.look_again()
        now = (
            self.session,
            self.session.version,
            hint + self._speed,
            self.mode,
            self._mover.busy,
            self._calling_s,
            self.looks,
            self.caption,
        )
        if now == self._painted:
            return
        self._painted, scene, began = now, self.scene, self._clock()
        with self.app.batch_update():
            self.share_out(scene)
            for panel in self.query(Panel):
                panel.show(scene)
        self._next_paint = began + self._frames.interval
        if self.is_free:
            self.call_after_refresh(lambda: self._frames.took(self._clock() - began))
