from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtui.engine.batching import sample as module
from batchtui.engine.batching.latency import PERCENTILES
from batchtui.engine.batching.sample import Sample


def sample_of(values: list[int]) -> Sample:
    made = Sample()
    for value in values:
        made.add(value)
    return made


@given(values=st.lists(st.integers(-5, 50), min_size=1, max_size=150), chunk=st.integers(1, 40))
def test_nearest_rank_is_the_value_of_that_rank_however_the_chunks_fall(
    values: list[int], chunk: int
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "CHUNK", chunk)
        found = sample_of(values)
        ascending = sorted(values)
        for percent in (1, *PERCENTILES, 100):
            rank = ceil(percent * len(values) / 100)
            assert found.nearest_rank(percent) == ascending[rank - 1]
        assert found.mean() == pytest.approx(sum(values) / len(values))
        assert len(found) == len(values)


def test_nearest_rank_of_one_value_and_of_ties_is_that_value() -> None:
    assert [sample_of([4]).nearest_rank(percent) for percent in PERCENTILES] == [4] * 3
    assert [sample_of([4] * 9).nearest_rank(percent) for percent in PERCENTILES] == [4] * 3
    assert sample_of([1, 2]).nearest_rank(50) == 1
