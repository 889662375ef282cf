"""Why a request waits: its place under the policy, who stands before it, what holds the head."""

from __future__ import annotations

from batchtui.engine.batching.events import RequestBlocked
from batchtui.engine.batching.explain.explanation import Question, Reason
from batchtui.engine.batching.explain.idleness import LOOK, behind, blocks_each, fitting, idle_slots
from batchtui.engine.batching.explain.passing import passed_by
from batchtui.engine.batching.explain.words import counted, listed, moment, named, slots, span
from batchtui.engine.batching.policies import Fcfs, Policy, Priority, name_of
from batchtui.engine.batching.shown import ShownBlockage, ShownSlot, ShownWaiting
from batchtui.engine.batching.view import BatchView


def why_waits(question: Question) -> list[Reason]:
    """The reasons, from its place to what comes of it."""
    view = question.view
    waiting = view.waiting[question.request_id]
    first = view.first_waiting(LOOK)
    place = place_of(waiting, view)
    ahead = listed([each.request_id for each in first[: place - 1]], place - 1)
    reasons = [
        Reason("place", f"{place:,} of {len(view.waiting):,} under {name_of(view.order)}"),
        Reason("key", key_words(waiting, view.order)),
        Reason("ahead", ahead or "nobody"),
    ]
    reasons += _at_head(question, waiting) if place == 1 else _behind(question, waiting, first[0])
    return reasons


def place_of(waiting: ShownWaiting, view: BatchView) -> int:
    """Where a request stands in the policy's order, from 1. Looks at the whole queue."""
    key = view.order.key
    own = key(waiting)
    return 1 + sum(key(each) < own for each in view.waiting.values())


def key_words(waiting: ShownWaiting, policy: Policy) -> str:
    """The key that orders it, with what its numbers mean where the policy is one of ours."""
    arrival = f"arrival {moment(waiting.arrival_us)}, {named(waiting.request_id)}"
    if type(policy) is Fcfs:
        return f"({arrival})"
    if type(policy) is Priority:
        return f"(priority {waiting.priority}, {arrival})"
    return str(policy.key(waiting))


def _at_head(question: Question, waiting: ShownWaiting) -> list[Reason]:
    view, blockage = question.view, question.view.blockage
    if blockage is None or blockage.request_id != waiting.request_id:
        words = "none yet: it has not been tried; the next admit phase does"
        return [Reason("rule", words), _arrived(question, waiting), _passed(question, waiting)]
    reasons = [Reason("rule", _rule(view, blockage)), *_holder(view, blockage)]
    reasons += [_held_since(question, waiting, blockage), _passed(question, waiting)]
    if blockage.rule == "kv":
        reasons += _idle(view)
    return reasons


def _behind(question: Question, waiting: ShownWaiting, head: ShownWaiting) -> list[Reason]:
    view, blockage = question.view, question.view.blockage
    rule = f"behind {named(head.request_id)}"
    if blockage is not None and blockage.request_id == head.request_id:
        rule += f", which is held: {_rule(view, blockage)}"
    else:
        rule += ", which goes first"
    reasons = [Reason("rule", rule)]
    if blockage is not None:
        reasons += _holder(view, blockage)
    reasons += [_arrived(question, waiting), _passed(question, waiting)]
    reasons += _itself(view, waiting)
    return reasons


def _rule(view: BatchView, blockage: ShownBlockage) -> str:
    """What the head is short of; blocks may have come back since it was tried."""
    if blockage.rule == "slots":
        num_slots = len([slot for slot in view.slots if not slot.retiring])
        now = len(idle_slots(view))
        return f"slots: all {num_slots} taken" + (f" ({now} free now)" if now else "")
    free = view.kv_free
    short = f"kv needs {counted(blockage.needed, 'block')}, {blockage.available} free"
    if free is None or free == blockage.available:
        return short
    return f"{short} ({free} now{': enough' * (free >= blockage.needed)})"


def _holder(view: BatchView, blockage: ShownBlockage) -> list[Reason]:
    """Who has most of the blocks, or whose slot is the next to be sure of."""
    residents = [slot for slot in view.slots if slot.is_resident]
    if blockage.rule == "kv":
        for slot in residents:
            if slot.request_id == blockage.blocker:
                words = f"{_resident(slot)}: {counted(slot.blocks, 'block')}, {_doing(slot)}"
                return [Reason("holder", words)]
        return [Reason("holder", f"{blockage.blocker}, which has ended since")]
    staying = [slot for slot in residents if not slot.retiring]
    if not staying:
        return []
    nearest = min(staying, key=lambda slot: slot.limit - slot.num_tokens)
    left = counted(nearest.limit - nearest.num_tokens, "token")
    return [Reason("holder", f"{_resident(nearest)} is nearest to its limit: {left} left at most")]


def _resident(slot: ShownSlot) -> str:
    return f"{named(slot.request_id)} in slot {slot.index}"


def _doing(slot: ShownSlot) -> str:
    if not slot.num_tokens:
        return f"still reads its prompt of {slot.num_prompt_tokens} tokens"
    return f"{slot.num_tokens} of {slot.limit} tokens"


def _held_since(question: Question, waiting: ShownWaiting, blockage: ShownBlockage) -> Reason:
    steps = question.view.step - blockage.since + 1
    events = [event for _, event in question.all(RequestBlocked)]
    began = [event.at for event in events if event.step == blockage.since]
    lasted = f", {span(question.view.now - began[0])}" if began else ""
    held = f"step {blockage.since} ({counted(steps, 'step')}{lasted})"
    return Reason("since", f"{held}; it arrived at step {waiting.queued_at}")


def _arrived(question: Question, waiting: ShownWaiting) -> Reason:
    waited = span(max(0, question.view.now - waiting.arrival_us))
    return Reason("since", f"step {waiting.queued_at}, when it arrived; {waited} so far")


def _passed(question: Question, waiting: ShownWaiting) -> Reason:
    found = passed_by([waiting], question.view, question.history, question.turn)
    count = found[waiting.request_id]
    who = f"{count:,} that arrived later" if count else "nobody that arrived later"
    return Reason("passed by", who)


def _itself(view: BatchView, waiting: ShownWaiting) -> list[Reason]:
    """Whether one that is not the head could run at once."""
    if not idle_slots(view):
        return []
    free = view.kv_free
    if fitting([waiting], free):
        return [Reason("would fit", f"now: a slot is free, and {_enough(waiting, free)}")]
    return [Reason("would fit", f"not either: it needs {waiting.blocks} kv blocks, {free} free")]


def _enough(waiting: ShownWaiting, free: int | None) -> str:
    return "blocks have no bound" if free is None else f"it needs {waiting.blocks} of {free} blocks"


def _idle(view: BatchView) -> list[Reason]:
    """Who could run in the slots that stand idle because of the head."""
    idle = [slot.index for slot in idle_slots(view)]
    if not idle:
        return []
    state = f"{slots(idle)} idle"
    if fitting(view.first_waiting(1), view.kv_free):
        return [Reason("so", f"{state}: blocks have come back, and the next admit phase sees it")]
    able = fitting(behind(view), view.kv_free)
    if not able:
        return [Reason("would fit", "nobody else"), Reason("so", f"{state}: blocks are short")]
    names = listed([each.request_id for each in able])
    return [
        Reason("would fit", f"now, behind it: {names} ({blocks_each(able)})"),
        Reason("so", f"{state}: head-of-line"),
    ]
