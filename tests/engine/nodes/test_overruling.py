"""What votes do to the ledger, that it is told, and how often a search is confirmed."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import Any

import pytest
from tests.engine.nodes.film import PASS_US, Film, config, faultless, liar, scripted
from tests.engine.nodes.play import play
from tests.engine.nodes.test_view import agrees

from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.confirm import MOST_TIMES
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.ledger import Ledger
from batchtui.engine.nodes.probe import GroupTest, ProbeResult
from batchtui.engine.nodes.shown import SUSPECT, UNKNOWN

A, B, C, D, E = range(5)


def told(film: Film, *kinds: type[Event]) -> list[Any]:  # of these kinds, whatever their fields
    return [e for record in film.records for e in record.events if isinstance(e, kinds)]


@pytest.fixture
def alarmed() -> Film:
    """T1 (a, b) and T2 (c, d) pass, T3 (a, e) fails by chance: e is condemned. T4 and T5 acquit
    it."""
    plan = [[[A, B], [C, D]], [[A, E]]]
    film = Film(
        config(5, strategy="plan", plan=plan, confirms=True), scripted("pass", "pass", "fail")
    )
    film.checks.append(agrees)
    return film.run()


def test_a_node_that_a_false_alarm_condemned_is_acquitted(alarmed: Film) -> None:
    assert alarmed.view.letters.decode() == "+++++"
    (overruled,) = told(alarmed, said.ResultsOverruled)
    assert (overruled.node, overruled.bad, overruled.tests) == (E, False, (3,))
    assert (overruled.won, overruled.votes) == (2, 3)
    cleared = [(e.nodes, e.acquitted) for e in told(alarmed, said.NodesCleared)]
    assert ((E,), (E,)) in cleared


def test_what_was_overruled_is_believed_no_more_and_the_winning_votes_are(alarmed: Film) -> None:
    tests = alarmed.search.state.board.ledger.tests
    assert 3 not in tests
    (confirmed,) = (e for e in told(alarmed, said.NodeConfirmed) if e.node == E and e.votes == 3)
    assert not confirmed.bad
    assert {*confirmed.tests} <= {*tests}
    assert alarmed.history.ledger(alarmed.turn).tests == tests


def test_after_results_were_overruled_it_is_searched_and_confirmed_once_more(alarmed: Film) -> None:
    stages = told(alarmed, said.ConfirmationBegan, said.ConfirmationEnded)
    assert [getattr(each, "time", None) for each in stages] == [1, None, 2, None]
    assert [getattr(each, "overruled", None) for each in stages] == [None, True, None, False]


def test_votes_count_when_their_ballot_is_over_and_sets_at_once() -> None:
    film = Film(config(8, "anchor", confirms=True), faultless({2})).run()
    ended = {e.test: e for e in told(film, said.TestEnded)}
    believed = [e.tests for e in told(film, said.ResultsBelieved)]
    assert all(not ended[test].counts for tests in believed for test in tests)
    assert [len(tests) for tests in believed if ended[tests[0]].verdict == "fail"] == [2]


def missed(seed: int) -> Film:
    """Many nodes with four bad ones, and a probe that misses many of them."""
    strategy = ("fewest-tests", "fewest-rounds")[seed % 2]
    lies = liar({1, 7, 13, 25}, seed, 0.02, 0.2)
    film = Film(config(26, strategy, confirms=True, seed=seed), lies)
    film.checks.append(agrees)
    return film


def test_what_followed_from_a_missed_node_is_open_again_and_found_out_anew() -> None:
    """Over some seeds: each event happens, and the view and the history agree after every turn."""
    seen = Counter[type]()
    for seed in range(30):
        film, known = missed(seed), list[Ledger]()
        while len(film.records) == len(known):
            known.append(deepcopy(film.search.state.board.ledger))
            film.run(1)
        seen.update(type(event) for record in film.records for event in record.events)
        assert film.view.count(UNKNOWN, SUSPECT) == 0
        for turn, ledger in reversed([*enumerate(known)]):
            found = film.history.ledger(turn)
            assert (found.status, found.tests) == (ledger.status, ledger.tests)
            assert found.contradictions == ledger.contradictions
    for kind in (
        said.ResultsOverruled,
        said.NodesReopened,
        said.ContradictionFound,
    ):
        assert seen[kind], f"no {kind.__name__} in any of the runs"


def test_a_contradiction_is_none_any_more_once_somebody_is_to_blame() -> None:
    """T1 (a, b, c, d) passes by a miss, so T2 (c, d) contradicts it; votes find that c is bad."""
    plan = [[[A, B, C, D], [4, 5, 6, 7]], [[C, D]]]
    tells, lies = faultless({C}), iter([True])

    def answer(test: GroupTest) -> ProbeResult:
        result = tells(test)
        assert isinstance(result, ProbeResult)
        is_missed = C in test.nodes and next(lies, False)
        return ProbeResult(verdict="pass", seconds=PASS_US / 1e6) if is_missed else result

    film = Film(config(8, strategy="plan", plan=plan, confirms=True), answer)
    film.checks.append(agrees)
    film.run(7)
    assert film.view.letters.decode() == "++!!++++"
    assert film.view.totals.contradictions == 1
    film.run()
    assert film.view.letters.decode() == "++#+++++"
    assert film.view.totals.contradictions == 0
    (resolved,) = told(film, said.ContradictionsResolved)
    assert (resolved.tests, resolved.nodes) == ((3,), (C, D))


def test_it_is_confirmed_no_more_than_so_many_times() -> None:
    played = play(12, lambda test: "pass" if test.id % 3 else "fail", confirms=True)
    assert len(played.said(said.ConfirmationBegan)) <= MOST_TIMES
    assert played.search.state.confirmation is None


def test_it_is_not_begun_where_no_test_would_end_in_time() -> None:
    played = play(8, {2}, confirms=True, timeout_us=120_000_000, time_budget_us=200_000_000)
    assert not played.said(said.ConfirmationBegan)


def test_it_is_broken_off_when_there_is_no_more_time() -> None:
    plain = play(64, {2})
    budget = int(plain.report.makespan_s * 1e6) + 130_000_000
    played = play(64, {2}, confirms=True, timeout_us=120_000_000, time_budget_us=budget)
    assert len(played.said(said.ConfirmationBegan)) == 1
    assert [event.overruled for event in played.said(said.ConfirmationEnded)] == [False]
    assert played.report.findings.bad == [2]
    assert played.report.makespan_s * 1e6 <= budget


def test_it_is_not_confirmed_unless_that_was_asked_for() -> None:
    assert not NodesConfig(inventory=numbered(2)).confirms
    played = play(8, {2})
    assert not played.said(said.ConfirmationBegan)
    assert all(event.counts for event in played.said(said.TestEnded))
