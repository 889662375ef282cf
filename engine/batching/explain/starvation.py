"""Who has waited out of proportion: only the one that has waited longest is looked at.

The rule: it was passed by ``MANY_PASSES`` that arrived later, or it has waited for at least
``LONG_WAIT_US`` and ``TIMES_TYPICAL`` times the median of the last ``SAMPLE`` waits.
"""

from __future__ import annotations

from statistics import median_low

from batchtui.engine.batching.explain.finding import Lint
from batchtui.engine.batching.explain.passing import passed_by
from batchtui.engine.batching.explain.words import span
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.shown import ShownWaiting
from batchtui.engine.batching.view import BatchView

MANY_PASSES = 16
TIMES_TYPICAL = 10
LONG_WAIT_US = 1_000_000
SAMPLE = 100
LEAST_SAMPLE = 10
"""Fewer waits than this have no median worth the name."""


def starvation_lint(view: BatchView, history: BatchHistory, oldest: ShownWaiting) -> Lint | None:
    """Whether the one that has waited longest starves."""
    waited = max(0, view.now - oldest.arrival_us)
    typical = typical_wait(view, history)
    # All that came before the oldest have left by now, whenever that was: no moment is needed.
    passed = passed_by([oldest], view, history)[oldest.request_id]
    reasons = []
    if passed >= MANY_PASSES:
        reasons.append(f"{passed:,} that arrived later were admitted before it")
    if typical is not None and waited >= max(LONG_WAIT_US, TIMES_TYPICAL * typical):
        reasons.append(f"the median of the last waits is {span(typical)}")
    if not reasons:
        return None
    steps = view.step - oldest.queued_at + 1
    return Lint(
        kind="starvation",
        words=f"{oldest.request_id} has waited {span(waited)}: {', '.join(reasons)}",
        since=oldest.queued_at,
        steps=steps,
        request_id=oldest.request_id,
        cost=steps,
    )


def typical_wait(view: BatchView, history: BatchHistory) -> int | None:
    """The median of the last waits that had ended in an admission; None for too few."""
    count = view.totals.admitted
    if count < LEAST_SAMPLE:
        return None
    return median_low(history.waits[max(0, count - SAMPLE) : count])
