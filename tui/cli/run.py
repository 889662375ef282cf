"""``batchtui run``: a workload through the engine, headless, on the virtual clock."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from batchtui.engine.batching.events import RequestAdmitted
from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.batching.latency import Latency
from batchtui.engine.batching.request import Result
from batchtui.engine.errors import BatchtuiError
from batchtui.plugins.runs import Run, RunOptions, prepare
from batchtui.plugins.workloads import open_workload
from batchtui.tui.cli import options as option
from batchtui.tui.cli.report import JsonReport, one_line, print_table, run_row

_TURNS_A_TICK = 256
_document: JsonReport | None = None


def document_begun() -> bool:
    """Whether stdout holds the beginning of a JSON document that says its own errors."""
    return _document is not None and _document.begun


class _Collector:
    """Takes results as they come."""

    def __init__(self, report: JsonReport | None) -> None:
        self.latency = Latency()
        self.endings: Counter[str] = Counter()
        self._report = report

    def text(self, request_id: str, delta: str) -> None:
        """Deltas come with the result."""

    def finished(self, result: Result) -> None:
        """Count a result and, with ``--json``, write its row."""
        self.latency.fold(result)
        self.endings[result.finish_reason] += 1
        if self._report is not None:
            self._report.row(result)


def run(
    workload: option.Workload,
    backend: option.Backend = None,
    slots: option.Slots = None,
    policy: option.Policy = None,
    seed: option.Seed = 0,
    kv_blocks: option.KvBlocks = None,
    block_size: option.BlockSize = None,
    max_model_len: option.MaxModelLen = None,
    retries: option.Retries = None,
    empty_replies: option.EmptyReplies = None,
    check: option.Check = False,
    as_json: option.AsJson = False,
) -> None:
    """Run a workload headless, on the virtual clock, and print how long its requests took."""
    global _document  # noqa: PLW0603 - whoever prints an error must know what stdout holds
    opened = open_workload(workload)
    said = RunOptions(
        backend=backend,
        slots=slots,
        policy=policy,
        seed=seed,
        kv_blocks=kv_blocks,
        block_size=block_size,
        max_model_len=max_model_len,
        retries=retries,
        empty_replies=empty_replies,
    )
    report = None
    if as_json:
        report = JsonReport(sys.stdout.buffer, is_terminal=sys.stdout.isatty())
    _document = report
    collector = _Collector(report)
    prepared = prepare(opened, said, listener=collector, observed=as_json, whole_queue=False)
    try:
        _drive(prepared, collector, report, check=check)
    except BatchtuiError as error:
        if report is not None:
            report.fail(error.code, one_line(str(error)))
            report.close()
        raise
    scheduler, counters = prepared.decoder.scheduler, prepared.decoder.counters
    row = run_row(counters, scheduler.max_resident, collector.latency, prepared.clock)
    if report is not None:
        report.finish(row)
        report.close()
    else:
        print_table(row, collector.latency, collector.endings)


def _drive(run: Run, collector: _Collector, report: JsonReport | None, *, check: bool) -> None:
    invariants = Invariants(run.decoder) if check else None
    with _progress(run.workload.num_requests) as tick:
        for number, turn in enumerate(run.simulation):
            if report is not None:
                for event in turn.events:
                    if type(event) is RequestAdmitted:
                        report.admitted(event.request_id)
            if invariants is not None:
                invariants.check()
            if number % _TURNS_A_TICK == 0:
                tick(collector.latency.num_requests)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, if somebody looks at it."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console  # noqa: PLC0415 - 60 ms that a pipe need not pay
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415

    columns = (BarColumn(), MofNCompleteColumn(), "requests", TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as progress:
        task, last = progress.add_task("run", total=total), time.monotonic()

        def tick(done: int) -> None:
            nonlocal last
            if time.monotonic() - last > 0.1:
                last = time.monotonic()
                progress.update(task, completed=done, refresh=True)

        yield tick
