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
