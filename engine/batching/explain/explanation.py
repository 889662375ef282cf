"""What an explanation is made of, and what it is asked about."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from batchtui.engine.batching.events import RequestQueued
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.story import Moment, Story
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger import explanation
from batchtui.engine.debugger.explanation import Reason
from batchtui.engine.machine import Event

__all__ = ["Explanation", "Question", "Reason"]

EventT = TypeVar("EventT", bound=Event)


class Explanation(explanation.Explanation, frozen=True, kw_only=True):
    """Why a request is in its state: ``waits``, ``runs``, ``ended``, ``refused`` or ``not yet``."""

    request_id: str


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
