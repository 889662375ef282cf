"""The residents as columns, in the order of their slots: what the inner loop runs over.

Columns change in place when somebody joins or leaves and persist from call to call otherwise. The
matcher state of a resident lives here, in ``states``; a sequence gets its own back when it leaves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import NamedTuple

from batchtui.engine.batching.sequence import Sequence
from batchtui.engine.batching.stops import Automaton, State
from batchtui.engine.model import Key


class Snapshot(NamedTuple):
    """Who the rows of a call are. Never changed, so that a call, its events and its output share
    it."""

    rows: list[Sequence]
    keys: list[Key]
    slots: list[int]

    @classmethod
    def of(cls, rows: list[Sequence]) -> Snapshot:
        """The columns of some rows."""
        return cls(
            rows,
            [row.key for row in rows],
            [row.slot for row in rows],
        )


class Batch:
    """Who is in the slots.

    ``version`` grows whenever somebody joins or leaves. ``num_speaking`` rows have an automaton
    that releases text; ``enders`` are the tokens that may end one of the others.
    """

    def __init__(self) -> None:
        self.version = 0
        self.rows: list[Sequence] = []
        self.slots: list[int] = []
        self.keys: list[Key] = []
        self.token_ids: list[list[int]] = []
        self.states: list[State] = []
        self.deltas: list[list[str]] = []
        self._mute: Counter[Automaton] = Counter()
        self._snapshot: Snapshot | None = None
        self.num_speaking = 0
        self.enders: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.rows)

    def join(self, row: Sequence) -> None:
        """Put a sequence into its place."""
        place = bisect_left(self.slots, row.slot)
        self.rows.insert(place, row)
        self.slots.insert(place, row.slot)
        self.keys.insert(place, row.key)
        self.token_ids.insert(place, row.token_ids)
        self.states.insert(place, row.state)
        self.deltas.insert(place, row.deltas)
        self._changed(row.state.automaton, 1)

    def leave(self, row: Sequence) -> None:
        """Take a sequence out, and give it its state back."""
        place = self.place(row)
        row.state = self.states[place]
        del self.rows[place], self.slots[place], self.keys[place]
        del self.token_ids[place], self.states[place], self.deltas[place]
        self._changed(row.state.automaton, -1)

    def place(self, row: Sequence) -> int:
        """Where a resident stands in the columns."""
        return bisect_left(self.slots, row.slot)

    def state(self, row: Sequence) -> State:
        """The matcher state of a resident."""
        return self.states[self.place(row)]

    def snapshot(self) -> Snapshot:
        """The columns that name the rows, as they are now; the same lists until that changes."""
        if self._snapshot is None:
            self._snapshot = Snapshot(list(self.rows), list(self.keys), list(self.slots))
        return self._snapshot

    def _changed(self, automaton: Automaton, number: int) -> None:
        self.version += 1
        self._snapshot = None
        if not automaton.mute:
            self.num_speaking += number
            return
        was_known = automaton in self._mute
        self._mute[automaton] += number
        if not self._mute[automaton]:
            del self._mute[automaton]
        if was_known != (automaton in self._mute):
            self.enders = frozenset().union(*(known.enders for known in self._mute))
