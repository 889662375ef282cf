"""Why a request waits, runs or has ended, as of a moment: from recorded events and the policy.

Nothing is asked of the machine, so the past is explained as the present is. All words are plain
text, ids and stops as they are: whoever shows them makes them harmless.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from batchtui.engine.batching import events as said
from batchtui.engine.batching.explain.endings import ending_words
from batchtui.engine.batching.explain.explanation import Explanation, Question, Reason
from batchtui.engine.batching.explain.why_ended import why_ended
from batchtui.engine.batching.explain.why_runs import call_words, why_runs
from batchtui.engine.batching.explain.why_waits import why_waits
from batchtui.engine.batching.explain.words import counted, moment, span
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.story import Moment, Story
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.explanation import MAX_LATER, shortened

__all__ = ["MAX_LATER", "Explanation", "Reason", "explain"]


def explain(
    request_id: str,
    turn: int,
    view: BatchView,
    history: BatchHistory,
    *,
    head: BatchView | None = None,
) -> Explanation | None:
    """Explain the request that has this id at a moment, had it before, or will have it.

    Args:
        request_id: who.
        turn: the moment.
        view: what there was to see then.
        history: of the whole run.
        head: the view at the head where the moment is past, to say what is known of the time
            after; None says nothing of it.

    Returns:
        None where nothing of this id was ever recorded.
    """
    story = history.story(request_id, turn)
    if story is None:
        return None
    question = Question(story, story.as_of(turn), turn, view, history)
    state, title, reasons = _answer(question)
    later = _later(story, turn, head) if head is not None else []
    return Explanation(
        request_id=request_id,
        state=state,
        title=title,
        step=view.step,
        reasons=reasons,
        later=later,
    )


def _answer(question: Question) -> tuple[str, str, list[Reason]]:
    name = question.request_id
    if not question.past:
        return "not yet", f"{name} has not arrived yet", [_arrives(question)]
    if refused := question.last(said.RequestRefused):
        event = refused[1]
        return "refused", f"{name} was refused: {event.code}", _refused(event)
    if finished := question.last(said.RequestFinished):
        title = f"{name} ended: {ending_words(finished[1])}"
        return "ended", title, why_ended(question, finished[1])
    if admitted := question.last(said.RequestAdmitted):
        title = f"{name} runs in slot {admitted[1].slot}"
        return "runs", title, why_runs(question, *admitted)
    return "waits", f"{name} waits", why_waits(question)


def _arrives(question: Question) -> Reason:
    event = question.story.moments[0].event
    steps = event.step - question.view.step
    ahead = f", {counted(steps, 'step')} on" if steps > 0 else ", later in this step"
    refused = " and is refused" if isinstance(event, said.RequestRefused) else ""
    return Reason("arrives", f"at step {event.step}, {moment(event.at)}{ahead}{refused}")


def _refused(event: said.RequestRefused) -> list[Reason]:
    return [
        Reason("code", event.code),
        Reason("why", event.message),
        Reason("when", f"step {event.step}, {moment(event.at)}: it never waited"),
    ]


def _later(story: Story, turn: int, head: BatchView) -> list[Reason]:
    """What happened after the moment, and what is so at the head."""
    told: list[Reason] = []
    last = None
    for each in story.after(turn):
        kind = type(each.event)
        if not (kind is said.RequestBlocked and last is kind):
            told.append(_happened(each))
        last = kind
    return shortened(told) + _at_head(story, head)


def _happened(each: Moment) -> Reason:
    return Reason(f"step {each.event.step}", _event_words(each.event))


def _event_words(event: Any) -> str:  # Any: the table has each by its own type
    words = _WORDS.get(type(event))
    return words(event) if words is not None else type(event).__name__


def _blocked_words(event: said.RequestBlocked) -> str:
    if event.rule == "slots":
        return "first in the queue, and no slot is free"
    return f"first in the queue: kv needs {event.needed}, {event.available} free"


def _admitted_words(event: said.RequestAdmitted) -> str:
    waited = f" after {span(event.waited_us)}" if event.waited_us else ""
    return f"admitted to slot {event.slot} gen {event.generation}{waited}"


def _finished_words(event: said.RequestFinished) -> str:
    return f"ended: {ending_words(event)} ({counted(event.output_tokens, 'token')})"


_WORDS: dict[type, Callable[[Any], str]] = {
    said.RequestQueued: lambda event: "arrives and waits",
    said.RequestRefused: lambda event: f"refused: {event.code}",
    said.RequestBlocked: _blocked_words,
    said.RequestAdmitted: _admitted_words,
    said.RequestFinished: _finished_words,
    said.CallFailed: call_words,
    said.RowsDiscarded: lambda event: f"a row of call {event.work} came {event.reason}: dropped",
}


def _at_head(story: Story, head: BatchView) -> list[Reason]:
    """What a request that lives to the end of the recording does there."""
    last = next((m.event for m in reversed(story.moments) if isinstance(m.event, _TURNS)), None)
    if isinstance(last, said.RequestAdmitted) and last.slot < len(head.slots):
        slot = head.slots[last.slot]
        return [Reason(f"step {head.step}", f"running, {slot.num_tokens} of {slot.limit} tokens")]
    if isinstance(last, said.RequestQueued):
        return [Reason(f"step {head.step}", "still waits")]
    return []


_TURNS = (said.RequestQueued, said.RequestAdmitted, said.RequestFinished, said.RequestRefused)
