"""``batchtui nodes --plan``: what each strategy would take, before anything is launched."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import msgspec

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.forecast import Forecast, Spread
from batchtui.engine.nodes.planner import forecast
from batchtui.engine.nodes.strategies.named import STRATEGIES
from batchtui.plugins.formats.nodes_case import NodesCase
from batchtui.plugins.searches import SearchOptions, prepare_search
from batchtui.tui.cli.amounts import time_of
from batchtui.tui.cli.output import aligned

DRAWS = 64
FEW = 10
"""Draws of which a tenth is none: with fewer, the least and the most are what there is to say."""

ASSUMED = "as if no test erred, without a time budget, and nothing is confirmed"


class Forecasts(msgspec.Struct, frozen=True):
    """What was forecast, and of which search."""

    config: NodesConfig
    probe: str
    forecasts: list[Forecast]


def forecasts_of(case: NodesCase, options: SearchOptions) -> Forecasts:
    """Try the strategies in worlds that are drawn: all of them, or the one that is asked for.

    Raises:
        InputError, PluginError: as ``prepare_search``; or there is nothing to choose.
    """
    if case.plan is not None or case.ledger is not None:
        raise InputError(f"{case.name} says what is tested: --plan compares ways to choose that")
    run = prepare_search(case, options, observed=False)
    config = run.config
    names = list(STRATEGIES) if options.strategy is None else [config.strategy]
    found = forecast(config, names, draws=DRAWS, rng=random.Random(config.seed))
    return Forecasts(config, run.probe.name, found)


def document_of(found: Forecasts) -> dict[str, object]:
    """The forecasts as one JSON document."""
    config = found.config
    return {
        "nodes": len(config.inventory) - len(config.inventory.excluded),
        "max_parallel": config.lanes,
        "pass_s": config.pass_us / 1e6,
        "fail_s": _fail_us(config) / 1e6,
        "seed": config.seed,
        "probe": found.probe,
        "assumed": ASSUMED,
        "forecasts": msgspec.to_builtins(found.forecasts),
    }


def lines_of(found: Forecasts) -> Iterator[str]:
    """The forecasts as a table: the mean of each figure, and from where to where most fall."""
    config = found.config
    count = len(config.inventory) - len(config.inventory.excluded)
    yield (
        f"PLAN for {count:,} nodes, {config.lanes:,} tests at once; a test that passes takes "
        f"{time_of(config.pass_us / 1e6)}, one that fails {time_of(_fail_us(config) / 1e6)}"
    )
    yield f"{ASSUMED}; nothing has been launched"
    yield f"expected: mean ({_range(found.forecasts)})"
    yield ""
    head = ("strategy", "tests", "rounds", "node-seconds", "makespan", "draws")
    yield from aligned([head, *map(_row, found.forecasts)])
    yield ""
    yield f"least makespan: {_best(found.forecasts).strategy}"


def _range(forecasts: Sequence[Forecast]) -> str:
    """What stands in the brackets."""
    is_few = any(each.draws < FEW for each in forecasts)
    return "least to most of the draws" if is_few else "10 % to 90 % of the draws"


def _row(each: Forecast) -> tuple[str, ...]:
    makespan = each.makespan_s
    return (
        each.strategy,
        _spread(each.tests),
        _spread(each.rounds),
        _spread(each.node_seconds),
        f"{time_of(makespan.mean)} ({time_of(makespan.p10)} to {time_of(makespan.p90)})",
        str(each.draws),
    )


def _spread(figure: Spread) -> str:
    return f"{figure.mean:,.0f} ({figure.p10:,.0f} to {figure.p90:,.0f})"


def _best(forecasts: Sequence[Forecast]) -> Forecast:
    return min(forecasts, key=lambda each: (each.makespan_s.mean, each.node_seconds.mean))


def _fail_us(config: NodesConfig) -> int:
    return min(config.fail_us or config.timeout_us, config.timeout_us)
