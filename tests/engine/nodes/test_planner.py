from __future__ import annotations

import random
from typing import Any

import pytest
from tests.engine.nodes.play import SECOND, inventory

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.forecast import Forecast, Spread, forecast_from
from batchtui.engine.nodes.inventory import Node, numbered
from batchtui.engine.nodes.planner import forecast
from batchtui.engine.nodes.strategies.named import STRATEGIES, strategy_named


def _forecast(
    count: int, *strategies: str, draws: int = 12, seed: int = 1, **options: int
) -> list[Forecast]:
    config = NodesConfig(inventory=numbered(count), **options)  # type: ignore[arg-type]
    return forecast(config, strategies, draws=draws, rng=random.Random(seed))


def test_every_strategy_has_a_forecast_in_the_order_asked_for() -> None:
    found = _forecast(24, *STRATEGIES)
    assert [each.strategy for each in found] == [*STRATEGIES]
    for each in found:
        assert each.draws == 12
        for spread in (each.tests, each.rounds, each.node_seconds, each.makespan_s):
            assert 0 < spread.p10 <= spread.p90
            assert spread.mean > 0


def test_the_same_seed_gives_the_same_figures_and_another_one_others() -> None:
    names = ("fewest-tests", "staged")
    assert _forecast(32, *names) == _forecast(32, *names)
    assert _forecast(32, *names) != _forecast(32, *names, seed=2)


def test_every_strategy_meets_the_same_worlds_whoever_else_is_asked() -> None:
    both = _forecast(32, "fewest-rounds", "staged")
    assert both[1] == _forecast(32, "staged")[0]


def test_fewest_tests_takes_fewer_tests_and_fewest_rounds_fewer_rounds() -> None:
    tests, rounds, anchor = _forecast(64, "fewest-tests", "fewest-rounds", "anchor")
    assert tests.tests.mean < rounds.tests.mean < anchor.tests.mean
    assert rounds.rounds.mean < tests.rounds.mean < anchor.rounds.mean


def test_fastest_is_expected_to_take_what_it_would_choose_does() -> None:
    names = ("fewest-tests", "fewest-rounds", "staged", "fastest")
    *others, fastest = _forecast(48, *names, max_parallel=6)
    assert any(
        each.makespan_s == fastest.makespan_s and each.tests == fastest.tests for each in others
    )


def test_fastest_chooses_once_for_all_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counted(*given: Any, **more: Any) -> list[Forecast]:
        made.append("forecast")
        return forecast_from(*given, **more)

    monkeypatch.setattr("batchtui.engine.nodes.strategies.fastest.forecast_from", counted)
    _forecast(16, "fastest", draws=10)
    assert len(made) == 1


def test_fewer_lanes_and_longer_failures_take_longer() -> None:
    (free,) = _forecast(64, "staged", pass_us=SECOND, fail_us=SECOND)
    (few,) = _forecast(64, "staged", pass_us=SECOND, fail_us=SECOND, max_parallel=2)
    (slow,) = _forecast(64, "staged", pass_us=SECOND, fail_us=9 * SECOND, max_parallel=2)
    assert free.makespan_s.mean < few.makespan_s.mean < slow.makespan_s.mean


def test_suspicious_nodes_cost_more() -> None:
    plain, dear = (
        forecast(
            NodesConfig(inventory=inventory(priors)),
            ["fewest-tests"],
            draws=12,
            rng=random.Random(0),
        )[0]
        for priors in ([0.1] * 32, [8.0] * 32)
    )
    assert plain.tests.mean < dear.tests.mean


def test_many_nodes_are_tried_less_often_and_it_says_so() -> None:
    (found,) = _forecast(1024, "fewest-rounds", draws=500)
    assert 1 < found.draws < 500


def test_with_one_node_there_is_nothing_to_do() -> None:
    (found,) = _forecast(1, "staged")
    assert found.tests == found.makespan_s == Spread(0, 0, 0)


def test_excluded_nodes_are_not_reckoned_with() -> None:
    nodes = tuple(Node(name=f"n{i}") for i in range(20))
    stock = numbered(20).__class__(nodes=nodes, excluded=frozenset(range(4, 20)))
    (found,) = forecast(
        NodesConfig(inventory=stock), ["fewest-rounds"], draws=8, rng=random.Random(0)
    )
    assert found.tests.p90 <= 6  # all pairs of four


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(InputError, match="no strategy 'fast'"):
        _forecast(8, "fast")


def test_strategies_may_come_from_elsewhere() -> None:
    config = NodesConfig(inventory=numbered(16))
    asked = list[str]()
    forecast(
        config,
        ["mine"],
        draws=2,
        rng=random.Random(0),
        named=lambda name: asked.append(name) or strategy_named("anchor"),  # type: ignore[func-returns-value]
    )
    assert asked == ["mine"]
