"""Why a request runs: when and why it was admitted, how far it is, where it ends at the latest."""

from __future__ import annotations

from itertools import islice

from batchtui.engine.batching import events as said
from batchtui.engine.batching.explain.endings import limit_words
from batchtui.engine.batching.explain.explanation import Question, Reason
from batchtui.engine.batching.explain.words import NAMED, counted, listed, quoted, span
from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.batching.shown import Ending, ShownSlot

_LOOK_BACK = 2_000
"""Endings that are looked through for the one before it in its slot."""

_FOLLOWS = {
    "retry": "made again whole",
    "halve": "made again in halves",
    "condemn": "this request was at fault",
    "drop": "nobody was left in it",
}


def why_runs(question: Question, turn: int, admitted: said.RequestAdmitted) -> list[Reason]:
    """The reasons, from its admission to its end."""
    slot = question.view.slots[admitted.slot]
    reasons = [*why_admitted(question, turn, admitted), *_progress(question, slot)]
    reasons.append(Reason("blocks", f"{admitted.blocks} reserved for prompt and longest output"))
    return reasons + failed_calls(question)


def why_admitted(question: Question, turn: int, admitted: said.RequestAdmitted) -> list[Reason]:
    """When it got its slot, and what had been in the way."""
    queued = question.queued
    steps = admitted.step - queued.step if queued is not None else 0
    waited = f", after {span(admitted.waited_us)}" if admitted.waited_us else ""
    waited += f" ({counted(steps, 'step')})" if steps else ""
    where = f"step {admitted.step} to slot {admitted.slot} gen {admitted.generation}{waited}"
    return [Reason("admitted", where), Reason("why then", _freed(question, turn, admitted))]


def _freed(question: Question, turn: int, admitted: said.RequestAdmitted) -> str:
    first = "it was the head of the queue"
    blocked = [event for _, event in question.all(said.RequestBlocked)]
    if blocked and blocked[-1].rule == "kv":
        return f"{first}, and {_blocks_back(question, turn, admitted)}"
    before = _before(question, turn, admitted)
    if before is None:
        return f"{first}, and slot {admitted.slot} was free"
    verb = "came free" if blocked or before.step >= admitted.step - 1 else "was free"
    left = f"{before.request_id} ended at step {before.step} ({before.finish_reason})"
    return f"{first}, and slot {admitted.slot} {verb}: {left}"


def _blocks_back(question: Question, turn: int, admitted: said.RequestAdmitted) -> str:
    """Whose blocks came back between its last trial and this one."""
    lately = [e for e in _endings(question, turn) if e.step >= admitted.step - 1 and e.blocks]
    if not lately:
        return f"{counted(admitted.blocks, 'block')} were free"
    told = [f"{each.blocks} of {each.request_id} ({each.finish_reason})" for each in lately]
    more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
    return f"blocks came back: {', '.join(told[:NAMED])}{more}; it took {admitted.blocks}"


def _before(question: Question, turn: int, admitted: said.RequestAdmitted) -> Ending | None:
    """Who sat in the slot before, if anybody."""
    if admitted.generation <= 1:
        return None
    endings = _endings(question, turn)
    return next((each for each in endings if each.slot == admitted.slot), None)


def _endings(question: Question, turn: int) -> list[Ending]:
    return list(islice(question.history.endings(turn), _LOOK_BACK))


def _progress(question: Question, slot: ShownSlot) -> list[Reason]:
    """How far it is, and what may end it."""
    queued, request = question.queued, question.story.request
    bound = limit_words(queued, request, question.view.kv_total) if queued is not None else ""
    prompt = f"its prompt of {counted(slot.num_prompt_tokens, 'token')} is still being read; "
    so_far = prompt if not slot.num_tokens else ""
    words = f"{so_far}{slot.num_tokens} of {counted(slot.limit, 'token')} ({bound})"
    reasons = [Reason("length", words)]
    params = request.params if request is not None else None
    if slot.held:
        reasons.append(Reason("held", _held(slot.held, params)))
    if params is not None:
        reasons.append(Reason("stops", _stops(params, slot)))
    reasons.append(Reason("ends", _latest(question, slot)))
    return reasons


def may_become(held: str, stops: tuple[str, ...]) -> list[str]:
    """The stops that the text which is held back is the beginning of."""
    # A character of which only some bytes are held shows as U+FFFD.
    known = held.rstrip("\ufffd")
    return [stop for stop in stops if stop.startswith(known) and stop != known]


def _held(held: str, params: SamplingParams | None) -> str:
    stops = may_become(held, params.stops) if params is not None else []
    if not stops:
        return f"{quoted(held)} is kept back: it may become a stop"
    names = listed([quoted(stop) for stop in stops])
    return f"{quoted(held)} is kept back: it may become stop {names}"


def _stops(params: SamplingParams, slot: ShownSlot) -> str:
    parts = [listed([quoted(stop) for stop in params.stops])] if params.stops else []
    if params.stop_token_ids:
        parts.append(f"tokens {listed([str(token) for token in params.stop_token_ids])}")
    parts += [] if params.ignore_eos else ["EOS"]
    words = ", ".join(parts) or "none: only its length ends it"
    if parts and slot.num_tokens < params.min_tokens:
        return f"{words}; none counts before token {params.min_tokens} (min_tokens)"
    return words


def _latest(question: Question, slot: ShownSlot) -> str:
    left = max(0, slot.limit - slot.num_tokens)
    is_to_come = question.view.phase in ("admit", "call")
    step = question.view.step + left - is_to_come
    return (
        f"at the latest after {counted(left, 'more token')}: at step {step} if each step brings one"
    )


def failed_calls(question: Question) -> list[Reason]:
    """The calls that failed with it in them, the last few."""
    failed = [event for _, event in question.all(said.CallFailed)]
    told = [Reason("calls", f"step {event.step}: {call_words(event)}") for event in failed[-4:]]
    if len(failed) > len(told):
        told.insert(0, Reason("calls", f"{len(failed)} failed with it in them; the last:"))
    return told


def call_words(event: said.CallFailed) -> str:
    """Which call failed, how, and what followed."""
    detail = f", {event.detail}" if event.detail else ""
    follows = _FOLLOWS.get(event.action, event.action)
    return f"call {event.work} failed: {event.fault}{detail}; {follows}"
