from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.nodes.play import inventory

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.worlds import worlds


def _board(count: int) -> Board:
    return Board(NodesConfig(inventory=numbered(count)))


@given(
    bad=st.sets(st.integers(0, 9)),
    sets=st.lists(st.sets(st.integers(0, 9), min_size=2), max_size=8),
    seed=st.integers(0, 99),
)
def test_every_world_agrees_with_every_result(
    bad: set[int], sets: list[set[int]], seed: int
) -> None:
    board = _board(10)
    for test, nodes in enumerate(sets):
        board.ledger.add(test, tuple(nodes), "fail" if nodes & bad else "pass")
    for world in worlds(board, 5, random.Random(seed)):
        for nodes in sets:
            assert bool(nodes & world) == bool(nodes & bad)


def test_the_same_seed_draws_the_same_worlds() -> None:
    board = _board(100)
    assert [*worlds(board, 8, random.Random(3))] == [*worlds(board, 8, random.Random(3))]
    assert [*worlds(board, 8, random.Random(3))] != [*worlds(board, 8, random.Random(4))]


def test_a_few_worlds_hold_few_and_many_bad_nodes() -> None:
    sizes = [len(world) for world in worlds(_board(1000), 8, random.Random(0))]
    assert min(sizes) < 10
    assert max(sizes) > 100


def test_of_a_failing_pair_one_is_mostly_bad_and_now_and_then_both() -> None:
    board = _board(100)
    board.ledger.add(1, (0, 1), "fail")
    board.ledger.add(2, tuple(range(2, 100)), "pass")
    drawn = [*worlds(board, 4000, random.Random(0))]
    first = sum(0 in world for world in drawn)
    both = sum({0, 1} <= world for world in drawn)
    assert abs(first - (4000 - first + both)) < 200  # neither is more likely
    assert 0 < both < 400


def test_a_node_of_ten_times_the_prior_is_bad_about_ten_times_as_often() -> None:
    board = Board(NodesConfig(inventory=inventory([10.0, *[1.0] * 199])))
    board.ledger.add(1, tuple(range(100, 200)), "pass")  # so that the rate is low
    drawn = [*worlds(board, 4000, random.Random(0))]
    suspect = sum(0 in world for world in drawn)
    others = sum(len(world - {0}) for world in drawn) / 99
    assert 6 < suspect / others < 12
