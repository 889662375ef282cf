"""A request on its way: an ``Entry`` while it waits, a ``Sequence`` from admission on.

An entry is small, because a million may wait; what decoding needs is built when a slot is found. A
sequence is also the ``Row`` that a model sees.
"""

from __future__ import annotations

from collections import abc

import msgspec

from batchtui.engine.batching.policies import Key as QueueKey
from batchtui.engine.batching.request import Request, Result, SamplingParams, TokenLogprob
from batchtui.engine.batching.state import RequestState, advance
from batchtui.engine.batching.stops import Gate, State, Verdict
from batchtui.engine.model import Key


class Entry(msgspec.Struct, eq=False, gc=False):
    """A request that waits.

    ``limit`` is the longest output that it may have, ``num_blocks`` what is reserved for it at
    admission.
    """

    request: Request
    prompt_token_ids: abc.Sequence[int] | None
    num_prompt_tokens: int
    limit: int
    num_blocks: int
    key_in_queue: QueueKey | None = None

    @property
    def index(self) -> int:
        """The place in the workload."""
        return self.request.index

    @property
    def arrival_us(self) -> int:
        """When it arrived."""
        return self.request.arrival_us

    @property
    def priority(self) -> int:
        """Lower goes first."""
        return self.request.priority

    @property
    def tenant(self) -> str:
        """Whose it is."""
        return self.request.tenant


class Sequence:
    """A request in a slot.

    ``threshold`` is the next length of the output at which something happens besides one more
    token: the first token, an opening gate of ``min_tokens``, the limit. The decoder's loop
    compares with it alone. ``num_new`` is how many tokens of the prefix the model has not been
    given yet. ``state`` is the matcher's at admission and at the end; meanwhile the batch has it.
    """

    __slots__ = (
        "admitted_us",
        "deltas",
        "due",
        "empty_since",
        "entry",
        "first_token_us",
        "generation",
        "index",
        "key",
        "limit",
        "logprobs",
        "num_empty",
        "num_failures",
        "num_new",
        "num_prompt_tokens",
        "num_retries",
        "prompt_token_ids",
        "request_id",
        "slot",
        "state",
        "status",
        "threshold",
        "token_ids",
    )

    def __init__(self, entry: Entry, slot: int, generation: int, state: State, now: int) -> None:
        request = entry.request
        self.entry = entry
        self.request_id = request.request_id
        self.index = request.index
        self.slot = slot
        self.generation = generation
        self.key: Key = (slot, generation, request.request_id)
        self.limit = entry.limit
        self.prompt_token_ids = entry.prompt_token_ids
        self.num_prompt_tokens = entry.num_prompt_tokens
        self.token_ids: list[int] = []
        self.deltas: list[str] = []
        wants_logprobs = request.params.logprobs is not None
        self.logprobs: list[TokenLogprob] | None = [] if wants_logprobs else None
        self.state = state
        self.status = RequestState.PREFILL
        self.threshold = 1
        self.due = 0
        self.num_new = entry.num_prompt_tokens
        self.num_empty = self.num_failures = self.num_retries = 0
        self.empty_since = -1
        self.admitted_us = now
        self.first_token_us: int | None = None

    @property
    def params(self) -> SamplingParams:
        """How it is decoded."""
        return self.entry.request.params

    @property
    def num_computed_tokens(self) -> int:
        """How many tokens of the prefix the last applied call had already been given."""
        return self.num_prompt_tokens + len(self.token_ids) - self.num_new

    def cross(self) -> Gate | None:
        """Set the next threshold; returns the gate that the matcher goes on behind, if it
        changes."""
        if self.status is RequestState.PREFILL:
            self.status = advance(self.status, RequestState.DECODE)
        length, least = len(self.token_ids), self.entry.request.params.min_tokens
        if least == 0 or length > least:
            self.threshold = self.limit
            return None
        marks = (mark for mark in (least - 1, least) if length < mark < self.limit)
        self.threshold = min(marks, default=self.limit)
        return Gate.OPEN if length == least else Gate(length + 1 == least)

    def keep_logprobs(self, entries: list[TokenLogprob], count: int) -> None:
        """Keep those of the ``count`` tokens just taken, if they were asked for."""
        if self.logprobs is not None:
            self.logprobs += entries[:count]

    def result(self, now: int, verdict: Verdict) -> Result:
        """What the request came to."""
        logprobs = self.logprobs
        if logprobs is not None and len(logprobs) < len(self.token_ids):
            logprobs = None  # a call left some out, and nobody could say whose the others are
        return Result(
            request_id=self.request_id,
            index=self.index,
            text="".join(self.deltas),
            token_ids=self.token_ids,
            deltas=self.deltas,
            finish_reason=verdict.finish_reason,
            stop_reason=verdict.stop_reason,
            prompt_tokens=self.num_prompt_tokens,
            slot=self.slot,
            generation=self.generation,
            arrival_us=self.entry.arrival_us,
            admitted_us=self.admitted_us,
            first_token_us=self.first_token_us,
            finish_us=now,
            retries=self.num_retries,
            error=verdict.error,
            logprobs=logprobs,
            wants_logprobs=self.logprobs is not None,
        )


def unrun_result(request: Request, num_prompt_tokens: int, now: int, verdict: Verdict) -> Result:
    """The result of a request that never had a slot."""
    wants_logprobs = request.params.logprobs is not None
    return Result(
        request_id=request.request_id,
        index=request.index,
        text="",
        token_ids=[],
        deltas=[],
        finish_reason=verdict.finish_reason,
        stop_reason=verdict.stop_reason,
        prompt_tokens=num_prompt_tokens,
        slot=None,
        generation=None,
        arrival_us=request.arrival_us,
        admitted_us=None,
        first_token_us=None,
        finish_us=now,
        retries=0,
        error=verdict.error,
        logprobs=[] if wants_logprobs else None,
        wants_logprobs=wants_logprobs,
    )
