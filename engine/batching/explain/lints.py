"""What looks wrong in a run though nothing failed: found in the view and the history.

One finding a cause, not one a slot or a request:

- ``idle-slot``: slots are free while somebody waits, since the head needs more KV blocks than are
  free, and nobody looked at behind it would fit either: blocks are short.
- ``head-of-line``: the same, but some behind the head would fit: the order costs slots.
- ``starvation``: whoever has waited longest has waited out of proportion (``starvation.py``).
- ``dead-stop``: a stop that can never end anything (``dead_stops.py``).
"""

from __future__ import annotations

from collections import deque
from itertools import chain

from msgspec.structs import replace

from batchtui.engine.batching.events import RequestQueued
from batchtui.engine.batching.explain.dead_stops import UNKNOWN, Tokens, lints_of_stops
from batchtui.engine.batching.explain.finding import Lint
from batchtui.engine.batching.explain.idleness import Fitting, behind, idle_lint
from batchtui.engine.batching.explain.starvation import starvation_lint
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.shown import ShownSlot, ShownWaiting
from batchtui.engine.batching.story import Story
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Timeline, fold
from batchtui.engine.errors import InvariantError

__all__ = ["Lint", "Tokens", "lints_of", "run_lints"]


def lints_of(view: BatchView, history: BatchHistory, tokens: Tokens = UNKNOWN) -> list[Lint]:
    """What looks wrong at a moment, the worst first.

    Looks at the slots and at the first of the queue, however long it is.
    """
    oldest = next(iter(view.waiting.values()), None)
    found = _of_queue(view, history, oldest, Fitting())
    return [*found, *lints_of_stops(_living(view, history), tokens)]


def run_lints(timeline: Timeline[BatchView], tokens: Tokens = UNKNOWN) -> list[Lint]:
    """What looked wrong in a whole recording, each finding once, the costliest first."""
    history = timeline.history
    if not isinstance(history, BatchHistory):
        raise InvariantError(f"batching's lints are not for a {type(history).__name__}")
    findings, queue, able = _Findings(), _Arrivals(), Fitting()
    view = timeline.view_at(0) if timeline.num_turns else history.empty()
    for record in timeline.records():
        fold(view, record)
        queue.add(record)
        if record.phase == "admit":
            findings.add(_of_queue(view, history, queue.oldest(view), able), view.step)
    stories = chain.from_iterable(map(history.stories, history.request_ids))
    stops = [replace(lint, until=timeline.step) for lint in lints_of_stops(stories, tokens)]
    return sorted([*findings.lints, *stops], key=lambda lint: (-lint.cost, lint.since))


def _of_queue(
    view: BatchView, history: BatchHistory, oldest: ShownWaiting | None, able: Fitting
) -> list[Lint]:
    """What is wrong with who is let in. A head that leaves slots idle is not told of twice."""
    idle = idle_lint(view, able)
    found = [idle] if idle is not None else []
    if oldest is not None and (idle is None or idle.request_id != oldest.request_id):
        starving = starvation_lint(view, history, oldest)
        found += [starving] if starving is not None else []
    return found


def _living(view: BatchView, history: BatchHistory) -> list[Story]:
    """The stories of whoever runs, or waits among the first."""
    found = [_resident(history, slot) for slot in view.slots if slot.is_resident]
    found += [history.waiting(each) for each in (*view.first_waiting(1), *behind(view))]
    return [story for story in found if story is not None]


def _resident(history: BatchHistory, slot: ShownSlot) -> Story | None:
    """Of all that had the id of who sits in a slot, the last one that had come by then."""
    found = None
    for story in history.stories(slot.request_id):
        event = story.moments[0].event
        if isinstance(event, RequestQueued) and event.step <= (slot.entered_at or 0):
            found = story
    return found


class _Arrivals:
    """Who has waited longest, step by step: the queue's own order of coming, without looking
    through those who have left again."""

    def __init__(self) -> None:
        self._came: deque[RequestQueued] = deque()

    def add(self, record: TurnRecord) -> None:
        """Take a turn in."""
        self._came += [entry for entry in record.entries if isinstance(entry, RequestQueued)]

    def oldest(self, view: BatchView) -> ShownWaiting | None:
        """The first that came and still waits."""
        while self._came:
            waiting = view.waiting.get(self._came[0].request_id)
            if waiting is not None and waiting.index == self._came[0].index:
                return waiting
            self._came.popleft()
        return None


class _Findings:
    """What was found step by step, put together by its cause."""

    def __init__(self) -> None:
        self._by_cause: dict[tuple[str, str], Lint] = {}

    @property
    def lints(self) -> list[Lint]:
        """All of it."""
        return list(self._by_cause.values())

    def add(self, found: list[Lint], step: int) -> None:
        """Take in what was found at a step."""
        for lint in found:
            starves = lint.kind == "starvation"
            cause = "starvation" if starves else "idle", lint.request_id
            before = self._by_cause.get(cause)
            if starves:
                merged = lint
            elif before is None:
                merged = replace(lint, since=step, steps=1)
            else:
                merged = _merged(before, lint, step)
            self._by_cause[cause] = replace(merged, until=step)


def _merged(before: Lint, lint: Lint, step: int) -> Lint:
    """A finding that goes on: told as it was last, or as it was when others would have fitted."""
    told = lint if lint.others or not before.others else before
    return replace(
        told,
        since=before.since,
        steps=before.steps + (step != before.until),
        slots=tuple(sorted({*before.slots, *lint.slots})),
        cost=before.cost + len(lint.slots),
    )
