"""The proof of a profile: a small mixed workload, on the backend and on the simulated model.

More requests than slots, prompts of several lengths, outputs of fixed lengths, and arrivals over
the first tenth of the time that all of them would take at once: so slots stand empty, then all are
taken, then a queue builds and drains. Were the pace gentler, a wait would be a small difference of
two long times, and say more about luck than about costs.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

import msgspec

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.latency import Latency
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.request import Request, Result
from batchtui.engine.errors import WorkError
from batchtui.engine.machine import Submitted
from batchtui.engine.model import Model
from batchtui.engine.simulate import Simulation, TimedFeed
from batchtui.plugins.calibration.profile import Profile, Times
from batchtui.plugins.caller import ModelCaller
from batchtui.plugins.formats.requests import RequestLine
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.models.simulated_config import SimulatedConfig

PROMPTS = (12, 24, 4, 40, 16, 8)
OUTPUTS = (10, 20, 6, 24, 14)
ARRIVING = 0.1  # of the time that all would take
UNIT = "batch"

Finished = Callable[[], None]


def num_requests(num_slots: int) -> int:
    """How many requests the workload has."""
    return num_slots + max(4, num_slots // 2)


def requests(
    costs: SimulatedConfig, num_slots: int, max_model_len: int | None
) -> list[RequestLine]:
    """Make the workload; ``costs`` need only tell roughly how fast the backend is."""
    longest = 1 << 30 if max_model_len is None else max_model_len // 2
    count = num_requests(num_slots)
    lines = [
        RequestLine(
            request_id=f"r{at}",
            prompt_tokens=min(PROMPTS[at % len(PROMPTS)], longest),
            max_tokens=min(OUTPUTS[at % len(OUTPUTS)], longest),
            ignore_eos=True,
        )
        for at in range(count)
    ]
    gap_s = simulate(costs, lines, num_slots).makespan_ms / 1000 * ARRIVING / count
    return [
        msgspec.structs.replace(line, arrival_s=round(at * gap_s, 6))
        for at, line in enumerate(lines)
    ]


def simulate(costs: SimulatedConfig, lines: Sequence[RequestLine], num_slots: int) -> Times:
    """Run the requests on the simulated model."""
    whole = [line.request(at) for at, line in enumerate(lines)]
    return play(SimulatedModel(config=costs), whole, num_slots)


def simulate_again(profile: Profile) -> Times:
    """Run a profile's own requests with its own costs."""
    costs = msgspec.convert(profile.costs, SimulatedConfig)
    return simulate(costs, profile.check.requests, profile.slots)


def play(
    model: Model, whole: Sequence[Request], num_slots: int, finished: Finished = lambda: None
) -> Times:
    """Run requests on a model, on a virtual clock on which its calls take what they take.

    Raises:
        WorkError: a request ended in an error.
    """
    config = BatchingConfig(max_num_seqs=num_slots, max_model_len=model.max_model_len)
    timer = _Timer(finished)
    decoder = Decoder(config, model, Fcfs(), listener=timer, observed=False, unit=UNIT)
    feed = TimedFeed(Submitted(at=each.arrival_us, unit=UNIT, body=each) for each in whole)
    for _ in Simulation(decoder, ModelCaller(model), feed):
        if timer.failed is not None:
            raise WorkError(f"request {timer.failed.request_id} failed: {timer.failed.error}")
    return timer.times


def medians(runs: Sequence[Times]) -> Times:
    """Of each time the median."""
    return Times(
        *(statistics.median(getattr(run, name) for run in runs) for name in Times.__struct_fields__)
    )


class _Timer:
    """A listener that measures results."""

    text = None

    def __init__(self, finished: Finished) -> None:
        self.failed: Result | None = None
        self._finished = finished
        self._latency = Latency()

    def finished(self, result: Result) -> None:
        """Take in how a request ended."""
        if result.finish_reason != "length":
            self.failed = result
        self._latency.fold(result)
        self._finished()

    @property
    def times(self) -> Times:
        """What it came to."""
        means = {name: spread.mean or 0.0 for name, spread in self._latency.spreads().items()}
        makespan_ms = self._latency.duration_s * 1000
        return Times(means["ttft_ms"], means["tpot_ms"], means["e2e_ms"], makespan_ms)
