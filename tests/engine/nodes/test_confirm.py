"""Searches that are confirmed: right in spite of tests that lie, at a price, and never for ever."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.nodes.film import Film, config, liar
from tests.engine.nodes.play import SECOND, Played, lying, play, scripted, truth

from batchtui.engine.machine import Failure
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.ballot import FAILS
from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.confirm import Confirmation, to_confirm
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.probe import GroupTest, Verdict
from batchtui.engine.nodes.shown import CONTRADICTED, GOOD
from batchtui.engine.nodes.strategies.named import STRATEGIES

RUNS = 20
VERDICTS: tuple[Verdict, ...] = ("pass", "fail", "fail", "inconclusive")
EVERY = pytest.mark.parametrize("strategy", sorted(STRATEGIES.keys() - {"fastest"}))


def num_exact(num_nodes: int, num_bad: int, strategy: str, *, confirms: bool) -> int:
    """In how many of the runs exactly the bad nodes are named, at 1 % alarms and 5 % misses."""
    exact = 0
    for seed in range(RUNS):
        bad = Random(f"{num_nodes} {num_bad} {seed}").sample(range(num_nodes), num_bad)
        played = play(
            num_nodes,
            lying(bad, 0.01, 0.05, seed),
            strategy,
            confirms=confirms,
            seed=seed,
            observed=False,
        )
        findings = played.report.findings
        exact += findings.bad == sorted(bad) and not findings.undetermined
    return exact


@pytest.mark.parametrize(("num_nodes", "num_bad"), [(64, 3), (256, 13)])
def test_it_names_exactly_the_bad_ones_though_tests_lie(num_nodes: int, num_bad: int) -> None:
    assert num_exact(num_nodes, num_bad, "fewest-tests", confirms=True) >= 0.95 * RUNS
    assert num_exact(num_nodes, num_bad, "fewest-tests", confirms=False) <= 0.75 * RUNS


@EVERY
def test_every_strategy_is_right_once_it_is_confirmed(strategy: str) -> None:
    confirmed = num_exact(64, 6, strategy, confirms=True)
    assert confirmed >= 0.95 * RUNS
    assert confirmed > num_exact(64, 6, strategy, confirms=False)


def test_false_alarms_alone_accuse_nobody_in_the_end() -> None:
    for seed in range(RUNS):
        bad = {*Random(seed).sample(range(64), 3)}
        played = play(64, lying(bad, 0.03, 0, seed), confirms=True, seed=seed)
        assert {*played.report.findings.bad} == bad


@EVERY
@settings(max_examples=20)
@given(data=st.data())
def test_where_no_test_lies_the_verdict_is_the_same(strategy: str, data: st.DataObject) -> None:
    num_nodes = data.draw(st.integers(1, 30))
    bad = data.draw(st.sets(st.integers(0, num_nodes - 1)))
    lanes = data.draw(st.integers(1, 15))
    plain, confirmed = (
        play(num_nodes, bad, strategy, confirms=confirms, max_parallel=lanes)
        for confirms in (False, True)
    )
    assert confirmed.report.findings == plain.report.findings
    assert confirmed.report.ended == plain.report.ended
    assert not confirmed.said(said.ResultsOverruled)
    assert len(confirmed.said(said.ConfirmationBegan)) == bool(plain.report.findings.good)
    if len(plain.report.findings.good) > FAILS:
        told = {event.node for event in confirmed.said(said.NodeConfirmed) if event.bad}
        assert told == bad


@EVERY
@settings(max_examples=40)
@given(data=st.data())
def test_it_ends_whatever_the_probe_says(strategy: str, data: st.DataObject) -> None:
    num_nodes = data.draw(st.integers(1, 14))
    verdicts = data.draw(st.lists(st.sampled_from(VERDICTS), min_size=1, max_size=30))
    rng = Random(data.draw(st.integers(0, 99)))
    nodes = st.lists(st.integers(0, num_nodes - 1), max_size=2).map(tuple)
    changes = st.tuples(
        st.integers(0, 900).map(lambda seconds: seconds * SECOND),
        st.builds(NodesOptions, exclude=nodes, strategy=st.sampled_from([None, *STRATEGIES])),
    )
    played = play(
        num_nodes,
        scripted(verdicts),
        strategy,
        duration=lambda test, passed: rng.randrange(SECOND, 100 * SECOND),
        options=sorted(data.draw(st.lists(changes, max_size=3)), key=lambda each: each[0]),
        max_parallel=data.draw(st.integers(1, 7)),
        confirms=True,
        most_tests=4 * (num_nodes * num_nodes * 4 + 20) + 3 * 20 * num_nodes,
    )
    assert played.report.ended is not None
    assert len(played.said(said.ConfirmationBegan)) <= 3


@given(st.integers(0, 999), st.integers(2, 9))
def test_votes_are_with_distinct_nodes_that_are_known_to_be_good(seed: int, lanes: int) -> None:
    """Unless fewer are good than votes are taken."""
    film = Film(config(20, max_parallel=lanes, confirms=True), liar({3, 7, 11}, seed, 0.05, 0.1))
    good_at: list[str] = []
    film.checks.append(lambda film: good_at.append(film.view.letters.decode()))
    film.run()
    names, asked = film.history.names, defaultdict[tuple[int, str], list[int]](list)
    time = 0
    for record, letters in zip(film.records, good_at, strict=True):
        for event in record.events:
            time += isinstance(event, said.ConfirmationBegan)
            if isinstance(event, said.TestPlanned) and event.why.startswith("vote "):
                node = names.find(event.why.split()[-1])
                (anchor,) = {*event.nodes} - {node}
                assert letters[anchor] in GOOD + CONTRADICTED
                asked[time, event.why.split()[-1]] += [anchor] if event.attempt == 1 else []
    for anchors in asked.values():
        assert len({*anchors}) == len(anchors)


@pytest.mark.parametrize("bad", [{0, 1, 2, 3}, {0, 1, 2}])
def test_where_nobody_is_good_nobody_votes(bad: set[int]) -> None:
    played = play(4, bad, confirms=True)
    assert not played.said(said.ConfirmationBegan)
    assert played.report.findings.at_most_one_good


@EVERY
@settings(max_examples=25)
@given(data=st.data())
def test_a_link_between_two_good_nodes_accuses_neither(strategy: str, data: st.DataObject) -> None:
    num_nodes = data.draw(st.integers(12, 40))
    nodes = st.integers(0, num_nodes - 1)
    link = data.draw(st.sets(nodes, min_size=2, max_size=2))
    bad = data.draw(st.sets(nodes, max_size=num_nodes // 6)) - link
    played = play(num_nodes, lying(bad, 0, 0, 0, link), strategy, confirms=True)
    assert {*played.report.findings.bad} == bad
    assert not played.report.findings.undetermined


def confirming(played: Played) -> int:
    return int(played.said(said.ConfirmationBegan)[0].at)


@pytest.mark.parametrize("late", range(0, 121, 20))
@pytest.mark.parametrize("shut", [(5,), (0, 1, 2), (5, 6), (20, 21, 30)])
def test_nodes_are_excluded_in_the_middle_of_a_confirmation(
    shut: tuple[int, ...], late: int
) -> None:
    """One on a ballot, good ones that vote, or members of sets: the others go on."""
    at = confirming(play(40, {5, 17}, confirms=True)) + late * SECOND
    played = play(40, {5, 17}, options=[(at, NodesOptions(exclude=shut))], confirms=True)
    assert not any({*shut} & {*test.nodes} for began, test in played.begun if began > at)
    assert played.report.findings.bad == [5, 17]
    told = {event.node for event in played.said(said.NodeConfirmed) if event.bad}
    assert told >= {5, 17} - {*shut}
    passed = {node for test in sets(played) for node in test}
    assert passed >= {*range(40)} - {5, 17} - {*shut}


def sets(played: Played) -> Iterator[tuple[int, ...]]:
    """Those good nodes that were tested once more."""
    for event in played.said(said.TestPlanned):
        if event.why == "are the good ones good?":
            yield event.nodes


def test_a_vote_that_proved_nothing_goes_to_another_when_its_node_is_excluded() -> None:
    """Whoever is asked first does not answer, and is excluded before it is asked again."""
    tells, slow = truth({5}), list[GroupTest]()

    def oracle(test: GroupTest) -> Verdict | Failure:
        is_vote = 5 in test.nodes and len(test.nodes) == 2 and test.id > began
        if is_vote and not slow:
            slow.append(test)
            return "inconclusive"
        return tells(test)

    began = play(12, {5}).report.tests
    at = confirming(play(12, {5}, confirms=True))
    play(12, oracle, confirms=True)
    (anchor,) = {*slow[0].nodes} - {5}
    slow.clear()
    shut = [(at + 20 * SECOND, NodesOptions(exclude=(anchor,)))]
    played = play(12, oracle, options=shut, confirms=True)
    assert [event.node for event in played.said(said.NodeConfirmed)] == [5]


def test_each_good_node_is_in_a_set_of_each_partition() -> None:
    played = play(100, {1, 2, 50}, confirms=True)
    together = [node for test in sets(played) for node in test]
    assert sorted(together) == sorted([*{*range(100)} - {1, 2, 50}] * 2)
    assert all(2 <= len(test) <= 16 for test in sets(played))


def test_few_good_nodes_are_cut_in_two_that_each_half_may_vote_on_the_other() -> None:
    """Node 3 passed once by chance; it fails from then on."""
    tells, misses = truth({3}), iter([True])

    def oracle(test: GroupTest) -> Verdict | Failure:
        return "pass" if 3 in test.nodes and next(misses, False) else tells(test)

    played = play(8, oracle, confirms=True)
    assert played.report.findings.bad == [3]
    assert {event.node for event in played.said(said.NodeConfirmed) if event.bad} == {3}


def test_a_set_that_fails_once_and_then_passes_puts_nobody_on_a_ballot() -> None:
    alarms = iter([True])

    def oracle(test: GroupTest) -> Verdict:
        is_again = played_tests < test.id
        return "fail" if is_again and next(alarms, False) else "pass"

    played_tests = play(40, set()).report.tests
    played = play(40, oracle, confirms=True)
    assert not played.said(said.NodeConfirmed)
    assert not played.said(said.ResultsOverruled)
    assert len(played.said(said.ConfirmationBegan)) == 1


def test_what_it_expects_is_what_it_takes_where_nothing_lies() -> None:
    played = play(64, {3, 4}, confirms=True)
    plain = play(64, {3, 4})
    more = to_confirm(62, 2)
    assert played.report.tests - plain.report.tests <= more.tests
    rates = played.said(said.RateEstimated)
    assert rates[0].tests > plain.said(said.RateEstimated)[0].tests
    assert rates[-1].tests == 0


def test_the_same_seed_draws_the_same_votes() -> None:
    board = Board(NodesConfig(inventory=numbered(40)))
    board.ledger.add(1, range(39), "pass")
    board.ledger.add(2, (38, 39), "fail")
    one, same, other = (Confirmation(board, Random(seed)).propose(20) for seed in (1, 1, 2))
    assert one == same != other
