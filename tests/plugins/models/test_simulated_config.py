"""Costs: named figures, a profile in place of them, and what comes after it has the last word."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from batchtui.engine.errors import InputError
from batchtui.plugins.calibration.store import read_profile, write_profile
from batchtui.plugins.models.factory import ModelOptions
from batchtui.plugins.models.prefix import Prefix
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.models.simulated_config import SimulatedConfig, num_gaps


def rows_in(*slots: int) -> list[Prefix]:
    return [Prefix(slot, f"r{slot}", None, 1) for slot in slots]


@pytest.mark.parametrize(
    ("slots", "gaps"),
    [((), 0), ((7,), 0), ((0, 1, 2), 0), ((0, 2), 1), ((0, 1, 5, 6, 9), 2), ((2, 1, 0), 2)],
)
def test_a_gap_is_a_row_whose_slot_does_not_follow(slots: tuple[int, ...], gaps: int) -> None:
    assert num_gaps(rows_in(*slots)) == gaps


def test_each_cost_is_counted_as_it_is_named() -> None:
    costs = SimulatedConfig(
        base_us=1,
        decode_us_per_row=10,
        prefill_us_per_token=100,
        prefill_us_per_row=1000,
        kv_us_per_token=10_000,
        decode_us_per_gap=100_000,
    )
    assert costs.elapsed_us(2, [3, 4], 5, num_gaps=6) == 652_721
    assert costs.elapsed_us(0, [], 0) == 1


def test_the_costs_that_came_later_are_nothing_by_default() -> None:
    rows = [*rows_in(0, 2), Prefix(5, "r5", None, 40)]
    assert SimulatedModel().forward(rows).elapsed_us == round(8000 + 3 * 20 + 39 * 85 + 42 * 0.065)


def test_a_batch_with_gaps_costs_more_as_long_as_it_has_them() -> None:
    model = SimulatedModel(config=SimulatedConfig(decode_us_per_gap=1000, kv_us_per_token=0))
    together, apart = rows_in(0, 1, 2), rows_in(0, 2, 4)
    plain = model.forward(together).elapsed_us
    assert plain is not None
    assert [model.forward(apart).elapsed_us for _ in range(2)] == [plain + 2000] * 2
    assert model.forward(together).elapsed_us == plain


def test_a_burst_of_its_own_tokens_is_not_read_again() -> None:
    model = SimulatedModel(config=SimulatedConfig(tokens_per_call=8, kv_us_per_token=0))
    row = Prefix(0, "r", (1, 2, 3), 3)
    model.forward([row])
    object.__setattr__(row, "num_computed_tokens", 3)
    row.token_ids.extend([9] * 8)
    assert model.forward([row]).elapsed_us == 8020


def test_a_profile_stands_for_its_costs() -> None:
    costs = msgspec.convert(read_profile("smollm2").costs, SimulatedConfig)
    assert SimulatedConfig.parse("profile=smollm2") == costs
    model = SimulatedModel.from_options(ModelOptions("profile=smollm2", seed=3))
    assert (model.config, model.seed) == (costs, 3)


def test_what_comes_after_a_profile_overrides_it_and_what_comes_before_does_not() -> None:
    whole = SimulatedConfig.parse("profile=smollm2")
    changed = msgspec.structs.replace(whole, base_us=7, tokens_per_call=2)
    assert SimulatedConfig.parse("profile=smollm2,base_us=7,tokens_per_call=2") == changed
    assert SimulatedConfig.parse("base_us=7,profile=smollm2") == whole


def test_a_profile_with_costs_that_cannot_be_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    profile = read_profile("smollm2")
    for costs, seen in (
        ({"base_us": -1}, "base_us is -1"),
        ({"base_uss": 1}, "no option base_uss: did you mean base_us"),
        ({"tokens_per_call": 1.5}, "tokens_per_call is of type float: want int"),
    ):
        write_profile(msgspec.structs.replace(profile, costs=costs), path)
        with pytest.raises(InputError, match=seen):
            SimulatedConfig.parse(f"profile={path}")
