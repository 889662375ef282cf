"""A calibration: the simulated model gives its own costs back, timed or not, whatever the pace."""

from __future__ import annotations

import sys

import msgspec
import pytest
from tests.plugins.calibration.timed import Clock, TimedModel

from batchtui.engine.errors import InputError, PluginError, WorkError
from batchtui.plugins.calibration import calibrate as module
from batchtui.plugins.calibration import check
from batchtui.plugins.calibration.calibrate import Calibration, calibration_of
from batchtui.plugins.calibration.fit import COEFFICIENTS
from batchtui.plugins.calibration.grid import REPEATS
from batchtui.plugins.calibration.profile import Profile
from batchtui.plugins.models.factory import ModelOptions
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.models.simulated_config import SimulatedConfig

SLOW = (
    "base_us=5000,decode_us_per_row=6000,prefill_us_per_token=4200,kv_us_per_token=12,"
    "prefill_us_per_row=3300,decode_us_per_gap=4600"
)


def calibrated(backend: str, *, slots: int = 16, seed: int = 0, rounds: int = 3) -> Profile:
    with calibration_of(backend, num_slots=slots, seed=seed, rounds=rounds) as calibration:
        return calibration.run(lambda done: None)


def timed(model: TimedModel, *, slots: int = 16, rounds: int = 3) -> Profile:
    calibration = Calibration(model, "timed", num_slots=slots, rounds=rounds)
    return calibration.run(lambda done: None)


def costs_of(config: SimulatedConfig) -> dict[str, float]:
    return {name: getattr(config, name) for name in COEFFICIENTS}


def worst_error(profile: Profile) -> float:
    return max(profile.check.errors.values())


@pytest.mark.parametrize("argument", ["", "base_us=100,decode_us_per_row=0", SLOW])
@pytest.mark.parametrize("slots", [2, 5, 16])
def test_the_simulated_model_gives_its_own_costs_back(argument: str, slots: int) -> None:
    profile = calibrated(f"simulated:{argument}", slots=slots)
    want = costs_of(SimulatedConfig.parse(argument))
    if slots == 2:  # which are never apart
        del want["decode_us_per_gap"]
    found = {name: profile.costs[name] for name in want}
    assert found == pytest.approx(want, rel=0.01, abs=0.5)
    assert profile.fit.worst_error < 0.01
    assert worst_error(profile) < 0.01


def test_bursts_are_part_of_the_profile() -> None:
    profile = calibrated(f"simulated:tokens_per_call=4,{SLOW}")
    assert profile.costs["tokens_per_call"] == 4
    assert worst_error(profile) < 0.1


def test_one_slot_is_enough_for_what_one_slot_costs() -> None:
    profile = calibrated(f"simulated:{SLOW}", slots=1)
    assert profile.costs["base_us"] == pytest.approx(11_000, rel=0.01)
    assert worst_error(profile) < 0.01


def test_a_backend_with_a_clock_is_measured_once() -> None:
    samples = {point.samples for point in calibrated("simulated", rounds=3).points}
    assert samples == {1, REPEATS}


def test_the_same_seed_gives_the_same_profile_but_for_its_time() -> None:
    one, two = (msgspec.structs.replace(calibrated("simulated", seed=3), when="") for _ in range(2))
    assert one == two


def test_a_backend_without_a_clock_is_timed_in_rounds(clock: Clock) -> None:
    costs = SimulatedConfig.parse(SLOW)
    profile = timed(TimedModel(clock, costs))
    assert {point.samples for point in profile.points} == {3, 3 * REPEATS}
    assert {name: profile.costs[name] for name in COEFFICIENTS} == pytest.approx(
        costs_of(costs), rel=0.01, abs=0.5
    )


def test_a_spell_at_a_quarter_of_the_pace_changes_nothing(
    clock: Clock,
) -> None:
    model = TimedModel(
        clock,
        SimulatedConfig.parse(SLOW),
        lambda: 4.0 if 10 < clock.now_ns / 1e9 < 60 else 1.0,
    )
    profile = timed(model)
    assert max(point.spread for point in profile.points) > 2.5
    assert profile.fit.worst_error < 0.01
    assert worst_error(profile) < 0.01


def test_a_pace_that_changes_by_two_within_seconds_is_within_the_bar(clock: Clock) -> None:
    model = TimedModel(
        clock,
        SimulatedConfig.parse(SLOW),
        lambda: 2.0 if clock.now_ns / 1e9 % 2 < 0.4 else 1.0,
    )
    profile = timed(model)
    assert profile.fit.mean_error < 0.1
    assert 0.01 < worst_error(profile) < 0.25


def test_the_measured_run_has_prompts_that_no_round_had_before(clock: Clock) -> None:
    model = TimedModel(clock, SimulatedConfig())
    timed(model, slots=4)
    lengths = [line.prompt_tokens for line in check.requests(SimulatedConfig(), 4, None)]
    long = [prompt for prompt in model.prompts if len(prompt) in lengths and len(prompt) > 10]
    assert len(long) >= 6 * 4
    assert len(set(long)) == len(long)


def test_who_waits_is_told_of_every_step(clock: Clock) -> None:
    model = TimedModel(clock, SimulatedConfig())
    calibration = Calibration(model, "timed", num_slots=4, rounds=2)
    told: list[int] = []
    calibration.run(told.append)
    assert told == list(range(1, calibration.total + 1))


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("simulated", "simulated"),
        ("llama:threads=1", "llama:threads=1"),
        ("llama:/home/me/secret.gguf", "llama"),
        (r"llama:C:\me\secret.gguf", "llama"),
        ("remote:http://me:key@host", "remote"),
    ],
)
def test_a_profile_has_no_paths_or_addresses(asked: str, kept: str) -> None:
    calibration = Calibration(SimulatedModel(), asked, num_slots=2)
    assert calibration.run(lambda done: None).backend == kept


def test_costs_beyond_all_bounds_are_told() -> None:
    class Absurd(SimulatedModel):
        name = "absurd"

        def __init__(self) -> None:
            super().__init__(config=SimulatedConfig(base_us=1e9, decode_us_per_row=1e9))

        def forward(self, rows):  # type: ignore[no-untyped-def]
            reply = super().forward(rows)
            return msgspec.structs.replace(reply, elapsed_us=(reply.elapsed_us or 0) * 100)

    with pytest.raises(WorkError, match="none that can be simulated: base_us is "):
        Calibration(Absurd(), "absurd", num_slots=4).run(lambda done: None)


def test_a_model_is_closed_whatever_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Held(SimulatedModel):
        def interrupt(self) -> None: ...

        def close(self) -> None:
            closed.append("closed")

    class Short(Held):
        max_model_len = 8

    opened: dict[str, type[Held]] = {"held": Held, "short": Short}
    monkeypatch.setattr(module, "open_model", lambda name, options: opened[name]())
    with pytest.raises(KeyboardInterrupt), calibration_of("held", num_slots=2):
        raise KeyboardInterrupt
    with (
        pytest.raises(InputError, match="takes 8 tokens at most"),
        calibration_of("short", num_slots=2),
    ):
        pass
    assert closed == ["closed", "closed"]


def test_the_model_is_opened_with_the_slots_and_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ModelOptions] = []

    def opened(name: str, options: ModelOptions) -> SimulatedModel:
        asked.append(options)
        return SimulatedModel()

    monkeypatch.setattr(module, "open_model", opened)
    with calibration_of("any", num_slots=7, seed=9):
        pass
    assert asked == [ModelOptions(None, 9, 7)]


def test_without_numpy_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delattr(module, "open_model")
    with pytest.raises(PluginError, match="needs numpy"), calibration_of("any", num_slots=1):
        pass
