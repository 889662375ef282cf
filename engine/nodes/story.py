"""The stories of tests and of nodes: everything that happened to one, with its turns."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said

NEVER = 1 << 62
"""A turn after all others."""

EventT = TypeVar("EventT", bound=Event)


class Moment(msgspec.Struct, frozen=True):
    """Something that happened, and the turn in which it did."""

    turn: int
    event: said.EVENT


class Story(msgspec.Struct, eq=False, kw_only=True):
    """All that happened to one, in order."""

    moments: list[Moment] = []

    def as_of(self, turn: int) -> list[Moment]:
        """What had happened by a moment."""
        return [moment for moment in self.moments if moment.turn <= turn]

    def after(self, turn: int) -> list[Moment]:
        """What would still happen."""
        return [moment for moment in self.moments if moment.turn > turn]

    def last(self, kind: type[EventT], turn: int = NEVER) -> EventT | None:
        """The last of a kind by a moment."""
        for moment in reversed(self.moments):
            if moment.turn <= turn and isinstance(moment.event, kind):
                return moment.event
        return None


class TestStory(Story, kw_only=True):
    """A test: planned, begun, ended, and perhaps all of that again."""

    id: int
    nodes: tuple[int, ...]

    def ended(self, turn: int = NEVER) -> said.TestEnded | None:
        """Its last end by a moment, unless it is made again."""
        event = self.last(said.TestEnded, turn)
        return None if event is None or event.again else event

    def overruled(self, turn: int = NEVER) -> said.ResultsOverruled | None:
        """Who overruled what it said, by a moment."""
        return self.last(said.ResultsOverruled, turn)

    def is_vote(self, turn: int = NEVER) -> bool:
        """Whether it had ended by a moment as one that does not count, or not yet."""
        ended = self.ended(turn)
        return ended is not None and not ended.counts and not self.last(said.ResultsBelieved, turn)


class NodeStory(Story, kw_only=True):
    """A node: cleared, condemned, suspected and so on. ``tests`` are those that it was in, by id
    in the order of their planning."""

    node: int
    tests: list[int] = []
