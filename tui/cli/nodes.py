"""``batchtui nodes``: find every bad node of an inventory by group tests.

Exit status: 0 where all are good, 4 where bad ones were found, 5 where none was but some could not
be told or results contradict each other.
"""

from __future__ import annotations

import shlex
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from batchtui.engine.errors import InputError
from batchtui.tui.cli import options as option
from batchtui.tui.cli.amounts import seconds, share
from batchtui.tui.cli.output import our_stdout

if TYPE_CHECKING:
    from batchtui.plugins.formats.nodes_case import NodesCase

_STRATEGIES = "fewest-tests (the default), fewest-rounds, fastest, staged, anchor"
_LIST = "gpu-[017,044], or numbers: 17,44 or 3-9"

Case = Annotated[
    str | None,
    typer.Argument(
        metavar="[CASE]", help="A nodes case: one JSON object that says which nodes there are."
    ),
]
Nodes = Annotated[
    int | None,
    typer.Option(parser=option.whole_number(1), metavar="N", help="So many nodes, gpu-000 and on."),
]
InventoryFile = Annotated[
    str | None,
    typer.Option("--inventory", metavar="FILE", help="Hosts: JSON Lines, JSON, CSV or plain text."),
]
Bad = Annotated[
    str | None,
    typer.Option(metavar="LIST", help=f"SIM: the nodes that are bad: {_LIST}."),
]
Strategy = Annotated[
    str | None, typer.Option(metavar="NAME", help=f"How sets are chosen: {_STRATEGIES}.")
]
ProbeName = Annotated[
    str | None,
    typer.Option(
        "--probe",
        metavar="NAME",
        help="What tests a set; see `batchtui plugins`; simulated unless said.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(parser=option.whole_number(), metavar="N", help="Seed of all that is drawn."),
]
Exclude = Annotated[str | None, typer.Option(metavar="LIST", help="Nodes that are never touched.")]
TimeBudget = Annotated[
    float | None,
    typer.Option(
        parser=seconds, metavar="TIME", help="Begin no test that might end later, as 10m."
    ),
]
MaxParallel = Annotated[
    int | None,
    typer.Option(parser=option.whole_number(1), metavar="W", help="Most tests at once."),
]
Timeout = Annotated[
    float | None,
    typer.Option(parser=seconds, metavar="TIME", help="A test that takes longer has failed; 120s."),
]
PassTime = Annotated[
    float | None,
    typer.Option(parser=seconds, metavar="TIME", help="How long a passing test takes; 40s."),
]
FailTime = Annotated[
    float | None,
    typer.Option(
        parser=seconds,
        metavar="TIME",
        help="How long a failing test takes; the timeout unless said.",
    ),
]
FalseAlarms = Annotated[
    float | None,
    typer.Option(parser=share, metavar="SHARE", help="SIM: healthy sets that fail, as 1%."),
]
Misses = Annotated[
    float | None,
    typer.Option(parser=share, metavar="SHARE", help="SIM: sets with a bad node that pass, as 1%."),
]
Watch = Annotated[
    bool, typer.Option("--watch", help="Open the screen on it, before the first test.")
]
Confirm = Annotated[
    bool, typer.Option("--confirm", help="Test again what was found, since tests sometimes lie.")
]
PlanOnly = Annotated[
    bool,
    typer.Option("--plan", help="Launch nothing: say what each strategy is expected to take."),
]
Break = Annotated[
    list[str] | None,
    typer.Option(
        "--break",
        metavar="COND",
        help="Stop there: condemn, fail gpu-017, bad >= 2, tests > 9, step 12, joined by `and`.",
    ),
]


def nodes(
    case: Case = None,
    nodes: Nodes = None,
    inventory: InventoryFile = None,
    bad: Bad = None,
    strategy: Strategy = None,
    probe: ProbeName = None,
    seed: Seed = None,
    exclude: Exclude = None,
    time_budget: TimeBudget = None,
    max_parallel: MaxParallel = None,
    timeout: Timeout = None,
    pass_time: PassTime = None,
    fail_time: FailTime = None,
    false_alarms: FalseAlarms = None,
    misses: Misses = None,
    confirm: Confirm = False,
    plan: PlanOnly = False,
    record: option.Record = None,
    breaks: Break = None,
    watch: Watch = False,
    as_json: option.AsJson = False,
) -> None:
    """Find every bad node by tests of two or more at a time, and print how that is known."""
    # Imported here: the other verbs are ready the sooner for it.
    from batchtui.engine.nodes.conditions import NODES  # noqa: PLC0415
    from batchtui.plugins.inventories import selected  # noqa: PLC0415
    from batchtui.plugins.searches import SearchOptions  # noqa: PLC0415
    from batchtui.tui.cli.breaks import checked  # noqa: PLC0415
    from batchtui.tui.cli.open import Shown, show_search  # noqa: PLC0415
    from batchtui.tui.cli.searched import Job, deduced, planned, searched  # noqa: PLC0415

    command = _command(
        case,
        inventory,
        nodes=nodes,
        bad=bad,
        strategy=strategy,
        probe=probe,
        seed=seed,
        exclude=exclude,
        time_budget=time_budget,
        max_parallel=max_parallel,
        timeout=timeout,
        pass_time=pass_time,
        fail_time=fail_time,
        false_alarms=false_alarms,
        misses=misses,
        confirm=confirm,
    )
    asked = _opened(case, nodes, inventory)
    simulated: dict[str, object] = {"false_alarms": false_alarms, "misses": misses}
    if bad is not None:
        simulated["bad"] = selected(bad, asked.inventory, "--bad")
    said = SearchOptions(
        strategy=strategy,
        probe=probe,
        seed=seed,
        exclude=() if exclude is None else selected(exclude, asked.inventory, "--exclude"),
        max_parallel=max_parallel,
        timeout_s=timeout,
        pass_s=pass_time,
        fail_s=fail_time,
        time_budget_s=time_budget,
        confirms=confirm,
        simulated={name: value for name, value in simulated.items() if value is not None},
    )
    if watch:
        _refuse(plan=plan, json=as_json)
        texts = checked(breaks, NODES)
        path = None if record is None else Path(record)
        show_search(asked, said, Shown(breakpoints=texts), command=command, record=path)
        return
    job = Job(asked, said, as_json, record, tuple(breaks or ()), command)
    do = planned if plan else deduced if asked.ledger is not None else searched
    with our_stdout() as output:
        status = do(job, output)
    raise typer.Exit(status)


def _refuse(**flags: bool) -> None:
    """``--watch`` opens a screen.

    Raises:
        InputError: another flag wants what a screen has not.
    """
    for name, is_set in flags.items():
        if is_set:
            raise InputError(f"--watch opens a screen: drop it, or --{name}")


def _opened(case: str | None, count: int | None, inventory: str | None) -> NodesCase:
    """What is to be tested.

    Raises:
        InputError: nothing was said of that, or more than one thing.
    """
    from batchtui.engine.nodes.inventory import numbered  # noqa: PLC0415
    from batchtui.plugins.inventories import open_inventory  # noqa: PLC0415
    from batchtui.plugins.nodes_cases import open_case  # noqa: PLC0415
    from batchtui.plugins.searches import case_of  # noqa: PLC0415

    said = [given is not None for given in (case, count, inventory)]
    if sum(said) != 1:
        seen = "nothing to test" if not any(said) else "too much to test"
        raise InputError(f"{seen}: want one of a CASE, --nodes N and --inventory FILE")
    if case is not None:
        return open_case(case)
    if inventory is not None:
        return case_of(open_inventory(inventory), PurePath(inventory).name)
    return case_of(numbered(count or 0), f"{count} nodes")


def _command(case: str | None, inventory: str | None, **flags: object) -> str:
    """What a person would type to do the same; of a path only the name is kept."""
    words = ["batchtui", "nodes"]
    if case is not None:
        words.append(PurePath(case).name)
    if inventory is not None:
        words += ["--inventory", PurePath(inventory).name]
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words += [flag, str(value)]
    return shlex.join(words)
