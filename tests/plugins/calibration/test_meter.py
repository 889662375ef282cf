"""Samples say what a call had to do, as the simulated model counts it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from tests.plugins.calibration.timed import Clock, TimedModel

from batchtui.engine.errors import PluginError, WorkError
from batchtui.engine.model import Reply, Row
from batchtui.plugins.calibration.meter import Meter, Sample
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.models.simulated_config import SimulatedConfig

# Coefficients whose digits tell what each was multiplied with.
COSTS = SimulatedConfig(
    base_us=1_00_00_00_00_0,
    decode_us_per_row=1_00_00_00_0,
    prefill_us_per_row=1_00_00_0,
    decode_us_per_gap=1_00_0,
    kv_us_per_token=0,
    prefill_us_per_token=1,
)


def meter_of(model: SimulatedModel) -> Meter:
    return Meter(model, Random(0))


def test_a_newcomer_is_prefilled_but_for_its_last_token_and_only_once() -> None:
    meter = meter_of(SimulatedModel(config=COSTS))
    row = meter.seat(0, meter.prompt(10))
    assert meter.call([row]) == Sample(1, 1, 9, 10, 0, 1_01_01_00_00_9)
    assert meter.call([row]) == Sample(1, 0, 0, 11, 0, 1_01_00_00_00_0)


def test_what_is_there_already_is_not_prefilled_again() -> None:
    meter = meter_of(SimulatedModel(config=COSTS))
    row = meter.seat(0, meter.prompt(10), 6)
    assert meter.call([row]) == Sample(1, 1, 3, 10, 0, 1_01_01_00_00_3)


def test_slots_that_are_not_neighbours_have_gaps() -> None:
    meter = meter_of(SimulatedModel(config=COSTS))
    rows = [meter.seat(slot, meter.prompt(1)) for slot in (0, 1, 3, 6, 7)]
    assert meter.call(rows) == Sample(5, 0, 0, 5, 2, 1_05_00_02_00_0)


def test_bursts_are_counted_and_are_no_prefill() -> None:
    costs = SimulatedConfig(tokens_per_call=3, prefill_us_per_token=1000)
    meter = meter_of(SimulatedModel(config=costs))
    rows = [meter.seat(slot, meter.prompt(1)) for slot in range(4)]
    lengths = [meter.call(rows) for _ in range(6)]
    assert meter.tokens_per_call == 3
    assert {sample.prefill_tokens for sample in lengths} == {0}
    assert max(sample.elapsed_us for sample in lengths) < 9000
    assert lengths[-1].context_tokens == sum(row.num_computed_tokens for row in rows)
    assert max(row.length - row.num_computed_tokens for row in rows) > 1


def test_a_model_without_a_clock_is_timed(clock: Clock) -> None:
    meter = meter_of(TimedModel(clock, COSTS))
    assert meter.call([meter.seat(0, meter.prompt(10))]).elapsed_us == 1_01_01_00_00_9
    assert meter.clock == "measured"


def test_a_model_with_a_clock_is_believed() -> None:
    meter = meter_of(SimulatedModel(config=COSTS))
    meter.call([meter.seat(0, meter.prompt(10))])
    assert meter.clock == "virtual"


def test_no_two_prompts_are_alike() -> None:
    meter = meter_of(SimulatedModel())
    prompts = [tuple(meter.prompt(64)) for _ in range(200)]
    assert len({prompt[:16] for prompt in prompts}) == 200


class Raising(SimulatedModel):
    def forward(self, rows: Sequence[Row]) -> Reply:
        raise ValueError("SECRET")


class Short(SimulatedModel):
    def forward(self, rows: Sequence[Row]) -> Reply:
        return super().forward(rows[1:])


@pytest.mark.parametrize(
    ("model", "seen"),
    [
        (Raising(), r"a call of 2 rows failed \(raise\): ValueError at test_meter.py:\d+$"),
        (Short(), r"a call of 2 rows failed \(shape\): 1 rows of tokens for 2 rows$"),
    ],
    ids=["raises", "short"],
)
def test_a_call_that_fails_is_told_in_one_line(model: SimulatedModel, seen: str) -> None:
    meter = meter_of(model)
    with pytest.raises(WorkError, match=seen):
        meter.call([meter.seat(slot, meter.prompt(2)) for slot in range(2)])


def test_a_reply_in_another_order_is_put_right() -> None:
    class Reversed(SimulatedModel):
        def forward(self, rows: Sequence[Row]) -> Reply:
            return super().forward(rows[::-1])

    meter, plain = meter_of(Reversed()), meter_of(SimulatedModel())
    prompts = [[1, 2], [3, 4]]
    ours = [meter.seat(slot, prompt) for slot, prompt in enumerate(prompts)]
    theirs = [plain.seat(slot, prompt) for slot, prompt in enumerate(prompts)]
    for _ in range(20):
        meter.call(ours)
        plain.call(theirs)
    assert [row.token_ids for row in ours] == [row.token_ids for row in theirs]


class Mute(SimulatedModel):
    def __init__(self, tokens: list[int] | None) -> None:
        super().__init__()
        self._given = tokens
        self.encode = self._encode

    def _encode(self, text: str) -> list[int]:
        if self._given is None:
            raise ValueError("no tokens")
        return self._given


def test_a_model_that_encodes_nothing_cannot_be_measured() -> None:
    with pytest.raises(PluginError, match="'simulated' encodes no text: ValueError: no tokens"):
        meter_of(Mute(None))
    with pytest.raises(PluginError, match="'simulated' has no tokens for a text"):
        meter_of(Mute([]))
