"""``batchtui nodes``: find every bad node of an inventory by group tests.

Exit status: 0 where all are good, 4 where bad ones were found, 5 where none was but some could not
be told or results contradict each other, 3 at a breakpoint, 130 at ctrl+c.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from batchtui.engine.errors import InputError
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import our_stdout
from batchtui.tui.cli.search_options import SearchSaid

if TYPE_CHECKING:
    from batchtui.tui.cli.searched import Job

Watch = Annotated[
    bool, typer.Option("--watch", help="Open the screen on it, before the first test.")
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


@option.with_said(SearchSaid)
def nodes(
    said: SearchSaid,
    plan: PlanOnly = False,
    record: option.Record = None,
    breaks: Break = None,
    watch: Watch = False,
    as_json: option.AsJson = False,
) -> None:
    """Find every bad node by tests of two or more at a time, and print how that is known."""
    # Imported here: the other verbs are ready the sooner for it.
    from batchtui.tui.cli.searched import Job, deduced, planned, searched  # noqa: PLC0415

    case = said.opened()
    job = Job(
        case, said.options(case.inventory), as_json, record, tuple(breaks or ()), said.command
    )
    if watch:
        _refuse(plan=plan, json=as_json)
        _watch(job)
        return
    do = planned if plan else deduced if case.ledger is not None else searched
    with our_stdout() as output:
        status = do(job, output)
    raise typer.Exit(status)


def _watch(job: Job) -> None:
    from batchtui.tui.cli.open import Shown, show_search  # noqa: PLC0415

    record = None if job.record is None else Path(job.record)
    shown = Shown(breakpoints=job.checked_breaks)
    show_search(job.case, job.options, shown, command=job.command, record=record)


def _refuse(**flags: bool) -> None:
    """``--watch`` opens a screen.

    Raises:
        InputError: another flag wants what a screen has not.
    """
    for name, is_set in flags.items():
        if is_set:
            raise InputError(f"--watch opens a screen: drop it, or --{name}")
