"""The mark of a step: a letter for the most notable thing that happened in it.

Folded over turns without a view, so that whoever only writes a run down can mark it as well.
"""

from __future__ import annotations

from collections.abc import Iterable

from batchtui.engine.batching import events as said
from batchtui.engine.batching.shown import HELD
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recording import Entry

MARKS = ".+wfHv*!X"
"""The mark of a step, each beating those before it: nothing, somebody entered, the head waits, one
ended, text is held back, one was preempted, options were changed, a call failed, a row was
dropped."""


class Marker:
    """Marks turns, one after the other: knows whether the head waits, and where text is held."""

    def __init__(self) -> None:
        self._blocked: str | None = None
        self._held: set[int] = set()

    def go_on_from(self, view: BatchView) -> None:
        """Know what a view shows."""
        self._blocked = None if view.blockage is None else view.blockage.request_id
        self._held = {slot.index for slot in view.slots if slot.state == HELD}

    def mark(self, entries: Iterable[Entry]) -> int:
        """The mark of a turn, an index into ``MARKS``."""
        mark = 0
        for entry in entries:
            kind = type(entry)
            if kind in _MARK_OF:
                mark = max(mark, _MARK_OF[kind])
                if isinstance(entry, said.RequestAdmitted | said.RequestFinished):
                    self._moved(entry)
            elif isinstance(entry, said.TokensApplied):
                if (entry.held or self._held) and self._holds(entry):
                    mark = max(mark, _HOLDS)
            elif isinstance(entry, said.RequestBlocked):
                self._blocked = entry.request_id
        return mark if self._blocked is None else max(mark, _WAITS)

    def _moved(self, event: said.RequestAdmitted | said.RequestFinished) -> None:
        if event.slot is not None:
            self._held.discard(event.slot)
        if event.request_id == self._blocked and (
            event.slot is None or isinstance(event, said.RequestAdmitted)
        ):
            self._blocked = None

    def _holds(self, event: said.TokensApplied) -> bool:
        """Whether text is held back where none was."""
        is_new = not self._held.issuperset(event.held)
        self._held.difference_update(event.slots)
        self._held.update(event.held)
        return is_new


def mark_of(view: BatchView) -> str:
    """The mark of the step at work, as far as it has come."""
    mark = _WAITS if view.blockage is not None else 0
    if any(slot.held and slot.changed_at == view.step for slot in view.slots):
        mark = max(mark, _HOLDS)
    kinds = {kind.__name__: rank for kind, rank in _MARK_OF.items()}
    return MARKS[max([mark, *(kinds.get(kind, 0) for kind in view.this_step.said)])]


_HOLDS, _WAITS = MARKS.index("H"), MARKS.index("w")

_MARK_OF: dict[type, int] = {
    said.RequestAdmitted: MARKS.index("+"),
    said.RequestFinished: MARKS.index("f"),
    said.OptionsChanged: MARKS.index("*"),
    said.FaultInjected: MARKS.index("!"),
    said.CallFailed: MARKS.index("!"),
    said.RowsDiscarded: MARKS.index("X"),
}
