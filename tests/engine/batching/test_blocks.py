from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtui.engine.batching.blocks import BlockPool
from batchtui.engine.errors import InvariantError


@given(num_tokens=st.integers(0, 500), block_size=st.integers(1, 40))
def test_needed_blocks_are_the_fewest_that_hold_the_tokens(
    num_tokens: int, block_size: int
) -> None:
    needed = BlockPool(None, block_size).needed(num_tokens)
    assert needed * block_size >= num_tokens
    assert (needed - 1) * block_size < num_tokens or needed == 0


@given(moves=st.lists(st.integers(0, 6), max_size=30))
def test_what_fits_is_what_is_free(moves: list[int]) -> None:
    pool, held = BlockPool(10, 4), list[int]()
    for size in moves:
        free = 10 - sum(held)
        assert (pool.num_free, pool.num_used) == (free, sum(held))
        assert pool.fits(size) is (size <= free)
        if size <= free:
            pool.reserve(size)
            held.append(size)
        else:
            pool.release(held.pop())


def test_a_pool_without_a_bound_takes_anything() -> None:
    pool = BlockPool(None, 16)
    pool.reserve(10**9)
    assert pool.fits(10**12)
    assert pool.num_free is None


def test_reserving_too_much_and_releasing_too_much_are_our_bugs() -> None:
    pool = BlockPool(3, 16)
    pool.reserve(2)
    with pytest.raises(InvariantError, match="2 blocks reserved where 1 are free"):
        pool.reserve(2)
    with pytest.raises(InvariantError, match="3 blocks released where 2 are used"):
        pool.release(3)
