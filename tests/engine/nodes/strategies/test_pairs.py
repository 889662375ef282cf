"""Rounds of disjoint pairs: every pair once, and a good pair soon."""

from __future__ import annotations

import itertools
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtui.engine.nodes.strategies.pairs import pair_rounds


@pytest.mark.parametrize("count", range(18))
def test_every_pair_comes_once_and_nobody_twice_a_round(count: int) -> None:
    rounds = list(pair_rounds(range(count)))
    for round in rounds:
        nodes = [node for pair in round for node in pair]
        assert len({*nodes}) == len(nodes)
    pairs = [pair for round in rounds for pair in round]
    assert len(pairs) == len({*pairs})
    assert {*pairs} == {*itertools.combinations(range(count), 2)}


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (7, 7), (8, 7), (9, 9), (10, 9)])
def test_there_are_as_few_rounds_as_can_be(count: int, rounds: int) -> None:
    assert len(list(pair_rounds(range(count)))) == rounds


@pytest.mark.parametrize("count", [2, 5, 8, 12])
def test_the_first_round_has_neighbours(count: int) -> None:
    first = next(pair_rounds(range(count)))
    assert first == [(2 * k, 2 * k + 1) for k in range(count // 2)]


@given(st.sampled_from((8, 16, 32)), st.data())
def test_among_a_power_of_two_two_good_ones_meet_soon(count: int, data: st.DataObject) -> None:
    good = data.draw(st.sets(st.integers(0, count - 1), min_size=2))
    rounds = itertools.takewhile(
        lambda round: not any({*pair} <= good for pair in round), pair_rounds(range(count))
    )
    assert sum(1 for _ in rounds) + 1 <= 2 * count / (len(good) - 1)


def test_nodes_need_not_be_numbered_from_nought() -> None:
    assert list(pair_rounds([7, 3])) == [[(7, 3)]]
    assert list(pair_rounds([5])) == []


def test_no_regular_pattern_of_good_ones_is_slow() -> None:
    """Good nodes at one distance: round the circle in plain order they meet in round 82."""
    good = {*range(3, 36, 4), 0}
    rounds = [
        next(k for k, pairs in enumerate(pair_rounds(range(100), seed), 1) if _passes(pairs, good))
        for seed in range(200)
    ]
    expected = len(good) * (len(good) - 1) / (2 * 99)
    assert fmean(rounds) < 2 + 1.5 / expected
    assert sorted(rounds)[190] < 20


@pytest.mark.parametrize("count", [12, 15])
@pytest.mark.parametrize("stride", [2, 3, 4])
def test_each_later_round_has_its_share_of_good_pairs(count: int, stride: int) -> None:
    good = {*range(0, count, stride)}
    seeds = 1500
    share = len(good) * (len(good) - 1) / (2 * (count - 1))
    played = [[*pair_rounds(range(count), seed)] for seed in range(seeds)]
    for number in (1, 4, count - 2):
        passed = sum(_passes(rounds[number], good) for rounds in played) / seeds
        assert passed > 0.85 * share


def _passes(pairs: list[tuple[int, int]], good: set[int]) -> int:
    return sum({*pair} <= good for pair in pairs)


def test_the_order_is_that_of_the_seed() -> None:
    assert [*pair_rounds(range(10), 3)] == [*pair_rounds(range(10), 3)]
    assert [*pair_rounds(range(10), 3)] != [*pair_rounds(range(10), 4)]
