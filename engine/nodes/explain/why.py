"""Why a node is called good or bad, or nothing can be said of it, as of a moment.

From recorded events and what follows from the results that there were then, so the past is
explained as the present is. All words are plain text, names as they are: whoever shows them makes
them harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from batchtui.engine.debugger.explanation import Reason, shortened
from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes import shown
from batchtui.engine.nodes.changes import TESTS, tests_words
from batchtui.engine.nodes.explain.question import Explanation, Question
from batchtui.engine.nodes.explain.why_confirmed import overruled_words
from batchtui.engine.nodes.explain.why_known import why_bad, why_good
from batchtui.engine.nodes.explain.why_open import why_abandoned, why_excluded, why_open
from batchtui.engine.nodes.explain.why_tested import why_tested
from batchtui.engine.nodes.history import NodesHistory
from batchtui.engine.nodes.ledger import GOOD
from batchtui.engine.nodes.story import Moment
from batchtui.engine.nodes.view import NodesView

__all__ = ["Explanation", "Reason", "explain"]


def explain(
    node: int,
    turn: int,
    view: NodesView,
    history: NodesHistory,
    *,
    head: NodesView | None = None,
) -> Explanation | None:
    """Explain a node at a moment.

    Args:
        node: who.
        turn: the moment.
        view: what there was to see then.
        history: of the whole search.
        head: the view at the head where the moment is past, to say what is known of the time
            after; None says nothing of it.

    Returns:
        None where there is no such node.
    """
    if not 0 <= node < view.num_nodes:
        return None
    question = Question(node, turn, view, history, history.ledger(turn), history.node(node))
    state, title, reasons = _answer(question)
    return Explanation(
        node=question.name,
        state=state,
        title=title,
        step=view.step,
        reasons=reasons + why_tested(question),
        later=_later(question, head) if head is not None else [],
    )


def _answer(question: Question) -> tuple[str, str, list[Reason]]:
    name, letter = question.name, question.view.letter(question.node)
    proof = question.ledger.proof(question.node)
    if proof is not None and question.ledger.status[question.node] == GOOD:
        doubt = ", but a set of good nodes failed" if letter == shown.CONTRADICTED else ""
        return "good", f"{name} is good{doubt}", why_good(question, proof)
    if proof is not None:
        return "bad", f"{name} is bad", why_bad(question, proof)
    if abandoned := question.story.last(said.NodeAbandoned, question.turn):
        return "abandoned", f"{name} was given up", why_abandoned(question, abandoned)
    if letter == shown.EXCLUDED:
        return "excluded", f"{name} is excluded", why_excluded(question)
    if letter == shown.SUSPECT:
        return "undetermined", f"{name} may be bad", why_open(question)
    return "undetermined", f"nothing is known of {name}", why_open(question)


def _later(question: Question, head: NodesView) -> list[Reason]:
    """What happened after the moment, and what is so at the head."""
    told = [
        Reason(f"step {each.event.step}", words)
        for each in _moments_after(question)
        if (words := _event_words(each.event))
    ]
    letter = head.letter(question.node)
    at_head = [Reason(f"step {head.step}", _AT_HEAD[letter])] if letter in _AT_HEAD else []
    return shortened(told) + at_head


def _moments_after(question: Question) -> Iterator[Moment]:
    """Of the node and of its tests, in the order in which they come."""
    turn, history = question.turn, question.history
    moments = question.story.after(turn)
    for story in history.tests_of(question.node):
        moments += story.after(turn)
    each_once = {moment.event.seq: moment for moment in moments}
    return iter([each_once[seq] for seq in sorted(each_once)])


def _event_words(event: Event) -> str:
    words = _WORDS.get(type(event))
    return words(event) if words is not None else ""


def _confirmed_words(event: said.NodeConfirmed) -> str:
    return f"confirmed as {'bad' if event.bad else 'good'} by {tests_words(event.tests)}"


def _ended_words(event: said.TestEnded) -> str:
    reason = f" ({event.reason.replace('_', ' ')})" if event.reason else ""
    return f"T{event.test} {TESTS[event.verdict]}{reason}{', made again' if event.again else ''}"


_WORDS: dict[type, Callable[[Any], str]] = {
    said.TestEnded: _ended_words,
    said.NodesCleared: lambda event: f"cleared by T{event.test}",
    said.NodeCondemned: lambda event: f"condemned by T{event.test}",
    said.ContradictionFound: lambda event: f"T{event.test} has nobody left to blame",
    said.NodeConfirmed: _confirmed_words,
    said.ResultsOverruled: overruled_words,
    said.ContradictionsResolved: lambda event: "in no contradiction any more",
    said.NodesReopened: lambda event: "open again",
    said.NodeAbandoned: lambda event: f"given up after T{event.test}",
    said.NodesExcluded: lambda event: "excluded",
}

_AT_HEAD = {
    shown.UNKNOWN: "nothing is known of it",
    shown.SUSPECT: "still cannot be told",
}
