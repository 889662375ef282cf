"""``batchtui run``: a workload through the engine, headless, on the virtual clock."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.batching.events import RequestAdmitted
from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.batching.latency import Latency
from batchtui.engine.batching.request import Result
from batchtui.engine.batching.view import BatchView
from batchtui.engine.machine import Turn
from batchtui.plugins.recordings.batching.header import command_of
from batchtui.plugins.runs import Run, RunOptions, prepare
from batchtui.plugins.workloads import open_workload
from batchtui.tui.cli import options as option
from batchtui.tui.cli.breaks import STOPPED, Watcher, open_again
from batchtui.tui.cli.output import our_stdout
from batchtui.tui.cli.progress import progress
from batchtui.tui.cli.record import recording_to, texts_of
from batchtui.tui.cli.report import Report, Summary, report_to

Check = Annotated[bool, typer.Option("--check", help="Check every invariant after every turn.")]
RecordText = Annotated[
    str | None,
    typer.Option(
        metavar="T",
        help="What a recording keeps of prompts and answers: none, hash or full (the default).",
    ),
]


@option.with_run_options
def run(
    workload: option.Workload,
    said: RunOptions,
    check: Check = False,
    record: option.Record = None,
    record_text: RecordText = None,
    breaks: option.Break = None,
    as_json: option.AsJson = False,
) -> None:
    """Run a workload headless, on the virtual clock, and print how long its requests took."""
    texts = texts_of(record, record_text)
    watcher: Watcher[BatchView] = Watcher(breaks or (), BATCHING)
    opened = open_workload(workload)
    with our_stdout() as output, report_to(output, as_json=as_json) as report:
        collector = _Collector(report)
        prepared = prepare(
            opened,
            said,
            listener=collector,
            observed=report.wants_admissions or record is not None or watcher.is_wanted,
            whole_queue=record is not None or watcher.is_wanted,  # it will be looked at
            recorded=record is not None or watcher.is_wanted,
        )
        watcher.watch(prepared.recorder, _before(prepared))
        with (
            closing(prepared),
            recording_to(record, prepared, said, texts, workload) as fault_of_log,
        ):
            _drive(prepared, collector, watcher, check=check)
        scheduler, counters = prepared.decoder.scheduler, prepared.decoder.counters
        latency = collector.latency
        summary = Summary(counters, scheduler.max_resident, latency, prepared.clock)
        report.finish(summary, fault_of_log())
    if watcher.hit:
        opened_again = command_of("open", workload, said) if record is None else open_again(record)
        typer.echo(f"batchtui: {watcher.hit}: {opened_again} --step {watcher.step}", err=True)
        raise typer.Exit(STOPPED)
    if watcher.is_wanted:
        typer.echo("batchtui: no breakpoint was hit", err=True)


class _Collector:
    """A listener that measures results and hands them on; deltas come with the results."""

    text = None

    def __init__(self, report: Report) -> None:
        self.latency = Latency()
        self._report = report

    def finished(self, result: Result) -> None:
        """Take in how a request ended."""
        self.latency.fold(result)
        self._report.row(result)

    def turned(self, turn: Turn) -> None:
        """Take in who was admitted."""
        if self._report.wants_admissions:
            for event in turn.events:
                if type(event) is RequestAdmitted:
                    self._report.admitted(event.request_id)


def _before(run: Run) -> BatchView:
    """What a run looks like before its first turn."""
    config = run.decoder.config
    return BatchView.empty(config.max_num_seqs, config.num_gpu_blocks, run.policy)


def _drive(run: Run, collector: _Collector, watcher: Watcher[BatchView], *, check: bool) -> None:
    invariants = Invariants(run.decoder) if check else None
    with progress(run.workload.num_requests) as tick:
        for turn in run.simulation:
            collector.turned(turn)
            if invariants is not None:
                invariants.check()
            tick(collector.latency.num_requests)
            if watcher.hit:
                break
