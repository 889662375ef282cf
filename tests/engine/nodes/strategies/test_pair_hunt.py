"""The hunt: every pair once, those that failed before left out, and those in tests later."""

from __future__ import annotations

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.strategies.pair_hunt import PairHunt


def _board(num_nodes: int) -> Board:
    return Board(NodesConfig(inventory=numbered(num_nodes)))


def test_pairs_that_failed_or_proved_nothing_are_left_out() -> None:
    board = _board(4)
    board.ledger.add(1, (0, 1), "fail")
    hunt = PairHunt(board, [frozenset({2, 3})])
    assert hunt.num_left == 6
    assert hunt.next_pairs(9) == [(0, 2), (1, 3)]
    assert hunt.next_pairs(9) == [(0, 3), (1, 2)]
    assert hunt.num_left == 0
    assert hunt.next_pairs(9) == []


def test_a_pair_of_which_one_is_in_a_test_waits_and_no_round_begins_before() -> None:
    board = _board(4)
    hunt = PairHunt(board, [])
    board.busy[0] = 1
    assert hunt.next_pairs(9) == [(2, 3)]
    assert hunt.next_pairs(9) == []
    board.busy[0] = 0
    assert hunt.next_pairs(1) == [(0, 1)]
    assert hunt.next_pairs(1) == [(0, 2)]


def test_who_is_excluded_is_paired_with_nobody() -> None:
    board = _board(3)
    hunt = PairHunt(board, [])
    board.closed[1] = 1
    pairs = [pair for _ in range(4) for pair in hunt.next_pairs(9)]
    assert pairs == [(0, 2)]


def test_one_lane_never_looks_through_all_that_wait() -> None:
    board = _board(8)
    hunt = PairHunt(board)
    assert hunt.next_pairs(1) == [(0, 1)]
    assert hunt.num_waiting == 3
    assert hunt.pairs_of_round(2) == [(2, 3), (4, 5)]
    assert (hunt.round, hunt.num_waiting, hunt.num_left) == (1, 1, 25)


def test_the_pairs_of_a_round_go_no_further() -> None:
    hunt = PairHunt(_board(4))
    assert hunt.pairs_of_round(9) == []
    assert hunt.begin_round()
    assert hunt.pairs_of_round(9) == [(0, 1), (2, 3)]
    assert hunt.pairs_of_round(9) == []
    assert [hunt.begin_round() for _ in range(3)] == [True, True, False]
    assert hunt.round == 3
