"""What is thought of the rate, against sums over every configuration."""

from __future__ import annotations

import itertools
import math
from itertools import compress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.nodes.play import inventory

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.posterior import MEDIAN, Posterior
from batchtui.engine.nodes.probe import Verdict


def board_of(priors: list[float], results: list[tuple[tuple[int, ...], Verdict]]) -> Board:
    board = Board(NodesConfig(inventory=inventory(priors)))
    for number, (nodes, verdict) in enumerate(results):
        board.ledger.add(number, nodes, verdict)
    return board


def test_before_the_first_test_half_of_the_weight_is_below_the_median() -> None:
    board = board_of([1.0] * 4, [])
    posterior = Posterior(board.priors)
    weights = posterior.weights(board)
    below = sum(w for w, p in zip(weights, posterior.grid, strict=True) if p < MEDIAN)
    assert sum(weights) == pytest.approx(1)
    assert below == pytest.approx(0.5, abs=0.03)


@given(
    st.lists(st.sampled_from((0.3, 1.0, 7.0)), min_size=4, max_size=4),
    st.sampled_from(
        [
            [((0, 1), "pass")],
            [((0, 1), "fail")],
            [((0, 1, 2), "fail"), ((0, 3), "pass")],
            [((0, 1), "pass"), ((0, 2), "fail")],
            [((0, 1), "fail"), ((2, 3), "fail")],
        ]
    ),
)
@settings(max_examples=40)
def test_each_rate_weighs_what_its_configurations_do(
    priors: list[float], results: list[tuple[tuple[int, ...], Verdict]]
) -> None:
    board = board_of(priors, results)
    posterior = Posterior(board.priors)
    before = posterior.weights(board_of(priors, []))
    likely = [
        weight * _likelihood(p, priors, results)
        for weight, p in zip(before, posterior.grid, strict=True)
    ]
    expected = [each / sum(likely) for each in likely]
    assert posterior.weights(board) == pytest.approx(expected, rel=1e-6)


def _likelihood(
    p: float, priors: list[float], results: list[tuple[tuple[int, ...], Verdict]]
) -> float:
    total = 0.0
    for wrong in itertools.product((False, True), repeat=len(priors)):
        if all(any(wrong[n] for n in nodes) == (said == "fail") for nodes, said in results):
            odds = [
                1 - (1 - p) ** w if bad else (1 - p) ** w
                for w, bad in zip(priors, wrong, strict=True)
            ]
            total += math.prod(odds)
    return total


def test_good_nodes_lower_the_rate_and_bad_ones_raise_it() -> None:
    plain = Posterior([1.0] * 8)
    before = plain.rate(board_of([1.0] * 8, []))
    good = plain.rate(board_of([1.0] * 8, [((0, 1, 2, 3), "pass")]))
    bad = plain.rate(board_of([1.0] * 8, [((0, 1), "pass"), ((0, 2), "fail")]))
    assert good.mean < before.mean < bad.mean
    assert good.low <= good.mean <= good.high
    assert bad.num_bad >= 1
    assert good.num_bad < before.num_bad


def test_the_excluded_are_not_expected_to_be_bad() -> None:
    priors = [1.0] * 6
    board = Board(NodesConfig(inventory=inventory(priors, excluded=range(2, 6))))
    rate = Posterior(priors).rate(board)
    assert rate.num_bad == pytest.approx(2 * rate.mean)


def test_a_node_of_hardly_any_weight_can_still_be_told_bad() -> None:
    priors = [1e-300, 1.0, 1.0]
    board = board_of(priors, [((1, 2), "pass"), ((0, 1), "fail")])
    assert sum(Posterior(priors).weights(board)) == pytest.approx(1)


def test_who_hedges_believes_more_in_many_before_and_learns_all_the_same() -> None:
    board = Board(NodesConfig(inventory=numbered(400)))
    plain, hedged = Posterior(board.priors), Posterior(board.priors, 0.2)
    many = [p > 0.25 for p in plain.grid]
    more = [sum(compress(each.weights(board), many)) for each in (plain, hedged)]
    assert more[1] > more[0] + 0.1
    board.ledger.add(1, range(400), "pass")
    assert hedged.rate(board).mean == pytest.approx(plain.rate(board).mean, rel=0.2)
