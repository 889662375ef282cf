"""What is known about the moment at which one looks, besides the view."""

from __future__ import annotations

from batchtui.engine.batching.explain.lints import Lint, lints_of
from batchtui.engine.batching.explain.passing import passed_by
from batchtui.engine.batching.explain.why import Explanation, explain
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.marks import mark_of
from batchtui.engine.batching.story import NEVER, Story
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.debugger import Debugger
from batchtui.tui.renderables.scene import Head, Ribbon

MOST_ROWS = 60
"""Rows of a queue that are seen at once, at the most."""

RIBBON_STEPS = 256
"""Steps around the cursor that a ribbon is given: more than the widest screen has room for."""


class Outlook:
    """Asks a debugger and a history about where one looks."""

    def __init__(self, debugger: Debugger[BatchView], history: BatchHistory) -> None:
        self._debugger = debugger
        self._history = history

    @property
    def _in_past(self) -> bool:
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
        marks = self._history.ribbon(seen)
        if self._in_past and step >= 0:  # what the step would still come to is not seen yet
            here = step - first
            marks = marks[:here] + mark_of(self._debugger.view) + marks[here + 1 :]
        lengths = tuple(self._history.queue_lengths[seen])
        return Ribbon(first, marks, lengths, step, last)

    def why(self, request_id: str) -> Explanation | None:
        """Why a request waits, runs or has ended; in the past, also what came later."""
        cursor = self._debugger.cursor
        head = self._debugger.timeline.view if self._in_past else None
        return explain(request_id, cursor.turn, cursor.view, self._history, head=head)

    def lints(self) -> tuple[Lint, ...]:
        """What looks wrong, the worst first."""
        return tuple(lints_of(self._debugger.view, self._history))

    def passed_by(self) -> dict[str, int]:
        """How many who came later went before each of those who wait first."""
        cursor = self._debugger.cursor
        if not cursor.view.waiting:
            return {}
        turn = cursor.turn if self._in_past else NEVER
        return passed_by(cursor.view.first_waiting(MOST_ROWS), cursor.view, self._history, turn)

    def story(self, request_id: str) -> Story | None:
        """All that is known of a request."""
        if not request_id:
            return None
        return self._history.story(request_id, self._debugger.cursor.turn)
