"""Runs a recording again: the same machine is given the same inputs and must decide the same.

Nothing is called and nobody is waited for: answers come from the recording, times from its turns.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple, Protocol

import msgspec

from batchtui.engine.debugger.recording import Fact, TurnRecord
from batchtui.engine.machine import Event, Input, Machine


class Hears(Protocol):
    """Who is told what the vocabulary said: ``RecalledVocabulary``."""

    def hear(self, fact: Fact) -> None:
        """Take a fact in."""


class Difference(NamedTuple):
    """The first thing that came otherwise than it was recorded.

    ``turn`` counts from 1. ``recorded`` and ``came`` are the events that stand at one place; None
    where there is none. ``fields`` are those in which two events of one kind differ. ``why`` says
    in words what no event can say: that the machine raised, or could not have made this turn.
    """

    turn: int
    step: int
    phase: str
    recorded: Event | None = None
    came: Event | None = None
    fields: tuple[str, ...] = ()
    why: str = ""


class Replayed(NamedTuple):
    """How far a recording was run again, and where it came out otherwise, if it did."""

    num_turns: int
    num_events: int
    difference: Difference | None = None


class Replay:
    """A machine that is given what is recorded, turn by turn.

    Args:
        machine: a new one, made as the header says.
        vocabulary: what it asks; None where it asks none.
        forewarn: is told of each turn before the machine makes it.
    """

    def __init__(
        self,
        machine: Machine,
        vocabulary: Hears | None = None,
        forewarn: Callable[[TurnRecord], None] | None = None,
    ) -> None:
        self._machine = machine
        self._vocabulary = vocabulary
        self._forewarn = forewarn
        self.num_turns = 0
        self.num_events = 0

    def verify(self, turns: Iterable[TurnRecord]) -> Replayed:
        """Run turns again up to the first difference."""
        for difference in self.differences(turns):
            if difference is not None:
                return Replayed(self.num_turns, self.num_events, difference)
        return Replayed(self.num_turns, self.num_events)

    def differences(self, turns: Iterable[TurnRecord]) -> Iterator[Difference | None]:
        """For each turn None, or its difference: then the machine is another, and it ends there."""
        for record in turns:
            difference = self._turn(record)
            if difference is not None:
                yield difference
                return
            self.num_turns += 1
            self.num_events += len(record.events)
            yield None

    def _turn(self, record: TurnRecord) -> Difference | None:
        """Make one turn again."""
        if self._forewarn is not None:
            self._forewarn(record)
        try:
            for entry in record.entries:
                if isinstance(entry, Input):
                    self._machine.take(entry)
                elif self._vocabulary is not None and isinstance(entry, Fact):
                    self._vocabulary.hear(entry)
            step, status = self._machine.step, self._machine.status
            if status != "ready":
                return self._told(record, f"the machine is {status} and would make no turn")
            turn = self._machine.turn(record.at)
        except Exception as error:  # whatever a recording that was tampered with leads to
            return self._told(record, f"the machine raised {_place(error)}")
        if (step, turn.phase) != (record.step, record.phase):
            return self._told(record, f"the machine made step {step}, {turn.phase}")
        return self._compared(record, turn.events)

    def _compared(self, record: TurnRecord, came: list[Event]) -> Difference | None:
        recorded = record.events
        if recorded == came:
            return None
        for one, other in zip_longest(recorded, came):
            if one != other:
                place = self.num_turns + 1, record.step, record.phase
                return Difference(*place, one, other, _changed(one, other))
        return None

    def _told(self, record: TurnRecord, why: str) -> Difference:
        return Difference(self.num_turns + 1, record.step, record.phase, why=why)


def _changed(one: Event | None, other: Event | None) -> tuple[str, ...]:
    if one is None or type(one) is not type(other):
        return ()
    return tuple(
        field for field in one.__struct_fields__ if getattr(one, field) != getattr(other, field)
    )


def _place(error: Exception) -> str:
    """Type and place only: the message may hold a prompt."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1]
    file = last.filename.replace("\\", "/").rpartition("/")[2]
    return f"{type(error).__name__} at {file}:{last.lineno}"


def shown(event: Event, field: str) -> str:
    """The value of a field as JSON: what is in it is escaped by whoever shows it."""
    return msgspec.json.encode(getattr(event, field)).decode()
