"""What a dashboard is opened on: a driver, its view, and what to call them.

Nothing else moves the driver. What it decides is taken into the view by ``settle`` alone, on the
screen's own thread; so a driver whose model blocks can be moved by another thread meanwhile, and
the picture stays whole. A failure of the engine is kept as data: the screen survives it and shows
how things stood. Whoever opens a session closes it, wherever the other thread is by then.
"""

from __future__ import annotations

import threading
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.errors import BatchtuiError
from batchtui.engine.machine import Event
from batchtui.engine.model import Interruptible
from batchtui.plugins.models.scripted import ScriptedModel
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.runs import Run
from batchtui.tui.renderables.scene import Title

OBEYS_WITHIN_S = 5.0
"""How long a call that was interrupted may go on."""


class Inbox:
    """Takes the events of a driver in until they are settled."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def fold(self, event: Event) -> None:
        """Keep an event."""
        self._events.append(event)

    def empty_into(self, view: BatchView) -> None:
        """Fold everything that was kept."""
        for event in self._events:
            view.fold(event)
        self._events.clear()


@dataclass
class Session:
    """A run that can be stepped.

    Attributes:
        run: what is stepped.
        driver: what moves the run; it folds into ``inbox``.
        view: what is shown.
        title: what the top line calls it.
        version: grows whenever the run has moved: the same number, the same picture.
        step: the step that was made last; -1 before the first.
        ended: whether nothing can follow.
        fault: where the engine itself failed; "" as long as it has not.
    """

    run: Run = field(repr=False)
    driver: Driver
    inbox: Inbox
    view: BatchView
    title: Title
    version: int = field(default=0, init=False)
    step: int = field(default=-1, init=False)
    ended: bool = field(default=False, init=False)
    fault: str = field(default="", init=False)
    _failed: str = field(default="", init=False)
    _moving: threading.Lock = field(default_factory=threading.Lock, init=False)
    _closed: bool = field(default=False, init=False)

    @property
    def started(self) -> bool:
        """Whether a first phase has been made."""
        return self.step >= 0

    @property
    def blocks(self) -> bool:
        """Whether a step takes real time, so that it must not be made on the screen's thread."""
        return self.title.real

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases of a step."""
        return self.driver.simulation.machine.phases

    def advance_step(self) -> bool:
        """Go on to the end of a step, and show it. False where nothing is left."""
        return self._advance(whole_step=True)

    def advance_phase(self) -> bool:
        """Make one phase, and show it. False where nothing is left."""
        return self._advance(whole_step=False)

    def move(self, *, whole_step: bool) -> bool:
        """Move the driver and nothing that is shown. False where nothing is left."""
        driver = self.driver
        with self._moving:
            if self._closed:
                return False
            try:
                return driver.advance_step() if whole_step else driver.advance_phase()
            except BaseException as error:  # our bug, or a model that interrupts: keep the screen
                self._failed = _place(error)
                return False

    def settle(self) -> None:
        """Take what was decided meanwhile into the view."""
        driver = self.driver
        self.version += 1
        self.fault, self.ended = self._failed, driver.ended or bool(self._failed)
        self.inbox.empty_into(self.view)
        if driver.phase:
            self.step = driver.step
            self.view.reach(driver.step, driver.phase, driver.now)

    def close(self) -> bool:
        """End the move that is being made, and give back what the model holds; none may follow.

        Returns:
            False if the move goes on all the same, because the model cannot be interrupted or does
            not obey: then nothing is given back.
        """
        if self._closed:
            return True
        model, patience = self.run.model, 0.0
        if isinstance(model, Interruptible):
            model.interrupt()
            patience = OBEYS_WITHIN_S
        if not self._moving.acquire(timeout=patience):
            return False
        self._closed = True
        self._moving.release()
        self.run.close()
        return True

    def _advance(self, *, whole_step: bool) -> bool:
        if self.ended:
            return False
        moved = self.move(whole_step=whole_step)
        self.settle()
        return moved


def session_of(run: Run) -> Session:
    """Make a session of a run that has not begun."""
    config, inbox = run.decoder.config, Inbox()
    view = BatchView.empty(config.max_num_seqs, config.num_gpu_blocks, run.policy)
    title = Title(
        workload=run.workload.name,
        backend=run.model.name,
        policy=run.policy.name,
        # Whether a foreign model blocks is known only once it has; these two never do.
        real=not isinstance(run.model, SimulatedModel | ScriptedModel),
    )
    return Session(run, Driver(run.simulation, inbox), inbox, view, title)


def _place(error: BaseException) -> str:
    """Where an exception was raised, without its message: that may hold a prompt."""
    if isinstance(error, BatchtuiError):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"a bug in the engine: {type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
    )
