"""Why a request ended: which stop, which limit, by whom, or what failed; and what it gave back."""

from __future__ import annotations

from batchtui.engine.batching import events as said
from batchtui.engine.batching.explain.endings import limit_words
from batchtui.engine.batching.explain.explanation import Question, Reason
from batchtui.engine.batching.explain.why_runs import failed_calls, why_admitted
from batchtui.engine.batching.explain.words import counted, moment, quoted, span


def why_ended(question: Question, event: said.RequestFinished) -> list[Reason]:
    """The reasons, from the end back to the beginning."""
    took = f"{span(max(0, event.at - event.arrival_us))} after its arrival"
    reasons = [
        Reason("why", _why(question, event)),
        Reason("when", f"step {event.step}, {moment(event.at)}, {took}"),
    ]
    if event.slot is None:
        steps = event.step - question.past[0].event.step
        reasons.append(Reason("ran", f"never: it had waited for {counted(steps, 'step')}"))
        return reasons
    back = f"{counted(event.blocks, 'block')} back, slot {event.slot} free"
    reasons.append(Reason("returned", back))
    if admitted := question.last(said.RequestAdmitted):
        reasons += why_admitted(question, *admitted)
    return reasons + failed_calls(question)


def _why(question: Question, event: said.RequestFinished) -> str:
    at = f"at token {event.output_tokens}"
    if event.finish_reason == "stop":
        return f"{_stop(event.stop_reason)} {at}{_limit(question)}"
    if event.finish_reason == "length":
        queued = question.queued
        words = "its limit"
        if queued is not None:
            words = limit_words(queued, question.story.request, question.view.kv_total)
        return f"length: {counted(event.output_tokens, 'token')}, all it may have ({words})"
    if event.finish_reason == "abort":
        return _abort(question, event)
    return event.error or "an error of which nothing is recorded"


def _stop(reason: str | int | None) -> str:
    if reason is None:
        return "the model said EOS"
    return f"stop token {reason}" if isinstance(reason, int) else f"stop string {quoted(reason)}"


def _limit(question: Question) -> str:
    queued = question.queued
    return f" of {queued.limit} at most" if queued is not None else ""


def _abort(question: Question, event: said.RequestFinished) -> str:
    """By whom: a deadline, a person at the screen, or whoever had asked for it."""
    so_far = f"after {counted(event.output_tokens, 'token')}"
    if event.stop_reason == "deadline":
        request = question.story.request
        due = request.deadline_us if request is not None else None
        given = f" of {span(due)}" if due is not None else ""
        return f"its deadline{given} had passed, {so_far}"
    aborted = question.story.aborted
    if aborted is None:
        return f"aborted, {so_far}"
    who = "by hand" if aborted.by_hand else f"by its {aborted.reason}"
    return f"aborted {who}, {so_far}"
