"""A *nodes case*: one JSON object that says how a small search goes.

``nodes`` is a count, or a list of names or of objects as in ``inventory.py``. ``bad`` and whatever
else ``probe`` says is for the simulated probe. In place of a strategy there may be a ``plan``,
rounds of sets that are run as they are, or a ``ledger``, results of tests made elsewhere, of which
only the conclusions are drawn: beside it nothing may tell how to test. Wherever a node is named its
place or its name will do. ``why`` and ``expect`` are passed over: they are for whoever checks the
outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.inventory import Inventory, numbered
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.rules import breach_of, words_of
from batchtui.plugins.formats.decode import decode, words_of_invalid
from batchtui.plugins.formats.inventory import inventory_of, node_of
from batchtui.plugins.formats.lines import name_of, whole
from batchtui.plugins.inventories import NodeRef, file_at, place_of, places_of, selected
from batchtui.plugins.probes.simulated_config import SimulatedConfig

_Positive = Annotated[int, msgspec.Meta(ge=1, le=2**62)]
_Seconds = Annotated[float, msgspec.Meta(gt=0, le=1e9)]
_Refs = list[NodeRef] | str

Plan = tuple[tuple[tuple[int, ...], ...], ...]
"""Rounds of sets of nodes."""


class LedgerLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result as it is written."""

    nodes: list[NodeRef]
    verdict: Verdict


class NodesCaseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A nodes case as it is written."""

    nodes: int | list[msgspec.Raw]
    bad: _Refs | None = None
    strategy: str | None = None
    ledger: list[LedgerLine] | None = None
    plan: list[list[list[NodeRef]]] | None = None
    probe: dict[str, msgspec.Raw] = {}
    exclude: _Refs = []
    max_parallel: _Positive | None = None
    timeout_s: _Seconds | None = None
    time_budget_s: _Seconds | None = None
    seed: int | None = None
    why: msgspec.Raw = msgspec.Raw()
    expect: msgspec.Raw = msgspec.Raw()


class Result(NamedTuple):
    """A result of a test that was made elsewhere."""

    nodes: tuple[int, ...]
    verdict: Verdict


class NodesCase(NamedTuple):
    """A case that was read; a node is an index into the inventory.

    ``simulated`` is what it says of the nodes of the simulated probe, by the names of
    ``SimulatedConfig``. Times are in seconds.
    """

    name: str
    inventory: Inventory
    simulated: Mapping[str, object] = {}
    strategy: str | None = None
    ledger: tuple[Result, ...] | None = None
    plan: Plan | None = None
    max_parallel: int | None = None
    timeout_s: float | None = None
    time_budget_s: float | None = None
    seed: int | None = None


_UNSAID = NodesCaseFile(nodes=0)
_CASE = msgspec.json.Decoder(NodesCaseFile)
_REFS = msgspec.json.Decoder(_Refs)
_ANY = msgspec.json.Decoder(object)
_PAIRS = msgspec.json.Decoder(list[tuple[NodeRef, NodeRef]])
_OF_A_SEARCH = (
    "plan",
    "bad",
    "strategy",
    "probe",
    "exclude",
    "max_parallel",
    "timeout_s",
    "time_budget_s",
    "seed",
)
_OF_NODES = ("bad", "hangs", "slow", "broken")


def open_nodes_case(given: str) -> NodesCase:
    """Read the case of a path.

    Raises:
        InputError: there is no such file, or something in it is wrong.
    """
    return read_nodes_case(file_at(given, "nodes case"))


def read_nodes_case(path: Path) -> NodesCase:
    """Read and check a case.

    Raises:
        InputError: it cannot be read, or something in it is wrong; names the place.
    """
    name = name_of(path)
    case = decode(_CASE, whole(path), name)
    _check_parts(case, name)
    inventory = _inventory(case, name)
    return NodesCase(
        name=path.name,
        inventory=inventory,
        simulated=_simulated(case, inventory, name),
        strategy=case.strategy,
        ledger=_ledger(case.ledger, inventory, name),
        plan=_plan(case.plan, inventory, name),
        max_parallel=case.max_parallel,
        timeout_s=case.timeout_s,
        time_budget_s=case.time_budget_s,
        seed=case.seed,
    )


def _check_parts(case: NodesCaseFile, name: str) -> None:
    """See that what a case says goes together: where nothing is tested, nothing tells how.

    Raises:
        InputError: it does not, or its plan has nothing in it.
    """
    if case.ledger is not None:
        said = [field for field in _OF_A_SEARCH if getattr(case, field) != getattr(_UNSAID, field)]
        if said:
            raise InputError(
                f"{name}: a ledger and {', '.join(said)}: from a ledger is only deduced, "
                "all its results are facts: want one of them"
            )
    if case.plan is None:
        return
    if case.strategy is not None:
        raise InputError(f"{name}: a plan and a strategy: want one of them")
    if not any(case.plan):
        raise InputError(f"{name}: the plan has no set to test: want one or more")


def _inventory(case: NodesCaseFile, name: str) -> Inventory:
    if isinstance(case.nodes, int):
        inventory = numbered(case.nodes)
    elif case.nodes:
        where = f"{name} nodes"
        placed = [node_of(raw, f"{where}[{at}]") for at, raw in enumerate(case.nodes)]
        inventory = inventory_of(placed)
    else:
        raise InputError(f"{name} has no nodes: want one or more")
    excluded = frozenset(_places(case.exclude, inventory, f"{name} exclude"))
    return msgspec.structs.replace(inventory, excluded=excluded)


def _simulated(case: NodesCaseFile, inventory: Inventory, name: str) -> dict[str, object]:
    said, places = dict[str, object](), places_of(inventory)
    for field, raw in case.probe.items():
        where = f"{name} probe.{field}"
        if field in _OF_NODES:
            said[field] = _places(decode(_REFS, raw, where), inventory, where)
        elif field == "links":
            pairs = decode(_PAIRS, raw, where)
            said[field] = tuple(_set(pair, places, where) for pair in pairs)
        else:
            said[field] = decode(_ANY, raw, where)
    if case.bad is not None:
        if "bad" in said:
            raise InputError(f"{name}: bad is there twice, once in probe: want one of them")
        said["bad"] = _places(case.bad, inventory, f"{name} bad")
    try:
        msgspec.convert(said, SimulatedConfig)
    except msgspec.ValidationError as error:
        raise InputError(f"{name} probe: {words_of_invalid(error, SimulatedConfig)}") from error
    return said


def _ledger(
    lines: list[LedgerLine] | None, inventory: Inventory, name: str
) -> tuple[Result, ...] | None:
    if lines is None:
        return None
    results, places = list[Result](), places_of(inventory)
    for at, line in enumerate(lines):
        where = f"{name} ledger[{at}]"
        nodes = _set(line.nodes, places, where)
        breach = breach_of(nodes, len(inventory))
        if breach is not None:
            words = words_of(breach, str(breach.node))
            raise InputError(f"{where}: {list(nodes)}: {words}", code=breach.rule)
        results.append(Result(nodes, line.verdict))
    return tuple(results)


def _plan(rounds: list[list[list[NodeRef]]] | None, inventory: Inventory, name: str) -> Plan | None:
    """The plan with places for names; whether it keeps to the rules is seen to by the search."""
    if rounds is None:
        return None
    places = places_of(inventory)
    return tuple(
        tuple(_set(nodes, places, f"{name} plan round {number}") for nodes in sets)
        for number, sets in enumerate(rounds, 1)
    )


def _places(refs: _Refs, inventory: Inventory, where: str) -> tuple[int, ...]:
    if isinstance(refs, str):
        return selected(refs, inventory, where)
    return tuple(sorted(set(_set(refs, places_of(inventory), where))))


def _set(refs: Sequence[NodeRef], places: Mapping[str, int], where: str) -> tuple[int, ...]:
    return tuple(place_of(ref, places, where) for ref in refs)
