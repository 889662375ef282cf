"""Moves the session on, step by step or freely.

While paused nothing is scheduled, so idling costs nothing. A free run is slices of at most 15 ms on
the app's own thread, between which keys are answered; only a session that blocks is moved by a
thread beside it, and shown when that is over. What takes long otherwise (a search, a fork) is a
*job*: a generator that is moved on in slices of the same length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.timer import Timer

from batchtui.engine.debugger.debugger import Until
from batchtui.engine.errors import BatchtuiError
from batchtui.tui.pace import SLICE_S
from batchtui.tui.screens.painting import Job, Options, PaintingScreen
from batchtui.tui.session import Session

BUSY_HINT = "the model is being called: the next step can begin when it has answered"

_PATIENCE_S = 0.1
"""How long a call may take before the screen says that it waits for one."""

_COUNT_S = 1.0
"""How often it then says for how long."""

_BREATH_S = 0.001


class RunningScreen(PaintingScreen):
    """Panels on a session that moves."""

    def __init__(self, session: Session[Any], options: Options) -> None:
        super().__init__(session, options)
        self._timer: Timer | None = None
        self._watch: Timer | None = None
        self._in_step = False
        self._job_done: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        """Go to the step that was asked for."""
        if self.options.start_step is not None:
            self.go_to_step(self.options.start_step)
        self.paint(self.session.torn)

    # Moves.

    def move(self, *, whole_step: bool) -> None:
        """Pause, and make one step or one phase."""
        self.stop()
        if self._mover.busy and not self.session.in_past:
            self.paint(BUSY_HINT)
            return
        if not self.session.blocks:
            self.session.advance_step() if whole_step else self.session.advance_phase()
            self.paint(self.session.stopped)
            # From the past into a step that is being made: the rest of it takes its time.
            if self.session.stopped or not (
                whole_step and self.session.blocks and self._is_in_step and not self._mover.busy
            ):
                return
        if not self.session.ended:
            self._in_step = whole_step
            self._move_aside(whole_step=whole_step)

    def look(self, move: Callable[[Session[Any]], object]) -> None:
        """Pause, and look somewhere else."""
        self.stop()
        move(self.session)
        self.paint(self.session.trouble or self.session.stopped)

    def stop(self) -> None:
        """Make no step any more that is not asked for."""
        self.session.debugger.until = None
        self._stop_timer()
        job, self._job = self._job, None
        if job is not None:
            job.close()
        self.is_free, self._goal, self._in_step = False, None, False

    def run_freely(
        self, running: bool, *, rushing: bool = False, until: Until[Any] | None = None
    ) -> None:
        """Run, or pause; the first step of a run is due now."""
        self.stop()
        self.session.debugger.until = until
        if running and not self.session.ended:
            self._start(rushing=rushing)
        # The first slice may already have come to a breakpoint.
        self.paint("" if self.is_free else self.session.stopped)

    def go_to_step(self, step: int) -> None:
        """Look at a step that was made, or run on to one that was not."""
        self.stop()
        if step <= self.session.debugger.timeline.step or not self.session.can_move:
            self.look(lambda session: session.look(lambda debugger: debugger.to_step(step)))
            return
        self.session.look(lambda debugger: debugger.to_head())
        if not self.session.ended:
            self._goal = step
            self._start()
        self.paint("" if self.is_free else self.session.stopped)

    def work_on(self, job: Job, words: str, done: Callable[[], None]) -> None:
        """Do something long in slices; ``done`` follows, unless somebody stops it before."""
        self.stop()
        self._job, self._job_words, self._job_done = job, words, done
        self._work()

    def on_painting_screen_move_over(self) -> None:
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
            try:
                is_over = next(job, self) is self  # nothing can yield the screen
            except BatchtuiError as error:
                self.stop()
                self.paint(str(error))
                return
            if is_over:
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
