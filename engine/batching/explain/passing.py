"""Who was passed in the queue: how many that came later were admitted before.

Counted, not looked for: all who were admitted by a moment, without those who had come before. Of
these some still wait, and some left unrun; the others were admitted. So what it costs depends on
those who wait and, in the past, on those who left unrun, not on how long the run has been.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.shown import ShownWaiting
from batchtui.engine.batching.story import NEVER
from batchtui.engine.batching.view import BatchView


def passed_by(
    asked: Iterable[ShownWaiting], view: BatchView, history: BatchHistory, turn: int = NEVER
) -> dict[str, int]:
    """By request, how many passed it. ``turn`` is the moment of the view; ``NEVER`` at the head."""
    wanted = {waiting.request_id: waiting for waiting in asked}
    counts: dict[str, int] = {}
    unrun = history.unrun(turn)
    for num_before, request_id in enumerate(view.waiting):  # in the order of their coming
        if len(counts) == len(wanted):
            break
        if request_id in wanted:
            story = history.waiting(wanted[request_id])
            place = 0 if story is None else story.place
            gone = place - num_before - bisect_left(unrun, place)
            counts[request_id] = view.totals.admitted - gone if story is not None else 0
    return counts
