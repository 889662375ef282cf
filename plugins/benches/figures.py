"""What a benchmark found: a figure, its unit, and the bar that it must keep to."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """One measured figure.

    ``bar`` is the most that it may be (the least, where ``at_least``); None where it has none.
    """

    name: str
    value: float
    unit: str
    bar: float | None
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the bar is kept."""
        if self.bar is None:
            return True
        return self.value >= self.bar if self.at_least else self.value <= self.bar
