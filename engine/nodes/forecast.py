"""The forecast: what a strategy is expected to take, in tests, rounds, node-seconds and time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from random import Random

import msgspec

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.rehearsal import Begun, rehearse
from batchtui.engine.nodes.state import SearchState
from batchtui.engine.nodes.strategies.strategy import MakeStrategy
from batchtui.engine.nodes.worlds import World, worlds

LEAST_DRAWS = 4


class Spread(msgspec.Struct, frozen=True):
    """A figure over the draws: the mean, and the 10th and the 90th percentile (nearest rank)."""

    mean: float
    p10: float
    p90: float


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """What a search that goes on by one strategy is expected to take, from where it stands.

    Attributes:
        strategy: its name.
        draws: the worlds it was tried in; fewer than were asked for where there are many nodes.
        tests: different sets to be tested.
        rounds: rounds of tests: a test is one round after those whose results it waited for.
        node_seconds: the time that nodes spend in tests, all of them together.
        makespan_s: seconds until the last test has ended.
    """

    strategy: str
    draws: int
    tests: Spread
    rounds: Spread
    node_seconds: Spread
    makespan_s: Spread


def draws_within(budget: int, num_nodes: int, most: int) -> int:
    """How many draws to make where all may cost that much, a node in a draw costing 1.

    The time of a draw grows with its nodes; with no clock to look at, this is what keeps a forecast
    for thousands of nodes from taking minutes.
    """
    return max(1, min(most, max(LEAST_DRAWS, budget // max(1, num_nodes))))


def forecast_from(
    board: Board,
    config: NodesConfig,
    makers: Iterable[tuple[str, MakeStrategy]],
    *,
    draws: int,
    rng: Random,
) -> list[Forecast]:
    """Try each strategy, from a board on, in the same worlds."""
    begun, drawn = Begun(board), list(worlds(board, draws, rng))
    return [_forecast(name, config, begun, make, drawn) for name, make in makers]


def _forecast(
    name: str, config: NodesConfig, begun: Begun, make: MakeStrategy, drawn: Sequence[World]
) -> Forecast:
    ends = [rehearse(config, begun, make, world) for world in drawn]

    def spread(figure: Callable[[SearchState], float]) -> Spread:
        return spread_of([figure(end) for end in ends])

    return Forecast(
        strategy=name,
        draws=len(drawn),
        tests=spread(lambda end: end.num_tests),
        rounds=spread(lambda end: end.board.rounds),
        node_seconds=spread(lambda end: end.node_us / 1e6),
        makespan_s=spread(lambda end: end.now / 1e6),
    )


def spread_of(figures: Sequence[float]) -> Spread:
    """Mean and percentiles of some figures, at least one."""
    ordered = sorted(figures)
    low, high = (ordered[math.ceil(share * len(ordered)) - 1] for share in (0.1, 0.9))
    return Spread(math.fsum(ordered) / len(ordered), low, high)
