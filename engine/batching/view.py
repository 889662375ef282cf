"""What a screen shows of a batching machine: a bounded fold over its events.

The same live and recorded. It holds the living, the last hundred that ended, totals, and what the
current step changed; when the next step begins, what belonged to the last one is dropped. The cost
of an event does not depend on how many wait.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from batchtui.engine.batching import events as said
from batchtui.engine.batching import shown
from batchtui.engine.batching.policies import Policy, known_policy, name_of
from batchtui.engine.batching.queue import Queue
from batchtui.engine.machine import Event

MAX_TEXT = 4096
"""Characters of a stream that are kept: more than the widest screen has room for."""

MAX_ENDED = 100
"""Requests that are remembered after their end."""

MAX_OF_A_KIND = 20
"""Events of one kind that are kept for a step; a burst of arrivals is counted, not listed."""


class BatchView(msgspec.Struct, kw_only=True, dict=True):
    """The slots, the queue, what the last step changed, and the totals.

    Equal views have equal encoded bytes. The queue's index is no part of them: after decoding, call
    ``order_by`` before folding on. ``policy`` is the name of the queue's order; ``given_up`` are
    the generations of the slots that are gone, that of the nearest one last.
    """

    slots: list[shown.ShownSlot]
    kv_total: int | None = None
    kv_used: int = 0
    step: int = 0
    phase: str = ""
    now: int = 0
    waiting: dict[str, shown.ShownWaiting] = {}
    blockage: shown.ShownBlockage | None = None
    changed: list[said.EVENT] = []
    this_step: shown.StepTotals = msgspec.field(default_factory=shown.StepTotals)
    totals: shown.RunTotals = msgspec.field(default_factory=shown.RunTotals)
    ended: list[shown.Ending] = []
    policy: str = ""
    given_up: list[int] = []

    @classmethod
    def empty(
        cls,
        num_slots: int,
        kv_total: int | None,
        policy: Policy,
        policies: Callable[[str], Policy] = known_policy,
    ) -> BatchView:
        """The view before anything has happened."""
        slots = [shown.ShownSlot(index=index, free_since=0) for index in range(num_slots)]
        view = cls(slots=slots, kv_total=kv_total, policy=name_of(policy))
        view.order_by(policy, policies)
        return view

    def order_by(self, policy: Policy, policies: Callable[[str], Policy] = known_policy) -> None:
        """Say which policy orders the waiting requests; an index is made when one is wanted.

        ``policies`` makes others by their names, should the order change.
        """
        self._policy, self._policies = policy, policies
        self._queue: Queue[shown.Ranked] | None = None
        self._ranked: dict[str, shown.Ranked] = {}
        # The slots that the next step finds otherwise than it should: few, where a reply was short.
        self._touched = [
            slot.index
            for slot in self.slots
            if slot.state == shown.ENDED or slot.num_dropped or slot.fresh != len(slot.text)
        ]
        self._spoken: list[shown.ShownSlot] = []  # those that text came for in this step

    @property
    def order(self) -> Policy:
        """What orders the waiting requests at this moment."""
        return self._policy

    @property
    def num_resident(self) -> int:
        """How many slots are taken."""
        return sum(slot.is_resident for slot in self.slots)

    @property
    def kv_free(self) -> int | None:
        """Blocks left; None where there is no bound."""
        return None if self.kv_total is None else self.kv_total - self.kv_used

    def first_waiting(self, count: int) -> list[shown.ShownWaiting]:
        """The first ``count`` waiting requests, in the policy's order."""
        if self._queue is None:
            self._queue = Queue(self._policy)
            for waiting in self.waiting.values():
                self._rank(waiting)
        return [ranked.waiting for ranked in self._queue.first(count)]

    def _rank(self, waiting: shown.ShownWaiting) -> None:
        if self._queue is not None:
            ranked = self._ranked[waiting.request_id] = shown.Ranked(waiting)
            self._queue.push(ranked)

    def reach(self, step: int, phase: str, now: int) -> None:
        """Note where the run is: a turn that decided nothing has no event that would say so."""
        if step > self.step:
            self._begin_step()
        self.step, self.phase, self.now = step, phase, now

    def fold(self, event: Event) -> None:
        """Take one event in."""
        if event.step > self.step:
            self._begin_step()
            self.step = event.step
        self.phase, self.now = event.phase, event.at
        kind = type(event)
        take = _FOLDS.get(kind)
        if take is not None:
            take(self, event)
        if kind not in _COLUMNS:
            self._note(event)

    def _begin_step(self) -> None:
        self.changed, self.this_step = [], shown.StepTotals()
        for slot in self._spoken:
            slot.fresh = len(slot.text)
        slots, touched, self._spoken, self._touched = self.slots, self._touched, [], []
        for index in touched:
            if index >= len(slots):  # the slot is gone
                continue
            slot = slots[index]
            if slot.state == shown.ENDED:
                slots[index] = shown.ShownSlot(
                    index=index,
                    generation=slot.generation,
                    free_since=self.step + 1,
                    retiring=slot.retiring,
                )
                continue
            slot.fresh = len(slot.text)
            slot.num_dropped = 0
        self._give_up()

    def _give_up(self) -> None:
        """Drop the last slots as far as they are too many and empty."""
        while self.slots and self.slots[-1].retiring and self.slots[-1].state == shown.FREE:
            self.given_up.append(self.slots.pop().generation)

    def _note(self, event: Any) -> None:  # Any: a view may be told any event, and lists its own
        kind, told = type(event).__name__, self.this_step.said
        count = told[kind] = told.get(kind, 0) + 1
        if count <= MAX_OF_A_KIND:
            self.changed.append(event)

    def _queued(self, event: said.RequestQueued) -> None:
        self.totals.arrived += 1
        waiting = shown.waiting_of(event)
        self.waiting[event.request_id] = waiting
        self._rank(waiting)

    def _left_queue(self, request_id: str) -> shown.ShownWaiting | None:
        waiting = self.waiting.pop(request_id, None)
        if waiting is not None and self._queue is not None:
            self._queue.remove(self._ranked.pop(request_id))
        if self.blockage is not None and self.blockage.request_id == request_id:
            self.blockage = None
        return waiting

    def _refused(self, event: said.RequestRefused) -> None:
        self.totals.refused += 1

    def _blocked(self, event: said.RequestBlocked) -> None:
        old = self.blockage
        same = old is not None and (old.request_id, old.rule) == (event.request_id, event.rule)
        self.blockage = shown.ShownBlockage(
            request_id=event.request_id,
            rule=event.rule,
            blocker=event.blocker,
            needed=event.needed,
            available=event.available,
            since=old.since if old is not None and same else event.step,
        )

    def _admitted(self, event: said.RequestAdmitted) -> None:
        self.totals.admitted += 1
        self.kv_used += event.blocks
        waited = self._left_queue(event.request_id)
        self.slots[event.slot] = shown.ShownSlot(
            index=event.slot,
            generation=event.generation,
            request_id=event.request_id,
            state=shown.PREFILL,
            num_prompt_tokens=waited.num_prompt_tokens if waited else 0,
            limit=waited.limit if waited else 0,
            blocks=event.blocks,
            entered_at=event.step,
            changed_at=event.step,
        )

    def _called(self, event: said.CallStarted) -> None:
        self.totals.calls += 1
        this_step, num_rows = self.this_step, len(event.slots)
        this_step.rows = max(this_step.rows, num_rows)
        if this_step.called_at is None:
            this_step.called_at = event.at

    def _call_failed(self, event: said.CallFailed) -> None:
        self.totals.failed_calls += 1
        self.totals.returned += event.num_tokens
        self.totals.discarded += event.num_tokens

    def _discarded(self, event: said.RowsDiscarded) -> None:
        num_tokens = sum(event.num_tokens)
        self.totals.returned += num_tokens
        self.totals.discarded += num_tokens
        self.totals.dropped_rows += len(event.slots)
        for index, generation in zip(event.slots, event.generations, strict=True):
            if index >= len(self.slots):  # the slot is gone
                continue
            slot = self.slots[index]
            slot.num_dropped += generation != slot.generation or not slot.is_resident
            self._touched.append(index)

    def _applied(self, event: said.TokensApplied) -> None:
        if event.counts is None and not event.held:
            self._one_token_each(event)
        else:
            counts = event.counts if event.counts is not None else [1] * len(event.slots)
            for index, count in zip(event.slots, counts, strict=True):
                slot = self.slots[index]
                slot.num_tokens += count
                slot.held = event.held.get(index, "")
                state = shown.HELD if slot.held else shown.DECODE
                if state != slot.state and slot.num_tokens:
                    slot.state, slot.changed_at = state, event.step
        num_tokens, this_step, totals = len(event.tokens), self.this_step, self.totals
        this_step.tokens += num_tokens
        this_step.replied_at = event.at
        totals.kept += num_tokens
        totals.returned += num_tokens + event.surplus
        if event.surplus:
            this_step.surplus += event.surplus
            totals.discarded += event.surplus

    def _one_token_each(self, event: said.TokensApplied) -> None:
        """What nearly every reply is: then nothing else changes where one decodes already."""
        slots = self.slots
        for index in event.slots:
            slot = slots[index]
            slot.num_tokens += 1
            if slot.state != "D":
                slot.state, slot.changed_at, slot.held = shown.DECODE, event.step, ""

    def _finished(self, event: said.RequestFinished) -> None:
        ending = shown.ending_of(event)
        self.totals.finished += 1
        reasons = self.totals.reasons
        reasons[event.finish_reason] = reasons.get(event.finish_reason, 0) + 1
        self.ended.append(ending)
        del self.ended[:-MAX_ENDED]
        if event.slot is None:
            self._left_queue(event.request_id)
            return
        slot = self.slots[event.slot]
        slot.state, slot.changed_at, slot.held, slot.ending = shown.ENDED, event.step, "", ending
        self._touched.append(event.slot)
        self.kv_used -= event.blocks

    def _texts(self, event: said.TextDelivered) -> None:
        self.this_step.deltas += len(event.texts)
        slots, num_slots, speaks = self.slots, len(self.slots), self._spoken.append
        for (index, generation, _), text in zip(event.keys, event.texts, strict=True):
            # What an aborted request released comes after its slot may have been given away, or up.
            if index >= num_slots or (slot := slots[index]).generation != generation:
                continue
            speaks(slot)
            whole = slot.text + text
            if len(whole) > MAX_TEXT:
                slot.fresh = max(0, slot.fresh - len(whole) + MAX_TEXT)
                whole = whole[-MAX_TEXT:]
            slot.text = whole

    def _options_changed(self, event: said.OptionsChanged) -> None:
        for slot in self.slots:
            is_kept = slot.index < event.max_num_seqs
            if slot.retiring and is_kept and slot.state == shown.FREE:
                slot.free_since = event.step
            slot.retiring = not is_kept
        for index in range(len(self.slots), event.max_num_seqs):
            generation = self.given_up.pop() if self.given_up else 0
            self.slots.append(
                shown.ShownSlot(index=index, generation=generation, free_since=event.step)
            )
        self._give_up()
        if event.policy != self.policy:
            self.policy = event.policy
            self.order_by(self._policies(event.policy), self._policies)


_FOLDS: dict[type[Event], Callable[..., None]] = {
    said.RequestQueued: BatchView._queued,
    said.RequestRefused: BatchView._refused,
    said.RequestBlocked: BatchView._blocked,
    said.RequestAdmitted: BatchView._admitted,
    said.CallStarted: BatchView._called,
    said.CallFailed: BatchView._call_failed,
    said.RowsDiscarded: BatchView._discarded,
    said.TokensApplied: BatchView._applied,
    said.RequestFinished: BatchView._finished,
    said.TextDelivered: BatchView._texts,
    said.OptionsChanged: BatchView._options_changed,
}

# One each a call, with a column for every row: they are told by their totals.
_COLUMNS = frozenset({said.TokensApplied, said.TextDelivered})
