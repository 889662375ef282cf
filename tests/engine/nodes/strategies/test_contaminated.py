"""Where a search stands: disjoint sets, the free, and the good."""

from __future__ import annotations

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.strategies.contaminated import Doubtful, Standing


def board_of(num_nodes: int, *results: tuple[tuple[int, ...], Verdict]) -> Board:
    board = Board(NodesConfig(inventory=numbered(num_nodes)))
    for number, (nodes, verdict) in enumerate(results):
        board.ledger.add(number, nodes, verdict)
    return board


def test_of_sets_that_overlap_the_smaller_counts_and_the_rest_is_free() -> None:
    board = board_of(8, ((0, 1, 2), "fail"), ((2, 3, 4, 5), "fail"))
    standing = Standing(board, Doubtful())
    assert standing.sets == [frozenset({0, 1, 2})]
    assert standing.free == [3, 4, 5, 6, 7]
    assert not standing.has_anchor


def test_a_set_of_which_a_part_is_in_a_test_waits_whole() -> None:
    board = board_of(6, ((0, 1, 2), "fail"), ((4, 5), "pass"))
    board.busy[1] = board.busy[4] = 1
    standing = Standing(board, Doubtful())
    assert standing.sets == []
    assert standing.free == [3]
    assert [*standing.anchors()] == [5]


def test_a_set_with_a_member_that_is_excluded_is_no_reason_to_suspect_the_others() -> None:
    board = board_of(4, ((0, 1), "fail"))
    board.closed[0] = 1
    standing = Standing(board, Doubtful())
    assert standing.sets == []
    assert standing.free == [1, 2, 3]


def test_a_good_node_that_is_excluded_is_no_anchor() -> None:
    board = board_of(4, ((0, 1), "pass"))
    board.closed[0] = board.closed[1] = 1
    assert not Standing(board, Doubtful()).has_anchor


def test_what_proved_nothing_counts_as_failed_until_somebody_explains_it() -> None:
    board, doubtful = board_of(6), Doubtful()
    doubtful.add((0, 1, 2))
    assert Standing(board, doubtful).sets == [frozenset({0, 1, 2})]
    board.ledger.add(7, (0, 5), "pass")
    assert Standing(board, doubtful).sets == [frozenset({1, 2})]
    board.ledger.add(8, (1, 5), "fail")
    assert Standing(board, doubtful).sets == []
    assert Standing(board, doubtful).free == [2, 3, 4]
