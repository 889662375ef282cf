from __future__ import annotations

import pytest

from batchtui.engine.batching.config import BatchingConfig


@pytest.mark.parametrize(
    ("name", "value", "least"),
    [
        ("max_num_seqs", 0, 1),
        ("block_size", 0, 1),
        ("max_empty_replies", 0, 1),
        ("num_gpu_blocks", 0, 1),
        ("max_model_len", -3, 1),
        ("call_timeout_us", 0, 1),
        ("max_retries", -1, 0),
    ],
)
def test_an_option_out_of_range_is_named_with_its_value(name: str, value: int, least: int) -> None:
    with pytest.raises(ValueError) as caught:
        BatchingConfig(**{name: value})
    assert str(caught.value) == f"{name} is {value}: want {least} or more"


def test_the_pool_and_the_model_bound_a_request_together() -> None:
    assert BatchingConfig().max_tokens_resident is None
    assert BatchingConfig(num_gpu_blocks=3, block_size=4).max_tokens_resident == 12
    assert BatchingConfig(num_gpu_blocks=3, block_size=4, max_model_len=5).max_tokens_resident == 5
