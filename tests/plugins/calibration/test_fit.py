"""The coefficients: exact where the points are, never negative, and fair to small calls."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from batchtui.engine.errors import PluginError
from batchtui.plugins.calibration.fit import COEFFICIENTS, cost_us, fit, judge
from batchtui.plugins.calibration.profile import Point

LAW = dict(zip(COEFFICIENTS, (5000.0, 6000.0, 4500.0, 3000.0, 4000.0, 12.0), strict=True))


@dataclass(frozen=True)
class Counts:
    rows: int
    gaps: int = 0
    prefill_rows: int = 0
    prefill_tokens: int = 0
    context: int = 0


GRID = [
    *(Counts(rows, context=rows * at) for rows in (1, 2, 4, 8) for at in (10, 100)),
    *(Counts(rows, gaps=rows - 1, context=rows * 10) for rows in (2, 4)),
    *(Counts(1, prefill_rows=1, prefill_tokens=n, context=n + 1) for n in (1, 16, 256)),
    Counts(4, prefill_rows=4, prefill_tokens=32, context=36),
]


def point(counts: Counts, elapsed_us: float, name: str = "") -> Point:
    us = round(elapsed_us)
    return Point(
        name=name,
        rows=counts.rows,
        prefill_rows=counts.prefill_rows,
        prefill_tokens=counts.prefill_tokens,
        context_tokens=counts.context,
        gaps=counts.gaps,
        elapsed_us=us,
        low_us=us,
        high_us=us,
        samples=1,
    )


def measured(law: dict[str, float], grid: list[Counts]) -> list[Point]:
    return [point(counts, cost_us(point(counts, 0), law), str(counts)) for counts in grid]


def test_a_cost_that_is_made_of_them_gives_them_back() -> None:
    assert fit(measured(LAW, GRID)) == pytest.approx(LAW, rel=1e-3)


@pytest.mark.parametrize("absent", COEFFICIENTS)
def test_what_costs_nothing_is_nothing_and_never_less(absent: str) -> None:
    law = LAW | {absent: 0.0}
    found = fit(measured(law, GRID))
    assert found == pytest.approx(law, rel=1e-2, abs=0.5)
    assert min(found.values()) >= 0


def test_points_that_ask_for_a_negative_coefficient_get_the_best_without() -> None:
    law = LAW | {"prefill_us_per_row": -2500.0}
    points = measured(law, GRID)
    found = fit(points)
    assert found["prefill_us_per_row"] == 0
    assert min(found.values()) >= 0
    others = {name: value for name, value in found.items() if name != "prefill_us_per_row"}
    assert min(others.values()) > 0
    nudged = {name: value * 1.05 for name, value in found.items()}
    assert squares(points, found) < squares(points, nudged)


def squares(points: list[Point], costs: dict[str, float]) -> float:
    return sum((cost_us(each, costs) / each.elapsed_us - 1) ** 2 for each in points)


def test_one_slot_cannot_tell_a_call_from_a_row_and_the_call_pays() -> None:
    alone = [counts for counts in GRID if counts.rows == 1]
    found = fit(measured(LAW, alone))
    assert found["base_us"] == pytest.approx(LAW["base_us"] + LAW["decode_us_per_row"], rel=1e-3)
    assert found["decode_us_per_row"] == found["decode_us_per_gap"] == 0
    assert found["prefill_us_per_token"] == pytest.approx(4000, rel=1e-3)


def test_a_long_prefill_that_goes_wrong_does_not_spoil_the_short_calls() -> None:
    points = measured(LAW, GRID)
    wrong = [
        point(counts, each.elapsed_us * (1.3 if counts.prefill_tokens == 256 else 1))
        for counts, each in zip(GRID, points, strict=True)
    ]
    found = fit(wrong)
    decode = point(Counts(1, context=10), 0)
    assert cost_us(decode, found) == pytest.approx(cost_us(decode, LAW), rel=0.05)


def test_a_call_of_no_time_at_all_is_no_reason_to_fail() -> None:
    assert min(fit([point(counts, 0) for counts in GRID]).values()) >= 0


def test_the_judgement_names_the_worst_point() -> None:
    points = [point(Counts(1), 110, "near"), point(Counts(1), 200, "far")]
    found = judge(points, dict.fromkeys(COEFFICIENTS, 0.0) | {"base_us": 100.0})
    assert (found.worst_point, found.worst_error) == ("far", 0.5)
    assert found.mean_error == pytest.approx((10 / 110 + 0.5) / 2)


def test_without_numpy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(PluginError, match=r"needs numpy: pip install 'batchtui\[llama\]'"):
        fit([])
