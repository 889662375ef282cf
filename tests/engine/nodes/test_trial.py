"""The trial: a cluster where nothing can be tested is told soon, one where a few cannot is not."""

from __future__ import annotations

from random import Random

import pytest
from tests.engine.nodes.play import Oracle, inventory, play

from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.probe import GroupTest, Verdict
from batchtui.engine.nodes.trial import ENOUGH, Trial


def _broken(nodes: set[int], bad: set[int] = frozenset()) -> Oracle:  # type: ignore[assignment]
    """A probe that cannot be started where one of these is."""

    def answer(test: GroupTest) -> Verdict:
        if nodes & {*test.nodes}:
            return "inconclusive"
        return "fail" if bad & {*test.nodes} else "pass"

    return answer


QUICK = pytest.mark.parametrize("strategy", ["fewest-tests", "staged", "fewest-rounds", "anchor"])


@QUICK
@pytest.mark.parametrize(
    ("num_nodes", "num_broken"), [(3, 1), (4, 2), (5, 2), (16, 1), (16, 4), (64, 8), (64, 16)]
)
def test_a_few_nodes_that_cannot_be_tested_end_no_search(
    strategy: str, num_nodes: int, num_broken: int
) -> None:
    for seed in range(20):
        broken = {*Random(seed).sample(range(num_nodes), num_broken)}
        played = play(num_nodes, _broken(broken), strategy, observed=False)
        assert played.report.ended == "exhausted"
        assert {*played.report.findings.undetermined} == broken


def test_one_that_is_broken_beside_one_that_is_bad_is_all_that_stays_open() -> None:
    played = play(16, _broken({3}, {9}), observed=False)
    assert played.report.findings.bad == [9]
    assert played.report.findings.undetermined == [3]


@QUICK
@pytest.mark.parametrize("num_nodes", [2, 3, 4, 8, 64, 4096])
def test_where_nothing_can_be_tested_it_ends_soon(strategy: str, num_nodes: int) -> None:
    played = play(num_nodes, _broken({*range(num_nodes)}), strategy, max_parallel=16)
    assert played.report.ended == "inconclusive"
    assert played.search.state.num_made < 50
    assert len(played.report.findings.undetermined) == num_nodes


def test_thousands_that_proved_nothing_are_not_all_tried_again() -> None:
    played = play(512, _broken({*range(512)}), "fewest-rounds", observed=False)
    assert played.report.tests == 256
    assert played.search.state.num_made <= 256 + ENOUGH


def test_a_rack_that_is_broken_is_not_taken_for_the_cluster() -> None:
    played = play(64, _broken({*range(24)}), "anchor", observed=False)
    assert played.report.findings.good == [*range(24, 64)]


def test_a_plan_is_run_to_its_end_though_nothing_can_be_tested() -> None:
    plan = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)), ((0, 1, 2, 3),))
    played = play(4, _broken({0, 1, 2, 3}), "plan", plan=plan)
    assert {test.nodes for _, test in played.begun} == {sets for each in plan for sets in each}
    assert played.report.ended == "inconclusive"


def test_the_excluded_are_not_tried() -> None:
    stock = inventory([1.0] * 12, {0, 1, 2, 3})
    played = play(stock, _broken({*range(12)}))
    assert played.report.ended == "inconclusive"
    assert all(min(test.nodes) > 3 for _, test in played.begun)


def test_sets_within_each_other_are_no_evidence() -> None:
    trial = Trial(Board(NodesConfig(inventory=numbered(64))))
    for size in (64, 32, 16, 8, 4):
        trial.add(range(size))
    assert trial.has_begun
    assert not trial.is_hopeless


def test_pairs_that_share_no_node_are_until_there_are_enough() -> None:
    trial = Trial(Board(NodesConfig(inventory=numbered(64))))
    for node in range(0, 2 * ENOUGH, 2):
        assert not trial.is_hopeless
        trial.add((node, node + 1))
    assert trial.is_hopeless


def test_it_tries_pairs_from_everywhere_that_were_not_tried() -> None:
    board = Board(NodesConfig(inventory=numbered(64)))
    trial = Trial(board)
    for nodes in (range(64), range(32), (0, 1)):
        trial.add(nodes)
    pairs = [each.nodes for each in trial.propose(99)]
    assert len(pairs) == ENOUGH - 1
    members = [node for pair in pairs for node in pair]
    assert len({*members} - {0, 1}) == len(members)
    assert max(members) > 40


def test_the_first_conclusive_test_ends_it() -> None:
    played = play(64, _broken({0, 1, 20, 40}))
    tried = [e for e in played.said(said.TestPlanned) if e.why == "can anything be tested?"]
    assert len({event.test for event in tried}) <= ENOUGH
    assert played.report.ended == "exhausted"
