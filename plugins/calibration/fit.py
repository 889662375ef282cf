"""The coefficients of a cost, from what calls were measured to cost.

Least squares over relative errors, so that a decoding call of 10 ms counts as much as a prefill of
a second, with no coefficient below 0. There are so few of them that every subset is solved, and the
best one without a negative is the answer, exactly.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from types import ModuleType

# Any: the arrays of a library that may not be there.
from typing import Any, NamedTuple

from batchtui.engine.errors import PluginError
from batchtui.plugins.calibration.profile import Fit, Point, relative_error

COEFFICIENTS = (
    "base_us",
    "decode_us_per_row",
    "decode_us_per_gap",
    "prefill_us_per_row",
    "prefill_us_per_token",
    "kv_us_per_token",
)
_BETTER = 1 - 1e-9  # by less than rounding, a coefficient more is not worth having


class _Solution(NamedTuple):
    columns: tuple[int, ...]
    values: list[float]
    residual: float


def solver() -> ModuleType:
    """numpy, which only this needs.

    Raises:
        PluginError: it is not installed.
    """
    try:
        import numpy  # noqa: PLC0415 - of the extra
    except ImportError as error:
        raise PluginError("calibration needs numpy: pip install 'batchtui[llama]'") from error
    return numpy


def fit(points: Sequence[Point]) -> dict[str, float]:
    """Find the coefficients, by name.

    What the points cannot tell apart, as with one slot a call's cost from a row's, goes to the
    first of the two.
    """
    numpy = solver()
    costs = numpy.array([max(point.elapsed_us, 1) for point in points], float)
    matrix = numpy.array([counts(point) for point in points], float) / costs[:, None]
    best = _Solution((), [], float(len(points)))
    for columns in _subsets(len(COEFFICIENTS)):
        solution = _solve(numpy, matrix, columns)
        if solution is not None and solution.residual < best.residual * _BETTER:
            best = solution
    found = dict(zip(best.columns, best.values, strict=True))
    return {name: found.get(at, 0.0) for at, name in enumerate(COEFFICIENTS)}


def cost_us(point: Point, costs: dict[str, float]) -> float:
    """What these coefficients say that a point costs."""
    values = (costs[name] for name in COEFFICIENTS)
    return sum(value * count for value, count in zip(values, counts(point), strict=True))


def judge(points: Sequence[Point], costs: dict[str, float]) -> Fit:
    """How far the coefficients are off at each point, relative to what was measured."""
    errors = [relative_error(cost_us(point, costs), point.elapsed_us, 1.0) for point in points]
    worst = max(range(len(points)), key=errors.__getitem__)
    return Fit(
        mean_error=statistics.fmean(errors),
        worst_error=errors[worst],
        worst_point=points[worst].name,
    )


def counts(point: Point) -> tuple[int, ...]:
    """What each coefficient is multiplied with at a point."""
    return (
        1,
        point.rows,
        point.gaps,
        point.prefill_rows,
        point.prefill_tokens,
        point.context_tokens,
    )


def _subsets(count: int) -> Iterable[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(count), size) for size in range(1, count + 1))


def _solve(numpy: ModuleType, matrix: Any, columns: tuple[int, ...]) -> _Solution | None:
    chosen = matrix[:, columns]
    values, _, rank, _ = numpy.linalg.lstsq(chosen, numpy.ones(len(matrix)), rcond=None)
    if rank < len(columns) or min(values) < 0:
        return None
    return _Solution(columns, values.tolist(), float(((chosen @ values - 1) ** 2).sum()))
