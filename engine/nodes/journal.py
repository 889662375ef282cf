"""Writes down what a search decides, each event with its number, step, phase and time."""

from __future__ import annotations

from typing import Any

from batchtui.engine.machine import Event


class Journal:
    """The events of one turn at a time; makes none where nobody wants them."""

    def __init__(self, unit: str, *, observed: bool) -> None:
        self.observed = observed
        self._unit = unit
        self._seq = 0
        self._events: list[Event] = []
        self._place: tuple[int, str, int] = (0, "", 0)

    def begin(self, step: int, phase: str, now: int) -> None:
        """What follows belongs to this turn."""
        self._place, self._events = (step, phase, now), []

    def say(self, kind: type[Event], **fields: Any) -> None:
        """Something was decided; ``fields`` are those of its kind, hence ``Any``."""
        if self.observed:
            step, phase, at = self._place
            self._seq += 1
            event = kind(seq=self._seq, step=step, phase=phase, at=at, unit=self._unit, **fields)
            self._events.append(event)

    def take(self) -> list[Event]:
        """The events of this turn."""
        return self._events
