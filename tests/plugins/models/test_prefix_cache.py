from __future__ import annotations

import pytest

from batchtui.plugins.models.prefix_cache import Placement, PrefixCache

A, B = (0, 1, "a"), (1, 1, "b")


def filled(key: tuple[int, int, str], prompt: list[int], output: list[int]) -> PrefixCache:
    """A cache of two slots with blocks of four, in which one row has been computed."""
    cache = PrefixCache(2, block_size=4)
    cache.keep(key, cache.place(key, [*prompt, *output], len(prompt)))
    cache.prefilled(key[0], prompt[:-1])
    for token in [prompt[-1], *output]:
        cache.decoded(key[0], token)
    return cache


@pytest.mark.parametrize(
    ("start", "end", "blocks"),
    [
        (0, 0, []),
        (0, 4, [(0, 4)]),
        (0, 10, [(0, 4), (4, 8), (8, 10)]),
        (4, 5, [(4, 5)]),
        (8, 8, []),
        (9, 3, []),
        (2, 9, [(2, 4), (4, 8), (8, 9)]),
    ],
)
def test_a_prefill_is_cut_where_blocks_begin(
    start: int, end: int, blocks: list[tuple[int, int]]
) -> None:
    assert PrefixCache(1, block_size=4).blocks(start, end) == blocks


def test_an_empty_cache_has_nothing() -> None:
    assert PrefixCache(2).place(A, [1, 2, 3], 3) == Placement(0, 0)


def test_a_row_goes_on_where_it_was() -> None:
    cache = filled(A, [1, 2, 3], [7])
    assert cache.place(A, [1, 2, 3, 7, 8], 3) == Placement(0, 4)


def test_a_row_whose_last_token_was_dropped_goes_back_by_it() -> None:
    cache = filled(A, [1, 2, 3], [7, 8])
    assert cache.place(A, [1, 2, 3, 7], 3) == Placement(0, 3)
    assert cache.place(A, [1, 2, 3, 9, 9], 3) == Placement(0, 3)


def test_a_key_that_is_used_again_for_another_prompt_is_a_newcomers() -> None:
    cache = filled(A, [*range(6)], [6, 7, 8, 9, 10])
    assert cache.place(A, [*range(11)], 11) == Placement(0, 4)
    assert cache.place(A, [*range(5), 50, 51], 6) == Placement(0, 5)
    assert cache.place(A, [*range(4), 50, 51], 6) == Placement(0, 4)


def test_a_newcomer_takes_whole_blocks_of_a_neighbours_prompt() -> None:
    cache = filled(A, [*range(10)], [])
    assert cache.place(B, [*range(9), 50, 51], 11) == Placement(0, 8)
    assert cache.place(B, [*range(7), 50, 51], 9) == Placement(0, 4)
    assert cache.place(B, [50, 51], 2) == Placement(1, 0)


def test_what_a_neighbour_decoded_is_not_shared() -> None:
    cache = filled(A, [1, 2, 3], [4, 5, 6, 7, 8])
    assert cache.place(B, [1, 2, 3, 4, 5, 6, 7, 8], 8) == Placement(1, 0)


def test_the_last_token_of_a_prompt_is_never_there_for_a_newcomer() -> None:
    cache = filled(A, [*range(9)], [])
    assert cache.place(B, [*range(8)], 8) == Placement(0, 4)
    assert cache.place(B, [*range(9)], 9) == Placement(0, 8)


def test_the_next_owner_of_a_slot_takes_what_the_last_one_left() -> None:
    cache = filled(A, [*range(10)], [20])
    again = (0, 2, "c")
    assert cache.place(again, [*range(9), 77], 10) == Placement(0, 8)
    cache.keep(again, Placement(0, 8))
    assert cache.place(again, [*range(9), 77], 10) == Placement(0, 8)


def test_who_has_most_is_copied_and_the_own_slot_wins_a_tie() -> None:
    cache = PrefixCache(3, block_size=4)
    for slot, length in enumerate((5, 9, 5)):
        key = (slot, 1, f"r{slot}")
        cache.keep(key, Placement(slot, 0))
        cache.prefilled(slot, [*range(length)])
    wanted = [*range(12)]
    assert cache.place((2, 2, "new"), wanted, 12) == Placement(1, 8)
    assert cache.place((2, 2, "new"), wanted[:6], 6) == Placement(2, 4)


def test_a_copy_holds_what_was_kept_and_no_more() -> None:
    cache = filled(A, [*range(10)], [20])
    cache.keep(B, Placement(0, 8))
    assert cache.place(B, [*range(20)], 20) == Placement(1, 8)
    assert cache.place((0, 2, "x"), [*range(20)], 20) == Placement(0, 8)


def test_a_forgotten_slot_has_nothing() -> None:
    cache = filled(A, [*range(10)], [])
    cache.forget(0)
    assert cache.place(A, [*range(10)], 10) == Placement(0, 0)
    assert cache.place(B, [*range(10)], 10) == Placement(1, 0)
