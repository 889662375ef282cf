"""Looks at a run at some moment: the cursor moves over the timeline and changes nothing.

At the head it moves on with the run. Anywhere else it stands where it was put, and ``view`` is one
that was rebuilt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Timeline, View, fold

ViewT = TypeVar("ViewT", bound=View)

Hit = Callable[[TurnRecord, ViewT], bool]
"""Whether to stop after a turn; is told of every turn in a row, with the view after it."""


class Cursor(Generic[ViewT]):
    """A moment of a timeline. ``turn`` is its number, ``view`` what there was to see."""

    def __init__(self, timeline: Timeline[ViewT]) -> None:
        self.timeline = timeline
        self._turn: int | None = None  # None: at the head, wherever that is
        self._past: ViewT | None = None
        self._record: TurnRecord | None = None

    @property
    def at_head(self) -> bool:
        """Whether this is NOW."""
        return self._turn is None

    @property
    def turn(self) -> int:
        """The number of turns that had been made."""
        return self.timeline.num_turns if self._turn is None else self._turn

    @property
    def view(self) -> ViewT:
        """What there was to see. Only look at it."""
        return self.timeline.view if self._past is None else self._past

    @property
    def record(self) -> TurnRecord | None:
        """The turn that led here; None at the beginning."""
        if self._turn is not None:
            return self._record
        return self.timeline.record(self.turn) if self.turn else None

    @property
    def step(self) -> int:
        """The step that was at work here; -1 at the beginning."""
        if self.at_head:
            return self.timeline.step
        return self.record.step if self.record is not None else -1

    @property
    def turns_back(self) -> int:
        """How many turns the head is away."""
        return self.timeline.num_turns - self.turn

    @property
    def steps_back(self) -> int:
        """How many steps the head is away."""
        return max(0, self.timeline.step - self.step)

    def to_head(self) -> None:
        """Go to NOW."""
        self._turn = self._past = self._record = None

    def to(self, turn: int) -> None:
        """Go to a moment; beyond the last one is the head."""
        if turn >= self.timeline.num_turns:
            self.to_head()
            return
        turn = max(0, turn)
        if turn == self._turn:
            return
        record = self.timeline.record(turn) if turn else None
        self._past = self._moved_on(turn) or self.timeline.view_at(turn)
        self._turn, self._record = turn, record

    def to_step(self, step: int) -> None:
        """Go to the end of a step."""
        self.to(self.timeline.turn_at_step(step))

    def back_phase(self) -> bool:
        """Go back by a turn. False at the beginning."""
        return self._back(self.turn - 1)

    def back_step(self) -> bool:
        """Go back to the end of the step before. False at the beginning."""
        return self._back(self.timeline.turn_at_step(self.step - 1) if self.turn else -1)

    def forward_phase(self) -> bool:
        """Go on by a turn. False at the head."""
        if self.at_head:
            return False
        self.to(self.turn + 1)
        return True

    def find_back(self, start: Callable[[ViewT], None], hit: Hit[ViewT]) -> Iterator[int | None]:
        """Look for the last moment before this one that hits; chunk by chunk, backwards.

        ``start`` is told of the view before a chunk, whose turns ``hit`` then sees in their order.
        """
        end = self.turn - 1
        while end > 0:
            begin, found = self.timeline.chunk_bounds(end)[0], 0
            view = self._own_view(begin)
            start(view)
            for turn, record in enumerate(self.timeline.records(begin, end), begin + 1):
                fold(view, record)
                if hit(record, view):
                    found = turn
            if found:
                yield found
                return
            yield None
            end = begin

    def _own_view(self, turn: int) -> ViewT:
        """A view at a moment that may be folded on."""
        history = self.timeline.history
        view = self.timeline.view_at(turn)
        if view is self.timeline.view:
            view = history.thaw(history.freeze(view), turn)
        return view

    def _moved_on(self, turn: int) -> ViewT | None:
        """The past view folded on, where that is nearer than a keyframe."""
        if self._past is None or self._turn is None or self._turn > turn:
            return None
        if self.timeline.chunk_bounds(turn)[0] > self._turn:
            return None
        view = self._past
        for record in self.timeline.records(self._turn, turn):
            fold(view, record)
        return view

    def _back(self, turn: int) -> bool:
        if turn < 0 or not self.turn:
            return False
        self.to(turn)
        return True
