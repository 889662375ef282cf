"""What a dashboard is opened on: a driver, its view, and what to call them.

Nothing else moves the driver. A failure of the engine is kept as data, so that the screen survives
it and can show how things stood.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from pathlib import Path

from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.driver import Driver
from batchtui.plugins.runs import Run
from batchtui.tui.renderables.scene import Title


@dataclass
class Session:
    """A run that can be stepped.

    Attributes:
        driver: what moves the run; it folds into ``view``.
        view: what is shown.
        title: what the top line calls it.
        version: grows whenever the run has moved: the same number, the same picture.
        fault: where the engine itself failed; "" as long as it has not.
    """

    driver: Driver
    view: BatchView
    title: Title
    version: int = field(default=0, init=False)
    fault: str = field(default="", init=False)

    @property
    def started(self) -> bool:
        """Whether a first phase has been made."""
        return self.version > 0 and bool(self.driver.phase)

    @property
    def ended(self) -> bool:
        """Whether nothing can follow."""
        return self.driver.ended or bool(self.fault)

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases of a step."""
        return self.driver.simulation.machine.phases

    @property
    def step(self) -> int:
        """The step that was made last; -1 before the first."""
        return self.driver.step if self.started else -1

    def advance_step(self) -> bool:
        """Go on to the end of a step. False where nothing is left."""
        return self._advance(whole_step=True)

    def advance_phase(self) -> bool:
        """Make one phase. False where nothing is left."""
        return self._advance(whole_step=False)

    def _advance(self, *, whole_step: bool) -> bool:
        if self.ended:
            return False
        driver = self.driver
        try:
            moved = driver.advance_step() if whole_step else driver.advance_phase()
        except Exception as error:  # a bug of ours in a turn: show where, keep the screen
            moved, self.fault = False, _place(error)
        self.version += 1
        if driver.phase:
            self.view.reach(driver.step, driver.phase, driver.now)
        return moved


def session_of(run: Run) -> Session:
    """Make a session of a run that has not begun."""
    config = run.decoder.config
    view = BatchView.empty(config.max_num_seqs, config.num_gpu_blocks, run.policy)
    title = Title(
        workload=run.workload.name,
        backend=run.model.name,
        policy=run.policy.name,
        real=run.clock != "virtual",
    )
    return Session(Driver(run.simulation, view), view, title)


def _place(error: Exception) -> str:
    """Where an exception was raised, without its message: that may hold a prompt."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"a bug in the engine: {type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
    )
