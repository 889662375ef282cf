"""The check: a lively workload of fixed lengths, and the bundled profile held to what it says."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from tests.plugins.calibration.timed import Clock, TimedModel

from batchtui.engine.errors import WorkError
from batchtui.engine.model import Reply, Row
from batchtui.plugins.calibration import check
from batchtui.plugins.calibration.fit import COEFFICIENTS, judge
from batchtui.plugins.calibration.profile import Check, Profile, Times
from batchtui.plugins.calibration.store import bundled_profiles, read_profile
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.models.simulated_config import SimulatedConfig

BAR = 0.25
MEAN_BAR = 0.1
COSTS = SimulatedConfig(base_us=5000, decode_us_per_row=6000, prefill_us_per_token=4000)


def simulated_anew(profile: Profile) -> Check:
    """A profile's check, with its own requests run again under its costs."""
    return msgspec.structs.replace(profile.check, simulated=check.simulate_again(profile))


def scaled(profile: Profile, factor: float, *names: str) -> Profile:
    """A profile whose figures are not what was measured."""
    changed = {name: profile.costs[name] * factor for name in names}
    return msgspec.structs.replace(profile, costs=profile.costs | changed)


@pytest.mark.parametrize("name", bundled_profiles())
def test_a_bundled_profile_gives_what_was_measured(name: str) -> None:
    profile = read_profile(name)
    again = simulated_anew(profile)
    assert len(again.requests) > profile.slots
    assert max(again.errors.values()) <= BAR
    assert again.errors == pytest.approx(profile.check.errors, abs=0.01)


@pytest.mark.parametrize("name", bundled_profiles())
def test_a_bundled_profile_says_how_well_it_fits_its_points(name: str) -> None:
    profile = read_profile(name)
    assert judge(profile.points, profile.costs) == profile.fit
    assert profile.fit.mean_error < MEAN_BAR
    assert profile.fit.worst_error < BAR


@pytest.mark.parametrize("factor", [0.5, 2.0])
@pytest.mark.parametrize(
    "names", [COEFFICIENTS, ("decode_us_per_row",), ("prefill_us_per_token",)], ids=len
)
def test_costs_that_were_not_measured_are_found_out_by_the_check(
    names: tuple[str, ...], factor: float
) -> None:
    wrong = simulated_anew(scaled(read_profile("smollm2"), factor, *names))
    assert max(wrong.errors.values()) > BAR


@pytest.mark.parametrize("factor", [0.2, 2.5])
@pytest.mark.parametrize("name", ["base_us", "decode_us_per_gap", "decode_us_per_row"])
def test_smaller_ones_are_found_out_by_the_points(name: str, factor: float) -> None:
    wrong = scaled(read_profile("smollm2"), factor, name)
    assert judge(wrong.points, wrong.costs).mean_error > MEAN_BAR


def test_there_is_a_bundled_profile() -> None:
    assert "smollm2" in bundled_profiles()


@pytest.mark.parametrize("slots", [1, 4, 16])
def test_the_workload_is_mixed_and_more_than_the_slots_hold(slots: int) -> None:
    lines = check.requests(COSTS, slots, 512)
    assert len(lines) == check.num_requests(slots) > slots
    assert len({line.prompt_tokens for line in lines}) > 3
    assert len({line.max_tokens for line in lines}) > 3
    assert {line.ignore_eos for line in lines} == {True}
    arrivals = [line.arrival_s for line in lines]
    assert arrivals == sorted(set(arrivals))


def test_arrivals_keep_a_queue_and_do_not_outlast_the_work() -> None:
    lines = check.requests(COSTS, 4, None)
    makespan_s = check.simulate(COSTS, lines, 4).makespan_ms / 1000
    assert 0.05 * makespan_s < lines[-1].arrival_s < 0.2 * makespan_s


def test_no_request_is_longer_than_the_model_can_take() -> None:
    lines = check.requests(COSTS, 4, 64)
    assert max((line.prompt_tokens or 0) + line.max_tokens for line in lines) <= 64


def test_a_model_that_is_timed_gives_the_times_of_its_costs(clock: Clock) -> None:
    lines = check.requests(COSTS, 4, None)
    whole = [line.request(at) for at, line in enumerate(lines)]
    timed = check.play(TimedModel(clock, COSTS), whole, 4)
    assert timed == check.simulate(COSTS, lines, 4)
    half_as_fast = check.play(TimedModel(clock, COSTS, pace=lambda: 2.0), whole, 4)
    assert half_as_fast.tpot_ms > 1.5 * timed.tpot_ms


def test_each_end_is_told() -> None:
    lines = check.requests(COSTS, 4, None)
    ends: list[None] = []
    whole = [line.request(at) for at, line in enumerate(lines)]
    check.play(SimulatedModel(), whole, 4, lambda: ends.append(None))
    assert len(ends) == len(lines)


def test_a_request_that_fails_ends_the_check() -> None:
    class Raising(SimulatedModel):
        def forward(self, rows: Sequence[Row]) -> Reply:
            raise ValueError("SECRET")

    whole = [line.request(0) for line in check.requests(COSTS, 1, None)[:1]]
    with pytest.raises(WorkError, match=r"request r0 failed: .*ValueError at test_check") as failed:
        check.play(Raising(), whole, 1)
    assert "SECRET" not in str(failed.value)


def test_of_several_runs_each_time_has_its_own_median() -> None:
    runs = [Times(1, 9, 5, 7), Times(3, 1, 6, 8), Times(2, 5, 90, 0)]
    assert check.medians(runs) == Times(2, 5, 6, 7)


def test_errors_are_fractions_of_what_was_measured() -> None:
    one = Check([], Times(100, 10, 1000, 0), Times(125, 5, 1000, 0))
    assert one.errors == {
        "ttft_error": 0.25,
        "tpot_error": 0.5,
        "e2e_error": 0.0,
        "makespan_error": 0.0,
    }
