"""What ``batchtui nodes`` does: plan, think about results, or search, and tell what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import typer

from batchtui.engine.debugger.conditions import Vocabulary
from batchtui.engine.errors import InputError
from batchtui.engine.nodes.conditions import vocabulary_of
from batchtui.engine.nodes.names import Names
from batchtui.engine.nodes.view import NodesView
from batchtui.plugins.formats.nodes_case import NodesCase
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.nodes.run import header_of
from batchtui.plugins.searches import (
    SearchOptions,
    SearchRun,
    ledger_of,
    prepare_search,
)
from batchtui.tui.cli import forecasts
from batchtui.tui.cli.breaks import STOPPED, Watcher, checked, open_again
from batchtui.tui.cli.faults import INTERRUPTED
from batchtui.tui.cli.interrupts import noted
from batchtui.tui.cli.outcome import Outcome, document_of
from batchtui.tui.cli.output import Output
from batchtui.tui.cli.progress import progress
from batchtui.tui.cli.record import LogFault, logging_to
from batchtui.tui.cli.verdicts import lines_of

_AGAIN = "with --record FILE it can be opened there"


class Job(NamedTuple):
    """What was asked for; ``command`` is what a person would type to have it again."""

    case: NodesCase
    options: SearchOptions
    as_json: bool = False
    record: str | None = None
    breaks: tuple[str, ...] = ()
    command: str = ""

    @property
    def is_looked_at(self) -> bool:
        """Whether somebody wants to know of each turn."""
        return self.record is not None or bool(self.breaks)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words for breakpoints in this search."""
        return vocabulary_of(Names(self.case.inventory))

    @property
    def checked_breaks(self) -> tuple[str, ...]:
        """The breakpoints, as they were written.

        Raises:
            InputError: one of them makes no sense, or names a node that there is not.
        """
        return checked(self.breaks, self.vocabulary)


def planned(job: Job, output: Output) -> int:
    """Say what each strategy is expected to take; launch nothing."""
    _refuse_looks(job, "nothing is launched")
    found = forecasts.forecasts_of(job.case, job.options)
    if job.as_json:
        output.document(forecasts.document_of(found))
    else:
        for line in forecasts.lines_of(found):
            output.line(line)
    return 0


def deduced(job: Job, output: Output) -> int:
    """Only think about results that were made elsewhere."""
    case, said = job.case, job.options
    _refuse_looks(job, f"{case.name} is a ledger, and nothing is run")
    if said != SearchOptions():
        raise InputError(f"{case.name} is a ledger, and nothing is tested: drop the other options")
    outcome = Outcome.deduced(case.inventory, ledger_of(case), len(case.ledger or ()))
    return _told(job, outcome, output)


def searched(job: Job, output: Output) -> int:
    """Search, and say what was found, or what so far where somebody breaks it off."""
    watcher: Watcher[NodesView] = Watcher(job.breaks, job.vocabulary)
    looked_at = job.is_looked_at
    run = prepare_search(job.case, job.options, observed=looked_at, recorded=looked_at)
    watcher.watch(run.recorder, NodesView.empty(run.config))
    with _recorded(job, run) as fault_of_log:
        is_interrupted = _drive(run, watcher)
    status = _told(job, Outcome.searched(run, is_interrupted=is_interrupted), output)
    if (fault := fault_of_log()) is not None:
        raise fault
    if is_interrupted:
        again = f": {open_again(job.record)}" if job.record else ""
        typer.echo(f"batchtui: interrupted at step {run.search.step}{again}", err=True)
        return INTERRUPTED
    return _stopped(job, watcher) or status


def _stopped(job: Job, watcher: Watcher[NodesView]) -> int:
    """Say where a breakpoint was hit, or that none was; returns the status of the first."""
    if watcher.hit:
        where = f"{open_again(job.record)} --step {watcher.step}" if job.record else _AGAIN
        typer.echo(f"batchtui: {watcher.hit}: {where}", err=True)
        return STOPPED
    if watcher.is_wanted:
        typer.echo("batchtui: no breakpoint was hit", err=True)
    return 0


def _drive(run: SearchRun, watcher: Watcher[NodesView]) -> bool:
    """Search to the end or to a breakpoint; returns whether ctrl+c came before either."""
    ledger = run.search.state.board.ledger
    with noted() as is_interrupted, progress(len(run.config.inventory), unit="nodes") as tick:
        for _ in run.simulation:
            tick(ledger.num_good + ledger.num_bad)
            if watcher.hit:
                return False
            if is_interrupted():
                return run.search.state.ended is None
    return False


@contextmanager
def _recorded(job: Job, run: SearchRun) -> Iterator[LogFault]:
    """Record a search while the block drives it; nothing, where nobody wants that."""
    if job.record is None or run.recorder is None:
        yield lambda: None
        return
    log = FileLog.create(Path(job.record), header_of(run, job.case.name, job.command))
    with logging_to(log, run.recorder, flushes=run.probe.real) as fault_of_log:
        yield fault_of_log


def _told(job: Job, outcome: Outcome, output: Output) -> int:
    """Print an outcome; returns the status of the process."""
    if job.as_json:
        output.document(document_of(outcome))
    else:
        for line in lines_of(outcome):
            output.line(line)
    return outcome.status


def _refuse_looks(job: Job, why: str) -> None:
    if job.is_looked_at:
        raise InputError(f"--record and --break want a search: {why}")
