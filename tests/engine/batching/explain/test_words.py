from __future__ import annotations

import pytest

from batchtui.engine.batching.explain.words import counted, listed, moment, slots, span


@pytest.mark.parametrize(
    ("us", "words"),
    [
        (0, "0ms"),
        (999_999, "999ms"),
        (1_000_000, "1s"),
        (1_284_000, "1.28s"),
        (99_960_000, "100s"),
        (125_000_000, "2m05s"),
    ],
)
def test_a_length_of_time_is_short(us: int, words: str) -> None:
    assert span(us) == words


def test_a_moment_is_told_to_the_millisecond() -> None:
    assert moment(1_191_999) == "1.191 s"


def test_one_is_not_many() -> None:
    assert (counted(1, "step"), counted(2_000, "step")) == ("1 step", "2,000 steps")


def test_a_long_list_names_the_first_and_counts_the_others() -> None:
    assert listed(["a", "b"]) == "a b"
    assert listed(list("abcdefg")) == "a b c d e and 2 more"
    assert listed(list("abcdef"), 1_006) == "a b c d e and 1,001 more"
    assert listed([]) == ""


@pytest.mark.parametrize(
    ("indices", "words"),
    [
        ([7], "slot 7"),
        ([15, 7], "slots 7 15"),
        ([0, 1, 2, 5], "slots 0-2 5"),
        ([0, 2, 4, 6, 8, 10, 12], "slots 0 2 4 6 8 and 2 more"),
    ],
)
def test_slots_in_a_row_are_told_as_a_range(indices: list[int], words: str) -> None:
    assert slots(indices) == words
