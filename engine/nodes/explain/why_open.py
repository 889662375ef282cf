"""Why nothing can be said of a node, yet or ever: its clauses, its tests, and what settles it."""

from __future__ import annotations

from batchtui.engine.debugger.explanation import Reason
from batchtui.engine.debugger.words import counted
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.changes import ENDINGS, TESTS
from batchtui.engine.nodes.explain.question import Question, at, either
from batchtui.engine.nodes.explain.why_confirmed import reopened
from batchtui.engine.nodes.ledger import BAD
from batchtui.engine.nodes.story import TestStory

_THIS = "it is this one that cannot be tested"

MOST_CLAUSES, MOST_TESTS = 4, 5


def why_open(question: Question) -> list[Reason]:
    """What is known, which is not enough, and what would be."""
    told = [*_clauses(question), *_explained(question)]
    told += [*reopened(question), *tests_so_far(question)]
    return [*told, *_settles(question)]


def why_excluded(question: Question) -> list[Reason]:
    """Since when it is not to be touched, and what was known of it."""
    event = question.story.last(said.NodesExcluded, question.turn)
    since = "it was excluded from the start" if event is None else f"by hand at {at(event)}"
    told = [Reason("excluded", since), Reason("so", "no test is planned with it")]
    return [*told, *_clauses(question), *tests_so_far(question)]


def why_abandoned(question: Question, event: said.NodeAbandoned) -> list[Reason]:
    """The test that could not be made, and when it was given up."""
    story = question.history.test(event.test)
    ended = story.ended(question.turn) if story is not None else None
    why = f" ({ended.reason.replace('_', ' ')})" if ended is not None and ended.reason else ""
    others = question.listed(question.others(story.nodes)) if story is not None else "good nodes"
    attempts = question.history.config.max_attempts
    return [
        Reason("proof", f"T{event.test} was inconclusive{why}, {counted(attempts, 'time')}"),
        Reason("alibi", f"whoever was with it ({others}) is known to be good: {_THIS}"),
        Reason("since", at(event)),
        *tests_so_far(question),
    ]


def tests_so_far(question: Question) -> list[Reason]:
    """The tests that it was in, the last few."""
    stories = question.history.tests_of(question.node, question.turn)
    told = [words for story in stories if (words := _test_words(question, story))]
    reasons = [Reason("tests", words) for words in told[-MOST_TESTS:]]
    if len(told) > MOST_TESTS:
        reasons.insert(0, Reason("tests", f"it was in {len(told)}; the last:"))
    return reasons or [Reason("tests", "it was in none that has ended")]


def _test_words(question: Question, story: TestStory) -> str:
    event = story.last(said.TestEnded, question.turn)
    if event is None:
        return ""
    others = question.others(story.nodes)
    reason = f" ({event.reason.replace('_', ' ')})" if event.reason else ""
    beside = f", with {question.listed(others)}"
    stands = ""
    if story.overruled(question.turn):
        stands = "; overruled"
    elif story.is_vote(question.turn):
        stands = "; not counted"
    return f"T{story.id} {TESTS[event.verdict]}{reason} at step {event.step}{beside}{stands}"


def _clauses(question: Question) -> list[Reason]:
    clauses = question.clauses()
    told = []
    for test, nodes in clauses[:MOST_CLAUSES]:
        who = either(question.history.names.all(nodes))
        told.append(Reason("clause", f"cannot tell: {who} (T{test} failed, the others are good)"))
        if len(nodes) == len(question.ledger.tests[test]):
            told[-1] = Reason("clause", f"cannot tell: {who} (T{test} failed)")
    if len(clauses) > MOST_CLAUSES:
        told.append(Reason("clause", f"and {len(clauses) - MOST_CLAUSES} more"))
    return told


def _explained(question: Question) -> list[Reason]:
    """Failing tests that it was in and need not answer for, since another node is bad."""
    told = []
    for test in question.ledger.fails_of(question.node):
        bad = [n for n in question.left(test) if question.ledger.status[n] == BAD]
        if bad:
            words = f"T{test} failed, but {question.listed(sorted(bad))} is bad: that explains it"
            told.append(Reason("cleared up", words))
    return told[:MOST_CLAUSES]


def _settles(question: Question) -> list[Reason]:
    ledger = question.ledger
    if ledger.num_good:
        told = [Reason("to settle", "one test with a node that is known to be good")]
    else:
        told = _hunt(question)
    if question.over is not None:
        told.append(Reason("but", f"the search is over: {ENDINGS[question.over]}"))
    return told


def _hunt(question: Question) -> list[Reason]:
    """Nobody is known to be good: how far the search for somebody is."""
    closed = question.history.closed(question.turn)
    here = [n for n in range(question.view.num_nodes) if n not in closed]
    num_pairs = len(here) * (len(here) - 1) // 2
    left = num_pairs - question.ledger.failed_pairs(here)
    if not num_pairs:
        return [Reason("never", "a test takes two nodes, and there are not two to be tested")]
    if not left:
        words = (
            f"every pair has failed: at most one of these {len(here)} is good, and no test tells"
        )
        return [Reason("never", words)]
    first = "nobody is known to be good: a pair that passes is wanted first"
    pairs = f"{left:,} of {counted(num_pairs, 'pair')} are left to try"
    more = f"{pairs}; if all fail, at most one node is good"
    return [Reason("to settle", first), Reason("pairs", more)]
