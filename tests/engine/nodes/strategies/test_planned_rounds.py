"""Rounds of sets are run as they are, one round at a time."""

from __future__ import annotations

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.strategies.named import STRATEGIES, strategy_named
from batchtui.engine.nodes.strategies.planned_rounds import PLAN, PlannedRounds

ROUNDS = (((0, 1), (2, 3)), (), ((1, 2),))


def board() -> Board:
    return Board(NodesConfig(inventory=numbered(5), strategy=PLAN, plan=ROUNDS))


def sets_of(strategy: PlannedRounds, room: int) -> list[tuple[int, ...]]:
    return [proposal.nodes for proposal in strategy.propose(room)]


def test_a_round_begins_when_nothing_of_the_one_before_runs() -> None:
    here = board()
    strategy = PlannedRounds(here)
    assert sets_of(strategy, 1) == [(0, 1)]
    here.num_running = 1
    assert sets_of(strategy, 5) == [(2, 3)]
    assert sets_of(strategy, 5) == []
    here.num_running = 0
    assert [(each.nodes, each.after) for each in strategy.propose(5)] == [((1, 2), 2)]
    assert sets_of(strategy, 5) == []


def test_a_set_with_a_node_that_was_given_up_is_passed_over() -> None:
    here = board()
    here.closed[3] = 1
    assert sets_of(PlannedRounds(here), 5) == [(0, 1)]


def test_what_is_left_is_what_was_not_proposed() -> None:
    strategy = PlannedRounds(board())
    assert strategy.left() == (3, 2)
    strategy.propose(1)
    assert strategy.left() == (2, 2)


def test_it_has_a_name_but_is_not_among_those_to_be_chosen() -> None:
    assert strategy_named(PLAN) is PlannedRounds
    assert PLAN not in STRATEGIES
