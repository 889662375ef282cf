"""What every strategy must keep to, whatever the nodes are and whatever the probe says."""

from __future__ import annotations

import itertools
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.nodes.play import (
    SECOND,
    Duration,
    assert_right,
    inventory,
    play,
    scripted,
    truth,
)

from batchtui.engine.machine import Failure
from batchtui.engine.nodes.events import NodesCleared, RateEstimated
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.probe import GroupTest, Verdict
from batchtui.engine.nodes.strategies.named import STRATEGIES

VERDICTS: tuple[Verdict, ...] = ("pass", "fail", "fail", "inconclusive")
EVERY = pytest.mark.parametrize("strategy", STRATEGIES)

# Making one rehearses the others, which takes its time; it goes on as one of them anyhow.
SLOW = {"fastest"}
QUICK = pytest.mark.parametrize("strategy", sorted(STRATEGIES.keys() - SLOW))


def _all_configurations(strategy: str, num_nodes: int, lanes: int | None = None) -> None:
    for is_bad in itertools.product((False, True), repeat=num_nodes):
        bad = {node for node, wrong in enumerate(is_bad) if wrong}
        assert_right(
            play(num_nodes, bad, strategy, observed=False, max_parallel=lanes), num_nodes, bad
        )


@EVERY
@pytest.mark.parametrize("num_nodes", range(1, 6))
def test_every_configuration_of_few_nodes_is_told(strategy: str, num_nodes: int) -> None:
    _all_configurations(strategy, num_nodes)


@QUICK
@pytest.mark.parametrize("num_nodes", [6, 7, 8, 9])
def test_every_configuration_of_nine_nodes_is_told(strategy: str, num_nodes: int) -> None:
    _all_configurations(strategy, num_nodes)


@EVERY
def test_one_lane_is_enough(strategy: str) -> None:
    _all_configurations(strategy, 5, lanes=1)


@pytest.mark.soak
@pytest.mark.parametrize("strategy", sorted(SLOW))
@pytest.mark.parametrize("num_nodes", [6, 7, 8, 9])
def test_every_configuration_of_nine_nodes_is_told_in_time(strategy: str, num_nodes: int) -> None:
    _all_configurations(strategy, num_nodes)


def _ragged(seed: int) -> Duration:
    rng = Random(seed)
    return lambda test, passed: rng.randrange(1 * SECOND, 100 * SECOND)


@QUICK
@settings(max_examples=25)
@given(data=st.data())
def test_unequal_times_few_lanes_and_priors_change_no_verdict(
    strategy: str, data: st.DataObject
) -> None:
    num_nodes = data.draw(st.integers(2, 24))
    bad = data.draw(st.sets(st.integers(0, num_nodes - 1)))
    priors = data.draw(
        st.lists(st.sampled_from((0.1, 1.0, 30.0)), min_size=num_nodes, max_size=num_nodes)
    )
    lanes = data.draw(st.integers(1, 12))
    played = play(
        inventory(priors),
        bad,
        strategy,
        duration=_ragged(data.draw(st.integers(0, 99))),
        max_parallel=lanes,
    )
    assert_right(played, num_nodes, bad)
    assert played.most_at_once <= lanes


@QUICK
@settings(max_examples=40)
@given(data=st.data())
def test_it_ends_whatever_the_probe_says(strategy: str, data: st.DataObject) -> None:
    num_nodes = data.draw(st.integers(1, 14))
    verdicts = data.draw(st.lists(st.sampled_from(VERDICTS), min_size=1, max_size=30))
    played = play(
        num_nodes,
        scripted(verdicts),
        strategy,
        duration=_ragged(data.draw(st.integers(0, 99))),
        options=_changes(data, num_nodes),
        max_parallel=data.draw(st.integers(1, 7)),
        most_tests=num_nodes * num_nodes * 4 + 20,
    )
    assert played.report.ended is not None


def _changes(data: st.DataObject, num_nodes: int) -> list[tuple[int, NodesOptions]]:
    """Nodes excluded, and the strategy changed, while tests run."""
    nodes = st.lists(st.integers(0, num_nodes - 1), max_size=2).map(tuple)
    named = st.sampled_from([None, *sorted(STRATEGIES.keys() - SLOW)])
    options = st.builds(NodesOptions, strategy=named, exclude=nodes)
    times = st.integers(0, 300).map(lambda seconds: seconds * SECOND)
    changes = data.draw(st.lists(st.tuples(times, options), max_size=3))
    return sorted(changes, key=lambda each: each[0])


@QUICK
@settings(max_examples=40)
@given(data=st.data())
def test_it_goes_on_from_any_board(strategy: str, data: st.DataObject) -> None:
    num_nodes = data.draw(st.integers(2, 16))
    bad = data.draw(st.sets(st.integers(0, num_nodes - 1)))
    before = data.draw(st.sampled_from(sorted(STRATEGIES.keys() - SLOW)))
    at = data.draw(st.integers(1, 200)) * SECOND
    options = [(at, NodesOptions(strategy=strategy))]
    played = play(num_nodes, bad, before, options=options, duration=_ragged(0))
    assert_right(played, num_nodes, bad)


@QUICK
@settings(max_examples=25)
@given(data=st.data())
def test_the_excluded_are_never_tested_and_the_others_are_told(
    strategy: str, data: st.DataObject
) -> None:
    num_nodes = data.draw(st.integers(4, 14))
    bad = data.draw(st.sets(st.integers(0, num_nodes - 1)))
    shut = data.draw(st.sets(st.integers(0, num_nodes - 1), max_size=num_nodes - 2))
    here = {*range(num_nodes)} - shut
    played = play(inventory([1.0] * num_nodes, shut), bad, strategy)
    assert not any(shut & {*test.nodes} for _, test in played.begun)
    findings = played.report.findings
    if len(here - bad) >= 2:
        assert {*findings.bad} == bad & here
        assert {*findings.good} == here - bad


@EVERY
def test_a_node_that_cannot_be_tested_is_given_up_and_the_others_are_told(strategy: str) -> None:
    tells = truth({5})

    def oracle(test: GroupTest) -> Verdict | Failure:
        return "inconclusive" if 3 in test.nodes else tells(test)

    played = play(9, oracle, strategy)
    findings = played.report.findings
    assert findings.bad == [5]
    assert findings.undetermined == [3]
    assert findings.good == [0, 1, 2, 4, 6, 7, 8]
    assert played.search.state.board.abandoned == [3]


@EVERY
def test_every_test_has_somebody_who_is_not_known_to_be_good(strategy: str) -> None:
    played = play(32, {3, 4, 17}, strategy)
    cleared = played.said(NodesCleared)
    for at, test in played.begun:
        known = {node for event in cleared if event.at <= at for node in event.nodes}
        assert {*test.nodes} - known, f"{test.nodes} tell nothing new at {at}"


@EVERY
def test_what_it_expects_is_never_less_than_nothing(strategy: str) -> None:
    played = play(40, {1, 2, 39}, strategy)
    rates = played.said(RateEstimated)
    assert rates
    assert all(each.tests >= 0 and each.rounds >= 0 for each in rates)
    assert rates[-1].tests == 0


@EVERY
def test_the_same_search_is_made_twice(strategy: str) -> None:
    def sets() -> list[tuple[int, ...]]:
        return [test.nodes for _, test in play(24, {2, 9, 10}, strategy).begun]

    assert sets() == sets()


@QUICK
@pytest.mark.parametrize("before", sorted(STRATEGIES.keys() - SLOW))
def test_no_pair_is_tested_twice_though_the_strategy_is_changed(strategy: str, before: str) -> None:
    at = 5 * 40 * SECOND + 1
    played = play(9, {*range(9)}, before, options=[(at, NodesOptions(strategy=strategy))])
    pairs = [test.nodes for _, test in played.begun if len(test.nodes) == 2]
    assert len(pairs) == len({*pairs}) == 36
    assert played.report.findings.at_most_one_good


@QUICK
def test_where_the_only_good_ones_are_excluded_all_other_pairs_are_tested(strategy: str) -> None:
    bad = {*range(10)} - {0, 1}
    options = [(at * SECOND, NodesOptions(exclude=(0, 1))) for at in (41, 81, 161, 241)]
    played = play(10, bad, strategy, options=options[:1])
    board = played.search.state.board
    left = [n for n in board.candidates() if board.is_open(n)]
    assert all(board.ledger.has_failed(a, b) for a in left for b in left if a < b)


@QUICK
def test_where_everything_fails_a_test_costs_no_more_than_the_others(strategy: str) -> None:
    def seconds(num_nodes: int) -> float:
        began = time.process_time()
        played = play(num_nodes, {*range(num_nodes)}, strategy, max_parallel=8, most_tests=99_999)
        return (time.process_time() - began) / played.report.tests

    few = min(seconds(24) for _ in range(3))
    assert min(seconds(120) for _ in range(2)) < 4 * few
