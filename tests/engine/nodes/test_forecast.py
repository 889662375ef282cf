from __future__ import annotations

from batchtui.engine.nodes.forecast import LEAST_DRAWS, Spread, draws_within, spread_of


def test_a_spread_is_the_mean_and_the_nearest_ranks() -> None:
    assert spread_of([*range(1, 11)]) == Spread(5.5, 1, 9)
    assert spread_of([7]) == Spread(7, 7, 7)
    assert spread_of([3, 1]) == Spread(2, 1, 3)


def test_where_there_are_many_nodes_there_are_fewer_draws() -> None:
    assert draws_within(8192, 64, 20) == 20
    assert draws_within(8192, 256, 1000) == 32
    assert draws_within(8192, 100_000, 50) == LEAST_DRAWS
    assert draws_within(8192, 100_000, 1) == 1
    assert draws_within(8192, 0, 5) == 5
