"""What each event changes of a view: the map, the tests, the totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes import shown

if TYPE_CHECKING:
    from batchtui.engine.nodes.view import NodesView

MAX_ENDED = 100
"""Tests that are remembered after their end."""

_SHUT = (shown.EXCLUDED + shown.ABANDONED).encode()
_KNOWN = (shown.GOOD + shown.BAD + shown.CONTRADICTED).encode()


def _mark(view: NodesView, nodes: Iterable[int], letter: str, of: str) -> None:
    """Give those nodes a letter that have one ``of`` these now."""
    letters, fresh, mark, known = view.letters, view.fresh, ord(letter), of.encode()
    for node in nodes:
        before = letters[node]
        if before in known:
            letters[node] = mark
            fresh.setdefault(node, chr(before))
            if before in _SHUT:  # should nothing be known of it once more
                view.closed[node] = chr(before)


def _planned(view: NodesView, event: said.TestPlanned) -> None:
    if max(event.nodes) >= view.num_nodes:
        raise IndexError(f"a test of node {max(event.nodes)}")
    view.planned[event.test] = shown.planned_of(event)
    if event.attempt > 1:
        view.totals.repeated += 1
    else:
        view.totals.planned += 1
    _expect_more(view)


def _started(view: NodesView, event: said.TestStarted) -> None:
    test = view.planned.pop(event.test)
    view.running[event.test] = replace(test, lane=event.lane, started_at=event.at)


def _ended(view: NodesView, event: said.TestEnded) -> None:
    test = view.ended_now[event.test] = view.running.pop(event.test)
    view.ended.append(shown.ended_of(event, test))
    del view.ended[:-MAX_ENDED]
    totals = view.totals
    totals.made += 1
    totals.done += not event.again
    totals.passed += event.verdict == "pass"
    totals.failed += event.verdict == "fail"
    totals.inconclusive += event.verdict == "inconclusive"
    totals.votes += not event.counts
    totals.rounds = max(totals.rounds, test.round)
    totals.node_us += len(test.nodes) * event.duration_us
    _expect_more(view)


def _follows(view: NodesView, event: Event) -> None:
    if view.ended_now:
        view.ended[-1] = shown.with_consequence(view.ended[-1], event)


def _cleared(view: NodesView, event: said.NodesCleared) -> None:
    _mark(view, event.nodes, shown.GOOD, ".?-x#")
    _follows(view, event)


def _condemned(view: NodesView, event: said.NodeCondemned) -> None:
    _mark(view, (event.node,), shown.BAD, ".?-x+!")
    _follows(view, event)


def _suspects(view: NodesView, event: said.SuspectsChanged) -> None:
    _mark(view, event.named, shown.SUSPECT, shown.UNKNOWN)
    _mark(view, event.released, shown.UNKNOWN, shown.SUSPECT)


def _contradicted(view: NodesView, event: said.ContradictionFound) -> None:
    view.totals.contradictions += 1
    _mark(view, event.nodes, shown.CONTRADICTED, shown.GOOD)
    _follows(view, event)


def _resolved(view: NodesView, event: said.ContradictionsResolved) -> None:
    view.totals.contradictions -= len(event.tests)
    _mark(view, event.nodes, shown.GOOD, shown.CONTRADICTED)


def _reopened(view: NodesView, event: said.NodesReopened) -> None:
    for node in event.nodes:
        _mark(view, (node,), view.closed.pop(node, shown.UNKNOWN), "+#!")
    _follows(view, event)


def _overruled(view: NodesView, event: said.ResultsOverruled) -> None:
    view.totals.overruled += len(event.tests)
    _follows(view, event)


def _confirmed(view: NodesView, event: said.NodeConfirmed) -> None:
    view.totals.confirmed += 1
    _follows(view, event)


def _confirmation_began(view: NodesView, event: said.ConfirmationBegan) -> None:
    view.confirming = True
    view.totals.confirmations, view.totals.confirmed = event.time, 0


def _confirmation_ended(view: NodesView, event: said.ConfirmationEnded) -> None:
    view.confirming = False


def _abandoned(view: NodesView, event: said.NodeAbandoned) -> None:
    _mark(view, (event.node,), shown.ABANDONED, ".?")


def _excluded(view: NodesView, event: said.NodesExcluded) -> None:
    view.num_excluded += len(event.nodes)
    view.closed |= {n: shown.EXCLUDED for n in event.nodes if view.letters[n] in _KNOWN}
    _mark(view, event.nodes, shown.EXCLUDED, ".?")


def _refused(view: NodesView, event: said.TestRefused) -> None:
    view.totals.refused += 1


def _discarded(view: NodesView, event: said.ReplyDiscarded) -> None:
    view.totals.discarded += 1


def _estimated(view: NodesView, event: said.RateEstimated) -> None:
    view.rate = shown.rate_of(event)
    if view.over is None:  # a late reply may still come
        view.expected_tests = float(view.totals.planned + event.tests)
        view.expected_rounds = float(view.totals.rounds + event.rounds)


def _options_changed(view: NodesView, event: said.OptionsChanged) -> None:
    view.strategy, view.max_parallel, view.chosen = event.strategy, event.max_parallel, ""


def _chosen(view: NodesView, event: said.StrategyChosen) -> None:
    view.chosen = event.chosen


def _over(view: NodesView, event: said.SearchEnded) -> None:
    view.over = event.reason
    view.expected_tests = float(view.totals.planned)
    view.expected_rounds = float(view.totals.rounds)


def _expect_more(view: NodesView) -> None:
    """No fewer can be expected than there have been."""
    if view.expected_tests is not None and view.expected_rounds is not None:
        view.expected_tests = max(view.expected_tests, float(view.totals.planned))
        view.expected_rounds = max(view.expected_rounds, float(view.totals.rounds))


FOLDS: Mapping[type[Event], Callable[..., None]] = {
    said.TestPlanned: _planned,
    said.TestRefused: _refused,
    said.TestStarted: _started,
    said.TestEnded: _ended,
    said.ReplyDiscarded: _discarded,
    said.NodesCleared: _cleared,
    said.NodeCondemned: _condemned,
    said.SuspectsChanged: _suspects,
    said.ContradictionFound: _contradicted,
    said.ContradictionsResolved: _resolved,
    said.NodesReopened: _reopened,
    said.ResultsOverruled: _overruled,
    said.NodeConfirmed: _confirmed,
    said.ConfirmationBegan: _confirmation_began,
    said.ConfirmationEnded: _confirmation_ended,
    said.NodeAbandoned: _abandoned,
    said.NodesExcluded: _excluded,
    said.RateEstimated: _estimated,
    said.OptionsChanged: _options_changed,
    said.StrategyChosen: _chosen,
    said.SearchEnded: _over,
}
"""By the kind of the event."""
