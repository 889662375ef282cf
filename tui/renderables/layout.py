"""How the rows of the screen are shared out: slots first, the other panels as there is room."""

from __future__ import annotations

from typing import NamedTuple

SLOT_LINES = 2
"""Lines of the slots panel that are no slots: its title and its heads."""

_LEAST_QUEUE = 9
"""Rows that the queue has before those who have ended are shown."""

_LEAST_ENDED = 6


class Layout(NamedTuple):
    """The heights of the panels in rows; 0 is not shown. They add up to the screen."""

    top: int
    changed: int
    slots: int
    queue: int
    ended: int
    footer: int


def layout(height: int, num_slots: int) -> Layout:
    """Share out ``height`` rows. The footer's first row is the border below the panels."""
    top = int(height >= 5)
    footer = _first((height < 3, 0), (height < 6, 1), (True, 2))
    body = height - top - footer
    changed = _first((body < 8, 0), (body < 13, 2), (body < 19, 4), (body < 25, 5), (True, 6))
    rest = body - changed
    least_queue = _first((rest < 6, 0), (rest < 11, 3), (rest < 19, 5), (True, 8))
    slots = max(0, min(num_slots + SLOT_LINES, rest - least_queue))
    below = rest - slots
    if below < 2:
        return Layout(top, changed, rest, 0, 0, footer)
    ended = below * 2 // 5 if below >= _LEAST_QUEUE + _LEAST_ENDED else 0
    return Layout(top, changed, slots, below - ended, ended, footer)


def _first(*choices: tuple[bool, int]) -> int:
    return next(rows for applies, rows in choices if applies)
