from __future__ import annotations

import pytest
from tests.engine.nodes.play import SECOND, assert_right, play

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.strategies.fastest import Fastest, candidates


def _board(count: int, **options: int) -> Board:
    return Board(NodesConfig(inventory=numbered(count), **options))  # type: ignore[arg-type]


def test_it_chooses_the_least_expected_time_and_says_what_the_others_take() -> None:
    fastest = Fastest(_board(256, max_parallel=16))
    times = [each.makespan_s.mean for each in fastest.forecasts]
    assert times == sorted(times)
    assert fastest.chosen == fastest.forecasts[0].strategy == "staged"
    assert {each.strategy for each in fastest.forecasts} == {
        "fewest-tests",
        "fewest-rounds",
        "staged",
    }
    assert str(fastest).startswith(f"staged, {times[0] / 60:.1f} min expected (fewest-")


def test_among_equals_the_one_with_fewer_node_seconds_is_chosen() -> None:
    fastest = Fastest(_board(2))
    first, *others = fastest.forecasts
    same = [each for each in others if each.makespan_s.mean == first.makespan_s.mean]
    assert same
    assert all(first.node_seconds.mean <= each.node_seconds.mean for each in same)


def test_one_lane_favours_few_tests() -> None:
    fastest = Fastest(_board(64, max_parallel=1, pass_us=SECOND, fail_us=SECOND))
    assert fastest.chosen == "fewest-tests"


def test_longer_failures_bring_in_tests_that_pass_more_often_where_lanes_are_few() -> None:
    assert "fewest-tests at 68%" in candidates(_board(64, max_parallel=1))
    assert "fewest-tests at 68%" not in candidates(_board(64, max_parallel=8))


def test_making_it_again_gives_the_same() -> None:
    assert Fastest(_board(64)).forecasts == Fastest(_board(64)).forecasts


def test_in_the_middle_it_goes_by_what_is_known_by_then() -> None:
    board = _board(256, max_parallel=16)
    before = Fastest(board).forecasts[0]
    board.ledger.add(1, tuple(range(240)), "pass")
    board.ledger.add(2, tuple(range(240, 256)), "fail")
    after = Fastest(board).forecasts[0]
    assert after.tests.mean <= 24  # sixteen nodes, of which one is bad at least
    assert after.makespan_s.mean < before.makespan_s.mean


def test_where_all_is_known_nothing_is_expected() -> None:
    board = _board(4)
    board.ledger.add(1, (0, 1, 2, 3), "pass")
    fastest = Fastest(board)
    assert fastest.forecasts[0].tests.mean == 0
    assert fastest.propose(2) == []


@pytest.mark.parametrize("bad", [set[int](), {3}, {1, 2, 9, 17}])
def test_it_finds_everybody_also_when_changed_to_in_the_middle(bad: set[int]) -> None:
    assert_right(play(24, bad, "fastest", max_parallel=4), 24, bad)
    change = [(50 * SECOND, NodesOptions(strategy="fastest", max_parallel=2))]
    assert_right(play(24, bad, "fewest-rounds", options=change, max_parallel=4), 24, bad)
