"""Moves the session on, step by step or freely, and hands one scene to every panel.

While paused nothing is scheduled, so idling costs nothing. A free run is slices of at most 15 ms on
the app's own thread, between which keys are answered; only a session that blocks is moved by a
thread beside it, and shown when that is over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message
from textual.timer import Timer

from batchtui.tui.mover import Mover
from batchtui.tui.pace import FrameRate, FreeRun
from batchtui.tui.renderables.glyphs import ASCII, UNICODE
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.screens.panels import PanelsScreen
from batchtui.tui.session import Session
from batchtui.tui.widgets.panel import Panel

BUSY_HINT = "the model is being called: the next step can begin when it has answered"

_PATIENCE_S = 0.1
"""How long a call may take before the screen says that it waits for one."""

_COUNT_S = 1.0
"""How often it then says for how long."""


@dataclass(frozen=True)
class Options:
    """How a dashboard is shown.

    ``start_step`` is run to before the first key; ``clock`` gives seconds and is real but in tests.
    """

    start_step: int
    fps: float
    ascii: bool
    clock: Callable[[], float]


class RunningScreen(PanelsScreen):
    """The panels on a session that moves."""

    class MoveOver(Message):
        """A move in the background has come to its end."""

    def __init__(self, session: Session, options: Options) -> None:
        super().__init__(len(session.view.slots))
        self.session = session
        self.free_run = FreeRun(session, options.clock)
        self.is_free = False
        self._mover = Mover(session, lambda: self.post_message(self.MoveOver()))
        self._clock = options.clock
        self._frames = FrameRate(options.fps)
        self._glyphs = ASCII if options.ascii else UNICODE
        self._goal: int | None = options.start_step if options.start_step > 0 else None
        self._hint = ""
        self._timer: Timer | None = None
        self._watch: Timer | None = None
        self._called_at = 0.0
        self._painted: tuple[int, str, Mode, bool, int] | None = None
        self._next_paint = 0.0

    def on_mount(self) -> None:
        """Go to the step that was asked for."""
        if self._goal is not None:
            self._start()
        self.paint()

    @property
    def mode(self) -> Mode:
        """What the screen is doing."""
        if self.session.ended:
            return Mode.ENDED
        return Mode.RUNNING if self.is_free else Mode.PAUSED

    @property
    def scene(self) -> Scene:
        """This moment."""
        return Scene(
            view=self.session.view,
            title=self.session.title,
            phases=self.session.phases,
            mode=self.mode,
            started=self.session.started,
            speed=self._speed,
            hint=self._hint,
            fault=self.session.fault,
            calling=self._mover.busy,
            calling_s=self._calling_s,
            glyphs=self._glyphs,
        )

    @property
    def is_calling(self) -> bool:
        """Whether an answer of the model is awaited."""
        return self._mover.busy

    @property
    def _speed(self) -> str:
        return self.free_run.words if self._goal is None else f"to {self._goal}"

    @property
    def _calling_s(self) -> int:
        """For how many whole seconds the model has been called."""
        return int(self._clock() - self._called_at) if self._mover.busy else 0

    def paint(self, hint: str = "") -> None:
        """Hand the scene to the panels, if it has changed; a hint lasts until the next time."""
        self._hint = hint
        calling, calling_s = self._mover.busy, self._calling_s
        now = (self.session.version, hint + self._speed, self.mode, calling, calling_s)
        if now == self._painted:
            return
        if now[2] is Mode.ENDED and (self._painted is None or self._painted[2] is not Mode.ENDED):
            self.share_out(ended_wanted=True)  # nobody waits any more
        self._painted, scene, began = now, self.scene, self._clock()
        with self.app.batch_update():
            for panel in self.query(Panel):
                panel.show(scene)
        self._next_paint = began + self._frames.interval
        if self.is_free:
            self.call_after_refresh(lambda: self._frames.took(self._clock() - began))

    def move(self, *, whole_step: bool) -> None:
        """Pause, and make one step or one phase."""
        self.stop()
        if self._mover.busy:
            self.paint(BUSY_HINT)
        elif not self.session.blocks:
            self.session.advance_step() if whole_step else self.session.advance_phase()
            self.paint()
        elif not self.session.ended:
            self._move_aside(whole_step=whole_step)

    def stop(self) -> None:
        """Make no step any more that is not asked for."""
        self._stop_timer()
        self.is_free = False

    def run_freely(self, running: bool) -> None:
        """Run, or pause; the first step of a run is due now."""
        self._goal = None
        self._start() if running and not self.session.ended else self.stop()
        self.paint()

    def on_running_screen_move_over(self) -> None:
        """Show what a move in the background came to, and go on if it is a free run."""
        self._stop_timer()
        self._stop_watch()
        self._mover.settle()
        if self.is_free:
            self._tick()
        else:
            self.paint()

    def _start(self) -> None:
        self._stop_timer()
        self.is_free = True
        self.free_run.start()
        self._tick()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _tick(self) -> None:
        """One slice; then wait until a step, a frame or an answer is due."""
        if not self.is_free or self._mover.busy:
            return
        self._stop_timer()  # a later one, if ours had fired when it was stopped
        delay = self._slice_aside() if self.session.blocks else self._slice()
        if delay is None:
            self._goal = None
            self.stop()
            self.paint()
            return
        now = self._clock()
        if now >= self._next_paint:
            self.paint()
        elif self._painted is not None and self._painted[0] != self.session.version:
            delay = min(delay, self._next_paint - now)
        self._timer = self.set_timer(delay, self.paint if self._mover.busy else self._tick)

    def _slice(self) -> float | None:
        """Steps that are due, or those up to the step to start at."""
        if self._goal is None:
            return self.free_run.slice()
        return None if self.free_run.run_to(self._goal) else 0.001

    def _slice_aside(self) -> float | None:
        """The same for a session that blocks: begin one step, if it is due."""
        at_goal = self._goal is not None and self.session.step >= self._goal
        if self.session.ended or at_goal:
            return None
        now = self._clock()
        wait = self.free_run.wait(now) if self._goal is None else 0.0
        if wait > 0:
            return wait
        self.free_run.begun(now)
        self._move_aside(whole_step=True)
        return self._frames.interval

    def _move_aside(self, *, whole_step: bool) -> None:
        """Begin a move in the background; a long one is seen to go on."""
        self._called_at = self._clock()
        self._mover.move(whole_step=whole_step)
        self._watch = self.set_timer(_PATIENCE_S, self._still_calling)

    def _still_calling(self) -> None:
        self._stop_watch()  # another call's, if ours had fired when it was stopped
        if self._mover.busy:
            self.paint(self._hint)
            self._watch = self.set_timer(_COUNT_S, self._still_calling)

    def _stop_watch(self) -> None:
        if self._watch is not None:
            self._watch.stop()
            self._watch = None
