from __future__ import annotations

from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.nodes.play import SECOND, play

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.ledger import BAD, GOOD
from batchtui.engine.nodes.rehearsal import Begun, rehearse
from batchtui.engine.nodes.strategies.named import strategy_named


def _config(count: int, **options: int) -> NodesConfig:
    return NodesConfig(inventory=numbered(count), **options)  # type: ignore[arg-type]


@given(
    bad=st.sets(st.integers(0, 9)),
    sets=st.lists(st.sets(st.integers(0, 9), min_size=2), max_size=8),
)
def test_another_board_comes_to_know_the_same(bad: set[int], sets: list[set[int]]) -> None:
    board, other = Board(_config(10)), Board(_config(10))
    for test, nodes in enumerate(sets):
        board.ledger.add(test, tuple(nodes), "fail" if nodes & bad else "pass")
    Begun(board).tell(other)
    assert other.status == board.status
    assert sorted(other.ledger.unanswered()) == sorted(board.ledger.unanswered())
    assert other.ledger.num_good == board.ledger.num_good
    assert other.ledger.num_bad == board.ledger.num_bad
    if not board.ledger.num_good:
        assert other.pairs_left() == board.pairs_left()


@pytest.mark.parametrize("strategy", ["fewest-tests", "fewest-rounds", "staged", "anchor"])
def test_it_costs_what_the_search_itself_does(strategy: str) -> None:
    bad = frozenset(Random(5).sample(range(40), 4))
    config = _config(40, max_parallel=3, pass_us=10 * SECOND, fail_us=25 * SECOND)
    end = rehearse(config, Begun(Board(config)), strategy_named(strategy), bad)
    duration = {True: 10 * SECOND, False: 25 * SECOND}
    played = play(
        40,
        bad,
        strategy,
        duration=lambda test, passed: duration[passed],
        max_parallel=3,
        pass_us=10 * SECOND,
        fail_us=25 * SECOND,
    )
    state = played.search.state
    assert (end.num_tests, end.board.rounds, end.node_us, end.now) == (
        state.num_tests,
        state.board.rounds,
        state.node_us,
        state.now,
    )
    assert {*end.board.ledger.nodes_of(BAD)} == bad


@settings(max_examples=30)
@given(data=st.data())
def test_from_the_middle_everybody_is_found_with_no_more_tests_of_the_known(
    data: st.DataObject,
) -> None:
    bad = frozenset(data.draw(st.sets(st.integers(0, 11), max_size=10)))
    board = Board(_config(12))
    for test in range(data.draw(st.integers(0, 5))):
        nodes = data.draw(st.sets(st.integers(0, 11), min_size=2))
        board.ledger.add(test, tuple(nodes), "fail" if nodes & bad else "pass")
    name = data.draw(st.sampled_from(["fewest-tests", "fewest-rounds", "staged", "anchor"]))
    end = rehearse(board.config, Begun(board), strategy_named(name), bad)
    assert {*end.board.ledger.nodes_of(BAD)} == bad
    assert {*end.board.ledger.nodes_of(GOOD)} == {*range(12)} - bad


def test_no_time_budget_and_no_longer_test_than_the_timeout() -> None:
    config = _config(
        8, timeout_us=5 * SECOND, pass_us=SECOND, fail_us=90 * SECOND, time_budget_us=5 * SECOND
    )
    run = partial(rehearse, config, Begun(Board(config)), strategy_named("fewest-rounds"))
    end = run(frozenset({3}))
    assert end.ended == "identified"
    assert end.now == 10 * SECOND  # the pair of 3 fails, then 3 with a good one


def test_what_is_closed_stays_closed_and_the_lanes_are_those_of_now() -> None:
    board = Board(_config(6))
    board.closed[2] = 1
    board.max_parallel = 1
    end = rehearse(board.config, Begun(board), strategy_named("fewest-rounds"), frozenset({2}))
    assert end.board.ledger.nodes_of(GOOD) == [0, 1, 3, 4, 5]
    assert end.now == end.num_tests * board.config.pass_us
