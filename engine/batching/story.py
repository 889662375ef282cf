"""The story of one request: what was asked for, and everything that happened to it."""

from __future__ import annotations

import msgspec

from batchtui.engine.batching import events as said
from batchtui.engine.batching.request import Request
from batchtui.engine.machine import Aborted

NEVER = 1 << 62
"""A turn after all others."""


class Moment(msgspec.Struct, frozen=True, gc=False):
    """Something that happened to a request, and the turn in which it did."""

    turn: int
    event: said.EVENT


class Story(msgspec.Struct, eq=False):
    """All that happened to one request, in order. ``request`` is what was asked for, unless the
    recording has none; ``aborted`` is who no longer wanted it, ``place`` how many had been queued
    before it."""

    request_id: str
    request: Request | None = None
    aborted: Aborted | None = None
    place: int = -1
    moments: list[Moment] = []

    def as_of(self, turn: int) -> list[Moment]:
        """What had happened by a moment."""
        return [moment for moment in self.moments if moment.turn <= turn]

    def sat_in(self, slot: int, generation: int) -> bool:
        """Whether it was this one who had the slot in this generation."""
        return any(
            isinstance(each.event, said.RequestAdmitted)
            and (each.event.slot, each.event.generation) == (slot, generation)
            for each in self.moments
        )

    def after(self, turn: int) -> list[Moment]:
        """What would still happen."""
        return [moment for moment in self.moments if moment.turn > turn]
