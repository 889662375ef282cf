"""The grid: every coefficient can be told from the others, and no row is longer than it may be."""

from __future__ import annotations

from random import Random

import pytest
from tests.plugins.calibration.timed import Clock, TimedModel

from batchtui.engine.errors import InputError
from batchtui.plugins.calibration.grid import MIN_MODEL_LEN, Named, grid
from batchtui.plugins.calibration.meter import Meter
from batchtui.plugins.models.simulated_config import SimulatedConfig


def gone_through(clock: Clock, slots: int, most: int | None) -> tuple[TimedModel, list[Named]]:
    model = TimedModel(clock, SimulatedConfig(), max_model_len=most)
    meter, random = Meter(model, Random(0)), Random(1)
    return model, [named for piece in grid(slots, most) for named in piece.measure(meter, random)]


@pytest.mark.parametrize("most", [MIN_MODEL_LEN, 100, 300, 512, None])
@pytest.mark.parametrize("slots", [1, 2, 3, 5, 16, 40])
def test_rows_stay_within_their_slots_and_their_length(
    clock: Clock, slots: int, most: int | None
) -> None:
    model, _ = gone_through(clock, slots, most)
    rows = [row for call in model.seen for row in call]
    assert {slot for slot, _, _ in rows} == set(range(slots))
    assert max(length for _, length, _ in rows) <= (most or 512)
    assert all(slots == sorted(set(slots)) for slots in ([row[0] for row in c] for c in model.seen))


@pytest.mark.parametrize("most", [MIN_MODEL_LEN, 512])
def test_every_coefficient_has_calls_of_its_own(clock: Clock, most: int) -> None:
    _, found = gone_through(clock, 16, most)
    samples = [sample for _, sample in found]
    decoding = [sample for sample in samples if not sample.prefill_rows]
    assert {sample.rows for sample in decoding} >= {1, 2, 4, 8, 16}
    for rows in (2, 4, 8):
        assert {sample.gaps for sample in decoding if sample.rows == rows} == {0, rows - 1}
    contexts = {sample.context_tokens for sample in decoding if sample.rows == 16}
    assert max(contexts) > 1.5 * min(contexts)
    prefilled = {(sample.prefill_rows, sample.prefill_tokens) for sample in samples}
    assert {(1, 1), (1, 8), (1, 32), (4, 32)} <= prefilled


def test_a_point_is_always_the_same_kind_of_call(clock: Clock) -> None:
    _, found = gone_through(clock, 16, 512)
    kinds = {
        (name, sample.rows, sample.gaps, sample.prefill_rows, sample.prefill_tokens)
        for name, sample in found
    }
    assert len(kinds) == len({name for name, _ in found})


def test_a_prefill_is_of_a_prompt_that_nobody_had(clock: Clock) -> None:
    model, _ = gone_through(clock, 4, 512)
    long = [prompt for prompt in model.prompts if len(prompt) > 8]
    alone = [prompt for prompt in long if len(prompt) not in (65, 257)]  # contexts are shared
    begun = [prompt[:8] for prompt in alone if len(prompt) != 161]  # goes on where one was
    assert len(set(begun)) == len(begun)


def test_contexts_too_short_to_tell_anything_are_refused() -> None:
    with pytest.raises(InputError, match="takes 63 tokens at most: calibration wants 64 or more"):
        grid(4, MIN_MODEL_LEN - 1)
