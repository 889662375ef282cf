"""What is known about the moment at which one looks, besides the view: of every system."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, Protocol, TypeVar

from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.timeline import View
from batchtui.tui.renderables.scene import Head, Ribbon

RIBBON_STEPS = 256
"""Steps around the cursor that a ribbon is given: more than the widest screen has room for."""


class TimedView(View, Protocol):
    """A view that says what time it is."""

    @property
    def now(self) -> int:
        """The time after its last turn, in microseconds."""


ViewT = TypeVar("ViewT", bound=TimedView)


class Outlook(ABC, Generic[ViewT]):
    """Asks a debugger, and the history that its timeline keeps, about where one looks."""

    def __init__(self, debugger: Debugger[ViewT]) -> None:
        self._debugger = debugger

    @abstractmethod
    def mark(self) -> str:
        """The mark of the step that one looks at, as far as it has come there."""

    @abstractmethod
    def queue_lengths(self, steps: slice) -> tuple[int, ...]:
        """How many waited at the end of each step."""

    @property
    def in_past(self) -> bool:
        """Whether one looks at another moment than NOW."""
        return not self._debugger.cursor.at_head

    @property
    def head(self) -> Head | None:
        """Where NOW is, seen from the past; None at NOW."""
        cursor, timeline = self._debugger.cursor, self._debugger.timeline
        if cursor.at_head:
            return None
        return Head(timeline.step, timeline.view.now, cursor.steps_back, cursor.turns_back)

    @property
    def ribbon(self) -> Ribbon:
        """The steps around where one looks."""
        step, last = self._debugger.step, self._debugger.timeline.step
        first = max(0, min(step - RIBBON_STEPS // 2, last - RIBBON_STEPS + 1))
        seen = slice(first, first + RIBBON_STEPS)
        marks = self._debugger.timeline.history.ribbon(seen)
        if self.in_past and step >= 0:  # what the step would still come to is not seen yet
            here = step - first
            marks = marks[:here] + self.mark() + marks[here + 1 :]
        return Ribbon(first, marks, self.queue_lengths(seen), step, last)
