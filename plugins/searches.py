"""Puts a search together: nodes, a probe and the options make a search on the virtual clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.errors import InputError
from batchtui.engine.nodes.config import DEFAULT_STRATEGY, NodesConfig
from batchtui.engine.nodes.inventory import Inventory
from batchtui.engine.nodes.ledger import Ledger
from batchtui.engine.nodes.probe import MIN_SIZE, Probe
from batchtui.engine.nodes.rules import check_plan
from batchtui.engine.nodes.search import Search
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.engine.nodes.strategies.planned_rounds import PLAN
from batchtui.engine.simulate import Simulation, TimedFeed
from batchtui.plugins.formats.nodes_case import NodesCase
from batchtui.plugins.probes.factory import ProbeOptions, open_probe
from batchtui.plugins.probes.performer import ProbePerformer
from batchtui.plugins.probes.recall import RecallingPerformer
from batchtui.plugins.probes.simulated import SimulatedProbe

UNIT = "nodes"
DEFAULT_PROBE = "simulated"


class SearchOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the user said of a search; None where the case or the default decides.

    ``exclude`` are places in the inventory. ``simulated`` is for the simulated probe, by the names
    of ``SimulatedConfig``.
    """

    strategy: str | None = None
    probe: str | None = None
    seed: int | None = None
    exclude: tuple[int, ...] = ()
    max_parallel: int | None = None
    timeout_s: float | None = None
    pass_s: float | None = None
    fail_s: float | None = None
    time_budget_s: float | None = None
    confirms: bool = False
    simulated: Mapping[str, object] = MappingProxyType({})


class SearchRun(NamedTuple):
    """A search that has not begun."""

    config: NodesConfig
    probe: Probe
    search: Search
    simulation: Simulation
    performer: ProbePerformer
    recorder: Recorder | None = None


def case_of(inventory: Inventory, name: str = "") -> NodesCase:
    """A case that says nothing but which nodes there are."""
    return NodesCase(name, inventory)


def prepare_search(
    case: NodesCase | Inventory,
    options: SearchOptions,
    *,
    observed: bool = True,
    recorded: bool = False,
    past: Iterable[TurnRecord] = (),
    probe: Probe | None = None,
) -> SearchRun:
    """Build a search.

    Args:
        case: what is tested, and what a case says of it.
        options: what the user said.
        observed: whether events are made.
        recorded: whether a recorder stands before the search; whoever asks gives it a log.
        past: turns whose replies come as they were recorded, before the probe is asked.
        probe: one that is open already, in place of what the options say.

    Raises:
        InputError, PluginError: an option is out of its range, names something unknown, excludes
            every node, or says that healthy sets take longer than their timeout; or a plan breaks
            a rule.
    """
    case = case_of(case) if isinstance(case, Inventory) else case
    config = _config(case, options)
    if probe is None:
        probe = _probe(case, options, config)
        config = _timed(config, probe)
    return search_run(config, probe, observed=observed, recorded=recorded, past=past)


def search_run(
    config: NodesConfig,
    probe: Probe,
    *,
    observed: bool = True,
    recorded: bool = False,
    past: Iterable[TurnRecord] = (),
) -> SearchRun:
    """Build a search of which the config is known, as a recording knows it.

    Raises:
        InputError: there is no such strategy.
    """
    search = Search(config, strategy_named, observed=observed or recorded, unit=UNIT)
    recorder = Recorder(search) if recorded else None
    performer = RecallingPerformer(probe, past) if past else ProbePerformer(probe)
    simulation = Simulation(recorder or search, performer, TimedFeed(()))
    return SearchRun(config, probe, search, simulation, performer, recorder)


def ledger_of(case: NodesCase) -> Ledger:
    """What is known after the results that a case brings, the first with the id 1."""
    ledger = Ledger(len(case.inventory))
    for number, (nodes, verdict) in enumerate(case.ledger or (), 1):
        ledger.add(number, nodes, verdict)
    return ledger


def _config(case: NodesCase, options: SearchOptions) -> NodesConfig:
    excluded = case.inventory.excluded | frozenset(options.exclude)
    if len(excluded) == len(case.inventory):
        raise InputError(
            f"nothing is left to be tested: every one of {len(excluded):,} nodes is excluded: "
            f"leave {MIN_SIZE} or more"
        )
    inventory = msgspec.structs.replace(case.inventory, excluded=excluded)
    simulated = {**case.simulated, **options.simulated}
    said = {
        "strategy": _strategy(case, options),
        "max_parallel": _either(options.max_parallel, case.max_parallel),
        "timeout_us": _us(_either(options.timeout_s, case.timeout_s)),
        "time_budget_us": _us(_either(options.time_budget_s, case.time_budget_s)),
        "pass_us": _us(_either(options.pass_s, simulated.get("pass_s"))),
        "fail_us": _us(_either(options.fail_s, simulated.get("fail_s"))),
        "seed": _either(options.seed, case.seed),
        "confirms": options.confirms,
        "plan": case.plan,
    }
    if case.plan is not None:
        check_plan(case.plan, len(inventory), excluded)
    try:
        config = NodesConfig(
            inventory=inventory,
            **{name: value for name, value in said.items() if value is not None},  # type: ignore[arg-type]  # each has the type of its field
        )
    except ValueError as error:
        raise InputError(str(error)) from error
    return config


def _strategy(case: NodesCase, options: SearchOptions) -> str:
    if case.plan is None:
        if options.strategy == PLAN:
            raise InputError("strategy 'plan' without a plan: want a case that has one")
        return options.strategy or case.strategy or DEFAULT_STRATEGY
    if options.strategy not in (None, PLAN):
        raise InputError(f"{case.name} has a plan, which leaves no room for a strategy: drop one")
    return PLAN


def _probe(case: NodesCase, options: SearchOptions, config: NodesConfig) -> Probe:
    spec = options.probe or DEFAULT_PROBE
    simulated = {**case.simulated, **options.simulated}
    if spec.partition(":")[0] != DEFAULT_PROBE and simulated:
        raise InputError(
            f"{', '.join(sorted(simulated))} are for the simulated probe: drop them, or --probe"
        )
    times = {"pass_s": options.pass_s, "fail_s": options.fail_s}
    simulated.update({name: value for name, value in times.items() if value is not None})
    probe = open_probe(spec, ProbeOptions(None, config.seed, simulated))
    if probe.real:
        raise InputError(f"probe {spec!r} tests real hosts: the virtual clock cannot wait for them")
    return probe


def _timed(config: NodesConfig, probe: Probe) -> NodesConfig:
    """The config with the times that the simulated probe takes, wherever it was told of them.

    Raises:
        InputError: by its timeout a healthy set would fail, or a failing test be over already.
    """
    if not isinstance(probe, SimulatedProbe):
        _check_times(config.pass_us / 1e6, (config.fail_us or 0) / 1e6, config.timeout_us / 1e6)
        return config
    said = probe.config
    _check_times(said.pass_s, said.fail_s or 0, config.timeout_us / 1e6, said.jitter)
    return msgspec.structs.replace(config, pass_us=_us(said.pass_s), fail_us=_us(said.fail_s))


def _check_times(pass_s: float, fail_s: float, timeout_s: float, jitter: float = 0.0) -> None:
    longest = pass_s * (1 + jitter)
    if longest >= timeout_s:
        most = f", {longest:g} s with a jitter of {jitter:g}" * (jitter > 0)
        raise InputError(
            f"a test that passes takes {pass_s:g} s{most}, and one of {timeout_s:g} s has failed: "
            "healthy nodes would be accused: want a longer timeout, or a shorter pass time"
        )
    if fail_s > timeout_s:
        raise InputError(
            f"a test that fails takes {fail_s:g} s, and its timeout is {timeout_s:g} s: "
            "want a longer timeout, or a shorter fail time"
        )


def _either(first: object, second: object) -> object:
    return second if first is None else first


def _us(seconds: object) -> int | None:
    """Seconds in microseconds; a number, or None."""
    return None if seconds is None else max(1, round(float(seconds) * 1e6))  # type: ignore[arg-type]
