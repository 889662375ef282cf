"""Why a node is called good, or bad: the tests that prove it."""

from __future__ import annotations

from collections.abc import Iterator

from batchtui.engine.debugger.explanation import Reason
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.explain.question import Question, at
from batchtui.engine.nodes.explain.why_confirmed import votes
from batchtui.engine.nodes.ledger import Proof

MOST_LINES = 8
"""Lines about the other members of a failing test."""


def why_good(question: Question, proof: Proof) -> list[Reason]:
    """The test that it passed in, and what speaks against it."""
    nodes = question.ledger.tests[proof.test]
    cleared = question.story.last(said.NodesCleared, question.turn)
    reasons = [
        Reason("proof", f"T{proof.test} passed: {question.listed(nodes)}"),
        Reason("so", "a test passes only if every member is good"),
    ]
    if cleared is not None:
        reasons.append(Reason("since", at(cleared)))
    return reasons + _acquitted(question) + votes(question) + contradictions(question)


def why_bad(question: Question, proof: Proof) -> list[Reason]:
    """The test that it failed in, and for each other member the one that cleared it."""
    nodes, others = question.ledger.tests[proof.test], question.listed(proof.others)
    condemned = question.story.last(said.NodeCondemned, question.turn)
    reasons = [
        Reason(
            "proof", f"T{proof.test} failed{_how(question, proof.test)}: {_sum(question, nodes)}"
        ),
        *_alibis(question, proof),
        Reason("so", f"only {question.name} is left to blame: {others} passed elsewhere"),
    ]
    if condemned is not None:
        reasons.append(Reason("since", at(condemned)))
    more = [test for test in question.ledger.fails_of(question.node) if test != proof.test]
    if more:
        reasons.append(Reason("also", f"failed in {', '.join(f'T{t}' for t in more[:MOST_LINES])}"))
    return reasons + votes(question)


def contradictions(question: Question) -> list[Reason]:
    """The failing sets that it was in though every member passed elsewhere."""
    tests, node = question.ledger.tests, question.node
    return [
        reason
        for test in question.ledger.contradictions
        if node in tests[test]
        for reason in _contradiction(question, test)
    ]


def _contradiction(question: Question, test: int) -> Iterator[Reason]:
    nodes = question.ledger.tests[test]
    set_words, how = question.listed(nodes), _how(question, test)
    yield Reason("but", f"T{test} failed{how} though each member passed elsewhere: {set_words}")
    if len(nodes) == 2:
        yield Reason(
            "may be", f"the link between {' and '.join(question.history.names.all(nodes))}"
        )
    else:
        yield Reason("may be", f"a link between two of them, or what shows only with {len(nodes)}")
    yield Reason("or", "a node that fails now and then, or a false alarm: test the set once more")


def _acquitted(question: Question) -> list[Reason]:
    before = question.story.last(said.NodeCondemned, question.turn)
    if before is None:
        return []
    return [
        Reason("before", f"called bad by T{before.test} at step {before.step}; it passed since")
    ]


def _alibis(question: Question, proof: Proof) -> list[Reason]:
    """Who passed where: a line for each test that cleared some of the others."""
    cleared: dict[int, list[int]] = {}
    for node, test in proof.others.items():
        cleared.setdefault(test, []).append(node)
    told = [
        Reason("alibi", f"{question.listed(nodes)} passed in T{test} ({question.when(test)})")
        for test, nodes in cleared.items()
    ]
    if len(told) > MOST_LINES:
        more = len(told) - MOST_LINES
        told[MOST_LINES:] = [Reason("alibi", f"the others in {more:,} more tests")]
    return told


def _sum(question: Question, nodes: tuple[int, ...]) -> str:
    """The node, and those who were with it."""
    return f"{question.name} + {question.listed(question.others(nodes))}"


def _how(question: Question, test: int) -> str:
    story = question.history.test(test)
    ended = story.ended(question.turn) if story is not None else None
    return f" ({ended.reason.replace('_', ' ')})" if ended is not None and ended.reason else ""
