"""How the screen is shared out: slots first, the other panels as there is room.

It depends on the size, the number of slots and the wish for one panel, never on what happens in a
run: panels do not jump about while somebody reads them.
"""

from __future__ import annotations

from typing import NamedTuple

SLOT_LINES = 2
"""Lines of the slots panel that are no slots: its title and its heads."""

_LEAST_BELOW = 11
"""Rows that queue and ended need to stand one above the other."""

_BESIDE = 110
"""From this width on they stand side by side."""


class Layout(NamedTuple):
    """The heights of the panels in rows; 0 is not shown. They add up to the screen.

    ``queue_width`` is the width of the queue if the ended stand beside it, else 0; then both have
    the same height, which counts once.
    """

    top: int
    changed: int
    slots: int
    queue: int
    ended: int
    footer: int
    queue_width: int = 0


def layout(width: int, height: int, num_slots: int, *, ended_wanted: bool = False) -> Layout:
    """Share out the screen. The footer's first row is the border below the panels.

    Args:
        ended_wanted: where there is room for one of them, show the ended and not the queue.
    """
    top = int(height >= 5)
    footer = _first((height < 3, 0), (height < 6, 1), (True, 2))
    body = height - top - footer
    changed = _first((body < 8, 0), (body < 13, 2), (body < 19, 4), (body < 25, 5), (True, 6))
    rest = body - changed
    least_below = _first((rest < 6, 0), (rest < 11, 3), (rest < 19, 5), (True, 8))
    slots = max(0, min(num_slots + SLOT_LINES, rest - least_below))
    below = rest - slots
    if below < 2:
        return Layout(top, changed, rest, 0, 0, footer)
    if width >= _BESIDE:
        queue_width = width - max(48, width * 35 // 100)
        return Layout(top, changed, slots, below, below, footer, queue_width)
    if below >= _LEAST_BELOW:
        return Layout(top, changed, slots, below - below // 2, below // 2, footer)
    queue, ended = (0, below) if ended_wanted else (below, 0)
    return Layout(top, changed, slots, queue, ended, footer)


def _first(*choices: tuple[bool, int]) -> int:
    return next(rows for applies, rows in choices if applies)
