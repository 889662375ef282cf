"""``batchtui bench trace FILE``: a trace through the simulated model on the virtual clock.

Everything but the terminal is timed: reading, decoding, the model's own work, events on. Without a
file the bundled ``burst`` is played.

    tokens_per_s   output tokens decoded a second of real time
    seconds        real time for the whole trace
"""

from __future__ import annotations

import time

from batchtui.engine.batching.request import Result
from batchtui.plugins.benches.figures import Figure
from batchtui.plugins.formats.stream import repeat as repeated
from batchtui.plugins.runs import RunOptions, prepare
from batchtui.plugins.workloads import open_workload

SLOTS = 64
TIMES = 10


class _Count:
    """A listener that counts tokens; texts go into events."""

    text = None

    def __init__(self) -> None:
        self.output_tokens = 0

    def finished(self, result: Result) -> None:
        """A request ended."""
        self.output_tokens += result.output_tokens


def run(file: str | None, repeat: int | None) -> list[Figure]:
    """Play the file so many times in a row, and measure."""
    began = time.perf_counter()
    workload = repeated(open_workload(file or "burst"), repeat or TIMES)
    count, num_events = _Count(), 0
    run = prepare(workload, RunOptions(slots=SLOTS), listener=count)
    for turn in run.simulation:
        num_events += len(turn.events)
    seconds = time.perf_counter() - began
    # The bars are for a trace: the bundled workload is short, and mostly its start is timed.
    rate, limit = (250_000, 30.0 if (repeat or TIMES) == TIMES else None) if file else (None, None)
    return [
        Figure("tokens_per_s", count.output_tokens / seconds, "tokens/s", rate, at_least=True),
        Figure("seconds", seconds, "s", limit),
        Figure("output_tokens", count.output_tokens, "tokens", None),
        Figure("requests", workload.num_requests, "requests", None),
        Figure("steps", run.decoder.counters.steps, "steps", None),
        Figure("events", num_events, "events", None),
    ]
