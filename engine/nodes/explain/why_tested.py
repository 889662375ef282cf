"""What a node is in at this moment: a test that runs or is planned, and what follows from it."""

from __future__ import annotations

from batchtui.engine.debugger.explanation import Reason
from batchtui.engine.debugger.words import span
from batchtui.engine.nodes.ballot import FAILS, PASSES
from batchtui.engine.nodes.explain.question import Question, either
from batchtui.engine.nodes.ledger import BAD, GOOD
from batchtui.engine.nodes.shown import ShownTest

_VOTES = (
    f"what was found is confirmed: a node is bad by {FAILS} failures, one with another each time, "
    f"and good by {PASSES} passes; a set that passes is good at once"
)


def why_tested(question: Question) -> list[Reason]:
    """Nothing, for a node that is in no test."""
    test = question.view.test_of(question.node)
    if test is None:
        return []
    others = question.listed(question.others(test.nodes))
    told = [
        Reason(*_place(question, test, others)),
        Reason("planned", f"round {test.round}: {test.why}"),
    ]
    if question.view.confirming:
        return [*told, Reason("then", _VOTES)]
    if question.ledger.status[question.node] == GOOD:
        return [*told, Reason("serves", "as a node that is known to be good")]
    return [
        *told,
        Reason("if passed", "it is good"),
        Reason("if failed", _if_failed(question, test)),
    ]


def _place(question: Question, test: ShownTest, others: str) -> tuple[str, str]:
    again = f", attempt {test.attempt}" if test.attempt > 1 else ""
    if test.lane < 0:
        return "next", f"T{test.id} is about to begin{again}, with {others}"
    for_now = span(question.view.now - test.started_at)
    most = span(question.history.config.timeout_us)
    return (
        "in test",
        f"T{test.id} ({test.letter}) for {for_now} of at most {most}{again}, with {others}",
    )


def _if_failed(question: Question, test: ShownTest) -> str:
    status = question.ledger.status
    others = [node for node in question.others(test.nodes) if status[node] != GOOD]
    if not others:
        return "it is bad: every other member is known to be good"
    bad = [node for node in others if status[node] == BAD]
    if bad:
        return f"nothing: {question.listed(bad)} is bad anyway"
    who = either([question.name, *question.history.names.all(others)])
    return f"one is bad at least: {who}"
