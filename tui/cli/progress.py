"""A bar on stderr, for whoever waits before a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

PATIENCE_S = 0.5
PERIOD_S = 0.1

Tick = Callable[[int], None]


@contextmanager
def progress(total: int, doing: str = "", unit: str = "requests") -> Iterator[Tick]:
    """Give a function that is told how many are done; the bar shows itself when that takes long.

    A unit is counted, or the bytes of what is being done where that is said; of a total of 0
    nothing is known.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        yield lambda done: None
        return
    with ExitStack() as stack:
        due = time.monotonic() + PATIENCE_S
        bar: Tick | None = None

        def tick(done: int) -> None:
            nonlocal bar, due
            if (now := time.monotonic()) > due:
                bar = bar or _bar(total, doing, unit, stack)
                bar(done)
                due = now + PERIOD_S

        yield tick


def _bar(total: int, doing: str, unit: str, stack: ExitStack) -> Tick:
    # 60 ms that a short run and a pipe need not pay.
    from rich import progress as bars  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    columns: list[str | bars.ProgressColumn] = [doing, bars.BarColumn()]
    if not doing:
        columns = [bars.BarColumn(), bars.MofNCompleteColumn(), unit]
    elif total:
        columns.append(bars.DownloadColumn())
    if total:
        columns.append(bars.TimeRemainingColumn())
    console = Console(stderr=True)
    shown = bars.Progress(*columns, console=console, transient=True, auto_refresh=False)
    task = stack.enter_context(shown).add_task("", total=total or None)
    return lambda done: shown.update(task, completed=done, refresh=True)
