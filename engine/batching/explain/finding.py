"""A lint: something that looks wrong though nothing failed."""

from __future__ import annotations

import msgspec


class Lint(msgspec.Struct, frozen=True, kw_only=True):
    """One finding.

    Attributes:
        kind: ``idle-slot``, ``head-of-line``, ``starvation`` or ``dead-stop``.
        words: what is so, with its numbers; ids and stops as they are.
        since: the step from which on it has been so.
        until: the last step in which it was, in a whole recording; None at a moment.
        steps: in how many steps it was so.
        request_id: where to look: the head, who starves, the first that has the stop.
        slots: the slots that are idle.
        others: who would fit, or who else has the stop; not all of very many.
        cost: slots idle, summed over the steps; the steps waited by who starves; 0 for a stop.
    """

    kind: str
    words: str
    since: int
    until: int | None = None
    steps: int = 1
    request_id: str = ""
    slots: tuple[int, ...] = ()
    others: tuple[str, ...] = ()
    cost: int = 0
