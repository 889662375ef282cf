"""What a batching machine says: one frozen event for everything it decides.

Tokens are columns: one ``TokensApplied`` and one ``TextDelivered`` a call, whatever the number of
rows. ``EVENT`` is the tagged union that recordings decode with.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from batchtui.engine.batching.config import MAX_NUM_SEQS
from batchtui.engine.machine import Count, Event


class RequestQueued(Event, frozen=True, kw_only=True):
    """A request was accepted and waits. It needs ``blocks`` KV blocks."""

    request_id: str
    index: Count
    prompt_tokens: Count
    limit: Count
    blocks: Count
    arrival_us: Count
    priority: int
    tenant: str


class RequestRefused(Event, frozen=True, kw_only=True):
    """A request was turned away unrun. ``code`` is ``duplicate_id``, ``context_length_exceeded`` or
    ``encoding_failed``."""

    request_id: str
    index: Count
    code: str
    message: str


class RequestBlocked(Event, frozen=True, kw_only=True):
    """The head of the queue does not run; written when the reason changes.

    ``rule`` is ``slots`` or ``kv``; ``blocker`` the resident that holds most of the blocks that are
    short, "" for slots.
    """

    request_id: str
    index: Count
    rule: str
    blocker: str
    needed: Count
    available: Count


class RequestAdmitted(Event, frozen=True, kw_only=True):
    """A request got a slot: its generation grew, and ``blocks`` were reserved."""

    request_id: str
    index: Count
    slot: Count
    generation: Count
    blocks: Count
    waited_us: Count


class CallStarted(Event, frozen=True, kw_only=True):
    """A model call began. ``slots`` are its rows; ``attempt`` is 1 for the first of a step."""

    work: Count
    slots: list[Count]
    attempt: Count
    num_prefills: Count
    prefill_tokens: Count


class CallFailed(Event, frozen=True, kw_only=True):
    """A call raised, ran out of time, or its reply was refused whole.

    ``action`` says what follows: ``retry``, ``halve``, ``condemn`` the one request that is left, or
    ``drop``, since nobody is. ``num_tokens`` came with the reply that was refused.
    """

    work: Count
    fault: str
    detail: str
    action: str
    slots: list[Count]
    num_tokens: Count


class RowsDiscarded(Event, frozen=True, kw_only=True):
    """Rows came back that belong to nobody in the batch any more.

    Columns: one place for each row. ``reason`` is ``late`` (the work was given up or had been
        answered) or
    ``stale`` (the request had left its slot).
    """

    work: Count
    reason: str
    slots: list[Count]
    generations: list[Count]
    request_ids: list[str]
    num_tokens: list[Count]


class TokensApplied(Event, frozen=True, kw_only=True):
    """A reply was applied.

    Columns: ``slots`` and, flat, ``tokens``; ``counts`` is None where every row got one. ``held``
        maps a
    slot to the text that is kept back there (no entry: none). ``surplus`` tokens came after an end.
    """

    work: Count
    slots: list[Count]
    counts: list[Count] | None
    tokens: list[int]
    held: dict[Count, str]
    surplus: Count


class RequestFinished(Event, frozen=True, kw_only=True):
    """A request ended; its slot and blocks are free. ``slot`` is None for one that never ran."""

    request_id: str
    index: Count
    slot: Count | None
    generation: Count | None
    finish_reason: str
    stop_reason: str | Count | None
    error: str | None
    output_tokens: Count
    blocks: Count
    arrival_us: Count


class TextDelivered(Event, frozen=True, kw_only=True):
    """Text went out. Columns: who (slot, generation, id), and at most one delta each."""

    keys: list[tuple[Count, Count, str]]
    texts: list[str]


class ResultsDelivered(Event, frozen=True, kw_only=True):
    """Finished requests were handed over."""

    request_ids: list[str]


class ListenerFailed(Event, frozen=True, kw_only=True):
    """The callback of a request raised; the others got theirs."""

    request_id: str
    error: str


class OptionsChanged(Event, frozen=True, kw_only=True):
    """The number of slots or the order of the queue is another from here on; both are said.

    ``retiring`` are slots that are no longer wanted and are given up when their residents leave.
    """

    max_num_seqs: Annotated[int, msgspec.Meta(ge=1, le=MAX_NUM_SEQS)]
    policy: str
    retiring: list[Count]


class FaultInjected(Event, frozen=True, kw_only=True):
    """Somebody asked for a fault of this ``kind`` at the next model call."""

    kind: str


EVENT = (
    RequestQueued
    | RequestRefused
    | RequestBlocked
    | RequestAdmitted
    | CallStarted
    | CallFailed
    | RowsDiscarded
    | TokensApplied
    | RequestFinished
    | TextDelivered
    | ResultsDelivered
    | ListenerFailed
    | OptionsChanged
    | FaultInjected
)
