"""The driver: one step, one phase, or a slice of a free run, of any machine on the virtual
clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from batchtui.engine.machine import Event, Turn
from batchtui.engine.simulate import Simulation


class View(Protocol):
    """What a screen shows: a fold over events, bounded."""

    def fold(self, event: Event) -> None:
        """Take one event in."""


class Driver:
    """Moves a simulation on and keeps a view, if it has one, up to date. Nothing else moves either.

    ``phase`` is the last phase that was made; ``ended`` says that nothing can happen any more.
    """

    def __init__(self, simulation: Simulation, view: View | None = None) -> None:
        self.simulation = simulation
        self.view = view
        self.phase = ""
        self.step = 0
        self.ended = False

    @property
    def now(self) -> int:
        """The time on the virtual clock, in microseconds."""
        return self.simulation.now

    def advance_phase(self) -> bool:
        """Make one turn. False where none is left."""
        step = self.simulation.machine.step
        turn = self.simulation.advance()
        if turn is None:
            self.ended = True
            return False
        self.phase, self.step = turn.phase, step
        self._fold(turn)
        return True

    def advance_step(self) -> bool:
        """Make turns up to the end of a step. False where none is left."""
        if not self.advance_phase():
            return False
        while self.simulation.machine.step == self.step:
            if not self.advance_phase():
                break
        return True

    def run_until(self, stop: Callable[[], bool]) -> bool:
        """Make whole steps until ``stop`` says so. False where none is left."""
        while not stop():
            if not self.advance_step():
                return False
        return True

    def _fold(self, turn: Turn) -> None:
        if self.view is not None:
            for event in turn.events:
                self.view.fold(event)
