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
def progress(total: int) -> Iterator[Tick]:
    """Give a function that is told how many are done; the bar shows itself when that takes long."""
    if not sys.stderr.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        yield lambda done: None
        return
    with ExitStack() as stack:
        due = time.monotonic() + PATIENCE_S
        bar: Tick | None = None

        def tick(done: int) -> None:
            nonlocal bar, due
            if (now := time.monotonic()) > due:
                bar = bar or _bar(total, stack)
                bar(done)
                due = now + PERIOD_S

        yield tick


def _bar(total: int, stack: ExitStack) -> Tick:
    # 60 ms that a short run and a pipe need not pay.
    from rich import progress as bars  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    columns = (bars.BarColumn(), bars.MofNCompleteColumn(), "requests", bars.TimeRemainingColumn())
    console = Console(stderr=True)
    shown = bars.Progress(*columns, console=console, transient=True, auto_refresh=False)
    task = stack.enter_context(shown).add_task("run", total=total)
    return lambda done: shown.update(task, completed=done, refresh=True)
