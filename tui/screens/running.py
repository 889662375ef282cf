"""Moves the session on, step by step or freely, and hands one scene to every panel.

While paused nothing is scheduled, so idling costs nothing. A free run is slices of at most 15 ms on
the app's own thread, between which keys are answered; only a session that blocks is moved by a
thread beside it, and shown when that is over. What takes long otherwise (a search, a fork) is a
*job*: an iterator that is moved on in slices of the same length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from textual.message import Message
from textual.timer import Timer

from batchtui.tui.mover import Mover
from batchtui.tui.pace import SLICE_S, FrameRate, FreeRun
from batchtui.tui.renderables.glyphs import ASCII, UNICODE
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.screens.selecting import SelectingScreen
from batchtui.tui.session import Session
from batchtui.tui.widgets.panel import Panel

BUSY_HINT = "the model is being called: the next step can begin when it has answered"

_PATIENCE_S = 0.1
"""How long a call may take before the screen says that it waits for one."""

_COUNT_S = 1.0
"""How often it then says for how long."""

_BREATH_S = 0.001


@dataclass(frozen=True)
class Options:
    """How a dashboard is shown.

    ``start_step`` is gone to before the first key, unless it is None; ``clock`` gives seconds and
    is real but in tests.
    """

    start_step: int | None
    fps: float
    ascii: bool
    clock: Callable[[], float]


class RunningScreen(SelectingScreen):
    """The panels on a session that moves."""

    class MoveOver(Message):
        """A move in the background has come to its end."""

    def __init__(self, session: Session, options: Options) -> None:
        super().__init__(session)
        self.options = options
        self.is_free = False
        self.caption = ""
        self._clock = options.clock
        self._frames = FrameRate(options.fps)
        self._glyphs = ASCII if options.ascii else UNICODE
        self._goal: int | None = None
        self._hint = ""
        self._timer: Timer | None = None
        self._watch: Timer | None = None
        self._called_at = 0.0
        self._painted: tuple[object, ...] | None = None
        self._next_paint = 0.0
        self._job: Iterator[object] | None = None
        self._job_words = ""
        self._job_done: Callable[[], None] = lambda: None
        self._in_step = False
        self._open(session)

    def _open(self, session: Session) -> None:
        """Show another session from here on."""
        self.session = session
        self.free_run = FreeRun(session, self._clock)
        self._mover = Mover(session, lambda: self.post_message(self.MoveOver()))

    def on_mount(self) -> None:
        """Go to the step that was asked for."""
        if self.options.start_step is not None:
            self.go_to_step(self.options.start_step)
        self.paint(self.session.torn)

    @property
    def mode(self) -> Mode:
        """What the screen is doing."""
        if self.is_free or self._job is not None:
            return Mode.RUNNING
        if self.session.in_past:
            return Mode.PAST
        return Mode.ENDED if self.session.ended else Mode.PAUSED

    @property
    def scene(self) -> Scene:
        """This moment."""
        session = self.session
        return Scene(
            view=session.view,
            title=session.title,
            phases=session.phases,
            mode=self.mode,
            started=session.started,
            speed=self._speed,
            hint=self._hint,
            fault=session.fault,
            calling=self._mover.busy,
            calling_s=self._calling_s,
            glyphs=self._glyphs,
            head=session.head,
            ribbon=session.ribbon(),
            choice=self.choice,
            why=self.explanation,
            lints=self.found,
            caption=self.caption,
            story=self.story,
            turn=session.debugger.cursor.turn,
        )

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
        self._hint = hint
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

    # Moves.

    def move(self, *, whole_step: bool) -> None:
        """Pause, and make one step or one phase."""
        self.stop()
        if self._mover.busy:
            self.paint(BUSY_HINT)
        elif not self.session.blocks:
            self.session.advance_step() if whole_step else self.session.advance_phase()
            self.paint(self.session.stopped)
        elif not self.session.ended:
            self._in_step = whole_step
            self._move_aside(whole_step=whole_step)

    def look(self, move: Callable[[Session], object]) -> None:
        """Pause, and look somewhere else."""
        self.stop()
        move(self.session)
        self.paint(self.session.stopped)

    def stop(self) -> None:
        """Make no step any more that is not asked for."""
        self._stop_timer()
        self.is_free, self._goal, self._job, self._in_step = False, None, None, False

    def run_freely(self, running: bool, *, rushing: bool = False) -> None:
        """Run, or pause; the first step of a run is due now."""
        self.stop()
        if running and not self.session.ended:
            self._start(rushing=rushing)
        self.paint("" if running else self.session.stopped)

    def go_to_step(self, step: int) -> None:
        """Look at a step that was made, or run on to one that was not."""
        self.stop()
        if step <= self.session.debugger.timeline.step or self.session.run is None:
            self.look(lambda session: session.look(lambda debugger: debugger.to_step(step)))
            return
        self.session.look(lambda debugger: debugger.to_head())
        if not self.session.ended:
            self._goal = step
            self._start()
        self.paint()

    def work_on(self, job: Iterator[object], words: str, done: Callable[[], None]) -> None:
        """Do something long in slices; ``done`` follows, unless somebody stops it."""
        self.stop()
        self._job, self._job_words, self._job_done = job, words, done
        self._work()

    def on_running_screen_move_over(self) -> None:
        """Show what a move in the background came to, and go on if it is a free run."""
        self._stop_timer()
        self._stop_watch()
        self._mover.settle()
        if self.session.stopped:
            self.stop()
        elif self._in_step and not self.is_free and self._is_in_step:
            self._move_aside(whole_step=True)
            return
        if self.is_free:
            self._tick()
        else:
            self.paint(self.session.stopped)

    @property
    def _is_in_step(self) -> bool:
        return not self.session.ended and not self.session.debugger.is_step_over()

    def _start(self, *, rushing: bool = False) -> None:
        self._stop_timer()
        self.is_free = True
        self.free_run.start(rushing=rushing)
        self._tick()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _work(self) -> None:
        """One slice of the job."""
        self._stop_timer()
        job, until = self._job, self._clock() + SLICE_S
        while job is not None:
            if next(job, self) is self:  # nothing can yield the screen
                self.stop()
                self._job_done()
                return
            if self._clock() >= until:
                break
        self.paint()
        self._timer = self.set_timer(_BREATH_S, self._work)

    def _tick(self) -> None:
        """One slice; then wait until a step, a frame or an answer is due."""
        if not self.is_free or self._mover.busy:
            return
        self._stop_timer()  # a later one, if ours had fired when it was stopped
        delay = self._slice_aside() if self.session.blocks else self._slice()
        if delay is None:
            self.stop()
            self.paint(self.session.stopped)
            return
        now = self._clock()
        if now >= self._next_paint:
            self.paint()
        elif self._painted is not None and self._painted[1] != self.session.version:
            delay = min(delay, self._next_paint - now)
        self._timer = self.set_timer(delay, self.paint if self._mover.busy else self._tick)

    def _slice(self) -> float | None:
        """Steps that are due, or those up to the step to start at."""
        if self._goal is None:
            return self.free_run.slice()
        return None if self.free_run.run_to(self._goal) else _BREATH_S

    def _slice_aside(self) -> float | None:
        """The same for a session that blocks: begin one step, if it is due."""
        at_goal = self._goal is not None and self.session.step >= self._goal
        if self.session.ended or at_goal:
            return None
        now = self._clock()
        in_step = self.session.by_phases and self.session.started and self._is_in_step
        wait = self.free_run.wait(now) if self._goal is None and not in_step else 0.0
        if wait > 0:
            return wait
        if not in_step:
            self.free_run.begun(now)
        self._move_aside(whole_step=True)
        return self._frames.interval

    def _move_aside(self, *, whole_step: bool) -> None:
        """Begin a move in the background; a long one is seen to go on."""
        self._called_at = self._clock()
        self._mover.move(whole_step=whole_step and not self.session.by_phases)
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
