"""What is known about a moment of batching: why, what looks wrong, and the stories of requests."""

from __future__ import annotations

from batchtui.engine.batching.explain.lints import Lint, lints_of
from batchtui.engine.batching.explain.passing import passed_by
from batchtui.engine.batching.explain.why import Explanation, explain
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.marks import mark_of
from batchtui.engine.batching.story import NEVER, Story
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.debugger import Debugger
from batchtui.tui.outlook import Outlook

MOST_ROWS = 60
"""Rows of a queue that are seen at once, at the most."""


class BatchOutlook(Outlook[BatchView]):
    """Asks a debugger and a history about where one looks."""

    def __init__(self, debugger: Debugger[BatchView], history: BatchHistory) -> None:
        super().__init__(debugger)
        self._history = history

    def mark(self) -> str:
        """The mark of the step that one looks at, as far as it has come there."""
        return mark_of(self._debugger.view)

    def queue_lengths(self, steps: slice) -> tuple[int, ...]:
        """How many waited at the end of each step."""
        return tuple(self._history.queue_lengths[steps])

    def why(self, request_id: str) -> Explanation | None:
        """Why a request waits, runs or has ended; in the past, also what came later."""
        cursor = self._debugger.cursor
        head = self._debugger.timeline.view if self.in_past else None
        return explain(request_id, cursor.turn, cursor.view, self._history, head=head)

    def lints(self) -> tuple[Lint, ...]:
        """What looks wrong, the worst first."""
        return tuple(lints_of(self._debugger.view, self._history))

    def passed_by(self) -> dict[str, int]:
        """How many who came later went before each of those who wait first."""
        cursor = self._debugger.cursor
        if not cursor.view.waiting:
            return {}
        turn = cursor.turn if self.in_past else NEVER
        return passed_by(cursor.view.first_waiting(MOST_ROWS), cursor.view, self._history, turn)

    def story(self, request_id: str) -> Story | None:
        """All that is known of a request."""
        if not request_id:
            return None
        return self._history.story(request_id, self._debugger.cursor.turn)
