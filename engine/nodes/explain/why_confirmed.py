"""What a confirmation has said of a node: the votes on it, and the results that they overruled."""

from __future__ import annotations

from batchtui.engine.debugger.explanation import Reason
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.changes import tests_words
from batchtui.engine.nodes.explain.question import Question, at
from batchtui.engine.nodes.ledger import BAD


def votes(question: Question) -> list[Reason]:
    """Which tests confirm what it is called, and which said otherwise."""
    return _overruled(question) + _confirmed(question)


def reopened(question: Question) -> list[Reason]:
    """Since when nothing is known of it any more, where something was."""
    event = question.story.last(said.NodesReopened, question.turn)
    if event is None:
        return []
    words = f"at {at(event)}: what was known followed from results that were overruled"
    overruled = question.story.last(said.ResultsOverruled, question.turn)
    told = [Reason("open again", words)]
    return told if overruled is None else [Reason("votes", overruled_words(overruled)), *told]


def overruled_words(event: said.ResultsOverruled, otherwise: str = "") -> str:
    """``T3 was overruled: 3 of 4 votes``."""
    were = "was" if len(event.tests) == 1 else "were"
    said_so = f"{tests_words(event.tests)} {otherwise}{were} overruled"
    return f"{said_so}: {event.won} of {event.votes} votes"


def _confirmed(question: Question) -> list[Reason]:
    event = question.story.last(said.NodeConfirmed, question.turn)
    if event is None or event.bad != _is_bad(question):
        return []
    return [Reason("votes", f"confirmed by {tests_words(event.tests)}")]


def _overruled(question: Question) -> list[Reason]:
    """Where what was overruled last said the opposite of what is known."""
    event = question.story.last(said.ResultsOverruled, question.turn)
    if event is None or event.bad != _is_bad(question):
        return []
    return [Reason("votes", overruled_words(event, "said otherwise and "))]


def _is_bad(question: Question) -> bool:
    return question.ledger.status[question.node] == BAD
