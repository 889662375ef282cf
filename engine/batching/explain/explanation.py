"""What an explanation is made of, and what it is asked about."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec

from batchtui.engine.batching.events import RequestQueued
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.story import Moment, Story
from batchtui.engine.batching.view import BatchView
from batchtui.engine.machine import Event

EventT = TypeVar("EventT", bound=Event)


class Reason(msgspec.Struct, frozen=True):
    """One line of an explanation: a label of a word or two and what is to be said."""

    label: str
    words: str


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to *why*: ``title`` says what is so, ``reasons`` why, ``later`` what the recording
    knows of the time after, by step.

    ``state`` is ``waits``, ``runs``, ``ended``, ``refused`` or ``not yet``; ``step`` that of the
    moment.
    """

    request_id: str
    state: str
    title: str
    step: int
    reasons: list[Reason]
    later: list[Reason] = []


class Question(NamedTuple):
    """A request at a moment: its story, what of it had happened, and the view then."""

    story: Story
    past: list[Moment]
    turn: int
    view: BatchView
    history: BatchHistory

    @property
    def request_id(self) -> str:
        """Who is asked about."""
        return self.story.request_id

    @property
    def queued(self) -> RequestQueued | None:
        """How it came; None for one that was refused."""
        event = self.past[0].event
        return event if isinstance(event, RequestQueued) else None

    def all(self, kind: type[EventT]) -> list[tuple[int, EventT]]:
        """What of a kind had happened to it, with the turns."""
        return [(turn, event) for turn, event in self._pairs() if isinstance(event, kind)]

    def last(self, kind: type[EventT]) -> tuple[int, EventT] | None:
        """The last of a kind."""
        found = self.all(kind)
        return found[-1] if found else None

    def _pairs(self) -> list[tuple[int, Event]]:
        return [(moment.turn, moment.event) for moment in self.past]
