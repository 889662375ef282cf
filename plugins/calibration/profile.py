"""A cost profile: what a backend's calls cost on a machine, and how far that may be believed.

One JSON file that the simulated model takes. It names the backend and the kind of machine, never
the machine itself, and holds all that its figures were made from: the points that were measured,
and the requests whose run was measured and simulated. ``schema`` grows when an older reader would
misunderstand it.
"""

from __future__ import annotations

import platform
from typing import Literal

import msgspec

from batchtui.plugins.cores import num_cores
from batchtui.plugins.formats.requests import RequestLine

SCHEMA = 1

Kind = Literal["batchtui cost profile"]


def relative_error(value: float, measured: float, least: float) -> float:
    """The distance as a fraction of what was measured, or of ``least`` where that is less."""
    return abs(value - measured) / max(measured, least)


class Machine(msgspec.Struct, frozen=True):
    """Where it was measured: nothing that tells whose machine it is."""

    cpus: int
    machine: str
    python: str

    @classmethod
    def here(cls) -> Machine:
        """This one, with the processors that we may use."""
        return cls(num_cores(), platform.machine(), platform.python_version())


class Point(msgspec.Struct, frozen=True):
    """One kind of call, and what the median of its samples cost.

    The counts are those of ``meter.Sample``; between ``low_us`` and ``high_us`` all samples lie.
    """

    name: str
    rows: int
    prefill_rows: int
    prefill_tokens: int
    context_tokens: int
    gaps: int
    elapsed_us: int
    low_us: int
    high_us: int
    samples: int

    @property
    def spread(self) -> float:
        """How far the samples lie apart, as a fraction of the median."""
        return (self.high_us - self.low_us) / max(self.elapsed_us, 1)


class Fit(msgspec.Struct, frozen=True):
    """How far the coefficients are off at the points, as fractions of what was measured."""

    mean_error: float
    worst_error: float
    worst_point: str


class Times(msgspec.Struct, frozen=True):
    """How long the requests of a run took: three means, and the whole, in milliseconds."""

    ttft_ms: float
    tpot_ms: float
    e2e_ms: float
    makespan_ms: float


class Check(msgspec.Struct, frozen=True):
    """The same requests on the backend (the medians of several runs) and on the simulated model."""

    requests: list[RequestLine]
    measured: Times
    simulated: Times

    @property
    def errors(self) -> dict[str, float]:
        """How far the simulated run is off, as fractions of what was measured."""
        simulated, measured = map(msgspec.structs.asdict, (self.simulated, self.measured))
        return {
            f"{name.removesuffix('_ms')}_error": relative_error(simulated[name], seen, 1e-3)
            for name, seen in measured.items()
        }


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """A cost profile; ``costs`` are options of the simulated model."""

    kind: Kind = "batchtui cost profile"
    schema: int = SCHEMA
    backend: str
    machine: Machine
    slots: int
    when: str
    costs: dict[str, int | float]
    points: list[Point]
    fit: Fit
    check: Check


class _Header(msgspec.Struct):
    kind: Kind
    schema: int
