"""A calibration: the grid and the check's workload in turns, then the fit, then its proof.

A machine changes its pace within seconds, so the turns are short: a round goes through the grid in
two halves, each in another order every time, and runs the workload after each; then medians count.
A backend with a clock of its own says the same in every round: one is enough.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from random import Random

import msgspec

from batchtui.engine.batching.request import Request
from batchtui.engine.errors import WorkError
from batchtui.engine.model import Interruptible, Model
from batchtui.plugins.calibration import check
from batchtui.plugins.calibration.fit import counts, fit, judge, solver
from batchtui.plugins.calibration.grid import Piece, grid
from batchtui.plugins.calibration.meter import Meter, Sample
from batchtui.plugins.calibration.profile import Check, Machine, Point, Profile, Times
from batchtui.plugins.formats.requests import RequestLine
from batchtui.plugins.models.factory import ModelOptions, open_model
from batchtui.plugins.models.simulated_config import MAX_TOKENS_PER_CALL, SimulatedConfig

ROUNDS = 3
HALVES = 2

Tick = Callable[[int], None]


@contextmanager
def calibration_of(
    backend: str, *, num_slots: int, seed: int = 0, rounds: int = ROUNDS
) -> Iterator[Calibration]:
    """Open the backend for a calibration, and give back what it holds.

    Raises:
        InputError, PluginError: there is no such backend, it does not open, or cannot be measured.
    """
    solver()  # whoever lacks it should not learn so after a minute
    model = open_model(backend, ModelOptions(seed=seed, max_num_seqs=num_slots))
    try:
        yield Calibration(model, backend, num_slots=num_slots, seed=seed, rounds=rounds)
    finally:
        if isinstance(model, Interruptible):
            model.close()


class Calibration:
    """A backend that is to be measured.

    Args:
        model: the backend, open.
        backend: how it was asked for.
        num_slots: the slots that it was opened with.
        seed: of prompts and orders.
        rounds: how often everything is measured.

    Raises:
        InputError: its contexts are too short to be measured.
        PluginError: it turns no text into tokens.
    """

    def __init__(
        self, model: Model, backend: str, *, num_slots: int, seed: int = 0, rounds: int = ROUNDS
    ) -> None:
        self._model, self._backend = model, backend
        self._num_slots, self._rounds = num_slots, rounds
        self._random = Random(seed)
        self._pieces = grid(num_slots, model.max_model_len)
        self._meter = Meter(model, self._random)
        self._samples: defaultdict[str, list[Sample]] = defaultdict(list)
        self._num_done = 0
        self._tick: Tick = lambda done: None

    @property
    def total(self) -> int:
        """How many things there are to do: pieces of the grid, and requests."""
        requests = HALVES * check.num_requests(self._num_slots)
        return self._rounds * (len(self._pieces) + requests)

    def run(self, tick: Tick) -> Profile:
        """Measure, fit and prove.

        Args:
            tick: is told how many of ``total`` are done.

        Raises:
            WorkError: a call failed.
        """
        self._tick = tick
        lines: list[RequestLine] = []
        runs: list[Times] = []
        for _ in range(self._rounds):
            for half in range(HALVES):
                self._measure(self._pieces[half::HALVES])
                lines = lines or self._workload()
                runs.append(self._play(lines))
            if self._meter.clock == "virtual":
                break
        return self._profile(lines, check.medians(runs))

    def _measure(self, pieces: list[Piece]) -> None:
        """Go through a part of the grid."""
        self._random.shuffle(pieces)
        for piece in pieces:
            for name, sample in piece.measure(self._meter, self._random):
                self._samples[name].append(sample)
            self._step()

    def _workload(self) -> list[RequestLine]:
        """The requests of the check, at a pace that a first fit finds lively."""
        costs = self._simulated(fit(self._points()))
        return check.requests(costs, self._num_slots, self._model.max_model_len)

    def _play(self, lines: Sequence[RequestLine]) -> Times:
        """Run them on the backend, with prompts that it has not seen."""
        whole = [self._request(index, line) for index, line in enumerate(lines)]
        return check.play(self._model, whole, self._num_slots, self._step)

    def _request(self, index: int, line: RequestLine) -> Request:
        prompt = tuple(self._meter.prompt(line.prompt_tokens or 0))
        return msgspec.structs.replace(line.request(index), prompt=prompt)

    def _points(self) -> list[Point]:
        points = [_point(name, samples) for name, samples in self._samples.items()]
        return sorted(points, key=lambda point: (point.prefill_tokens, counts(point)))

    def _simulated(self, costs: dict[str, float]) -> SimulatedConfig:
        burst = min(self._meter.tokens_per_call, MAX_TOKENS_PER_CALL)
        try:
            return SimulatedConfig(tokens_per_call=burst, **costs)
        except ValueError as error:
            raise WorkError(f"the costs are none that can be simulated: {error}") from error

    def _profile(self, lines: list[RequestLine], measured: Times) -> Profile:
        points = self._points()
        costs = {name: float(f"{value:.6g}") for name, value in fit(points).items()}
        simulated = self._simulated(costs)
        return Profile(
            backend=_without_places(self._backend),
            machine=Machine.here(),
            slots=self._num_slots,
            when=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            costs=msgspec.structs.asdict(simulated),
            points=points,
            fit=judge(points, costs),
            check=Check(lines, measured, check.simulate(simulated, lines, self._num_slots)),
        )

    def _step(self) -> None:
        self._num_done += 1
        self._tick(self._num_done)


def _point(name: str, samples: Sequence[Sample]) -> Point:
    """The medians; a call's cost grows with its context, so both are of the same calls."""
    elapsed_us = [sample.elapsed_us for sample in samples]
    one = samples[0]
    return Point(
        name=name,
        rows=one.rows,
        prefill_rows=one.prefill_rows,
        prefill_tokens=one.prefill_tokens,
        context_tokens=round(statistics.median(sample.context_tokens for sample in samples)),
        gaps=one.gaps,
        elapsed_us=round(statistics.median(elapsed_us)),
        low_us=min(elapsed_us),
        high_us=max(elapsed_us),
        samples=len(samples),
    )


def _without_places(backend: str) -> str:
    """The backend as it was asked for, but never a path or an address of its user's."""
    return backend.partition(":")[0] if {"/", "\\"} & set(backend) else backend
