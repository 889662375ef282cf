"""Where to cut: against the chances of every place."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.nodes.play import inventory

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.posterior import Posterior
from batchtui.engine.nodes.strategies.chances import Chances

WEIGHTS = st.lists(st.sampled_from((0.2, 1.0, 5.0, 60.0)), min_size=2, max_size=40)


def chances_of(weights: list[float], target: float = 0.5) -> Chances:
    board = Board(NodesConfig(inventory=inventory(weights)))
    return Chances(Posterior(board.priors), board, target)


@given(WEIGHTS, st.integers(1, 2), st.sampled_from((0.5, 0.755)))
def test_a_pool_is_cut_where_it_passes_nearest_to_the_target(
    weights: list[float], least: int, target: float
) -> None:
    chances = chances_of(weights, target)
    size = chances.pool([0.0, *accumulate(weights)], 0, least)
    away = {
        n: abs(chances.passes(sum(weights[:n])) - target) for n in range(least, len(weights) + 1)
    }
    assert least <= size <= len(weights)
    assert away[size] == pytest.approx(min(away.values()), abs=1e-9)


@given(WEIGHTS)
def test_a_contaminated_set_is_never_tested_whole(weights: list[float]) -> None:
    chances = chances_of(weights)
    size = chances.part(weights, 1)
    whole = sum(weights)
    away = {
        n: abs(chances.part_passes(sum(weights[:n]), whole) - 0.5) for n in range(1, len(weights))
    }
    assert away[size] == pytest.approx(min(away.values()), abs=1e-9)


def test_one_of_two_that_failed_together_is_bad_a_little_more_than_half_of_the_time() -> None:
    assert 0.4 < chances_of([1.0] * 8).part_passes(1, 2) < 0.5


def test_what_is_sure_has_no_entropy_and_a_set_has_less_than_its_members_apart() -> None:
    chances = chances_of([1.0] * 8)
    assert 0 < chances.entropy(1.0) < 1
    assert chances.entropy_of_set([1.0]) == pytest.approx(0)
    assert 1 < chances.entropy_of_set([1.0, 1.0]) < 1.585
