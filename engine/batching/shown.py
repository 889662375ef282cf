"""What a view holds: plain structs, so that two views are equal when their encoded bytes are.

Nothing here decides anything; ``view.py`` fills it from events, renderables read it.
"""

from __future__ import annotations

import msgspec

from batchtui.engine.batching import events as said
from batchtui.engine.batching.policies import Key

FREE, PREFILL, DECODE, HELD, ENDED = ".", "P", "D", "H", "F"
"""The states of a slot, each its own letter."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How a request ended, and when."""

    request_id: str
    slot: int | None
    finish_reason: str
    stop_reason: str | int | None
    error: str | None
    output_tokens: int
    blocks: int
    arrival_us: int
    at: int
    step: int


class ShownSlot(msgspec.Struct, kw_only=True):
    """A slot, its resident if it has one, and what the current step did to it.

    Attributes:
        state: ``FREE`` to ``ENDED``; an ended request is shown until the next step begins.
        text: the end of what was delivered; from ``fresh`` on it is new in this step.
        held: the text that is kept back because it may be the beginning of a stop string.
        entered_at, changed_at: the steps of the admission and of the last change of ``state``.
        free_since: the first step in which the slot was free; None while it is not.
        num_dropped: rows that came for a former resident in this step, and were dropped.
        retiring: whether there are too many slots, and this one goes when it is empty.
    """

    index: int
    generation: int = 0
    request_id: str = ""
    state: str = FREE
    num_prompt_tokens: int = 0
    num_tokens: int = 0
    limit: int = 0
    blocks: int = 0
    text: str = ""
    fresh: int = 0
    held: str = ""
    entered_at: int | None = None
    changed_at: int | None = None
    free_since: int | None = None
    num_dropped: int = 0
    ending: Ending | None = None
    retiring: bool = False

    @property
    def is_resident(self) -> bool:
        """Whether somebody sits in it."""
        return self.state in (PREFILL, DECODE, HELD)


class ShownWaiting(msgspec.Struct, frozen=True, kw_only=True):
    """A request that waits; a ``Candidate``, so the policy's own key can order it."""

    request_id: str
    index: int
    num_prompt_tokens: int
    limit: int
    blocks: int
    arrival_us: int
    priority: int
    tenant: str
    queued_at: int


class Ranked(msgspec.Struct, eq=False):
    """A waiting request in a queue of the view's own."""

    waiting: ShownWaiting
    key_in_queue: Key | None = None

    @property
    def index(self) -> int:
        """The place in the workload."""
        return self.waiting.index

    @property
    def arrival_us(self) -> int:
        """When it arrived."""
        return self.waiting.arrival_us

    @property
    def priority(self) -> int:
        """Lower goes first."""
        return self.waiting.priority

    @property
    def tenant(self) -> str:
        """Whose it is."""
        return self.waiting.tenant

    @property
    def num_prompt_tokens(self) -> int:
        """How long its prompt is."""
        return self.waiting.num_prompt_tokens


class ShownBlockage(msgspec.Struct, frozen=True, kw_only=True):
    """Why the head of the queue does not run, and since which step the same rule has held it."""

    request_id: str
    rule: str
    blocker: str
    needed: int
    available: int
    since: int


class StepTotals(msgspec.Struct, kw_only=True):
    """What the current step came to, where one line a thing would be too many.

    ``said`` counts the notable events by kind, those included that were not kept.
    """

    said: dict[str, int] = {}
    rows: int = 0
    tokens: int = 0
    surplus: int = 0
    deltas: int = 0
    called_at: int | None = None
    replied_at: int | None = None


class RunTotals(msgspec.Struct, kw_only=True):
    """What has been counted since the run began.

    Tokens: ``returned == kept + discarded``. ``reasons`` counts the finished by ``finish_reason``.
    """

    arrived: int = 0
    admitted: int = 0
    finished: int = 0
    refused: int = 0
    calls: int = 0
    failed_calls: int = 0
    returned: int = 0
    kept: int = 0
    discarded: int = 0
    dropped_rows: int = 0
    reasons: dict[str, int] = {}


def waiting_of(event: said.RequestQueued) -> ShownWaiting:
    """The request that an event says to wait."""
    return ShownWaiting(
        request_id=event.request_id,
        index=event.index,
        num_prompt_tokens=event.prompt_tokens,
        limit=event.limit,
        blocks=event.blocks,
        arrival_us=event.arrival_us,
        priority=event.priority,
        tenant=event.tenant,
        queued_at=event.step,
    )


def ending_of(event: said.RequestFinished) -> Ending:
    """The end that an event says."""
    return Ending(
        request_id=event.request_id,
        slot=event.slot,
        finish_reason=event.finish_reason,
        stop_reason=event.stop_reason,
        error=event.error,
        output_tokens=event.output_tokens,
        blocks=event.blocks,
        arrival_us=event.arrival_us,
        at=event.at,
        step=event.step,
    )
