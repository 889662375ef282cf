from __future__ import annotations

import pytest

from batchtui.tui.renderables.units import clock, counted, duration, ordinal


@pytest.mark.parametrize(
    ("us", "shown"),
    [
        (0, "0ms"),
        (93_999, "93ms"),
        (999_999, "999ms"),
        (1_284_000, "1.28s"),
        (12_340_000, "12.3s"),
        (125_000_000, "2m05s"),
        (11_220_000_000, "3h07m"),
    ],
)
def test_a_duration_takes_at_most_six_characters(us: int, shown: str) -> None:
    assert duration(us) == shown
    assert len(shown) <= 6


def test_the_clock_is_exact_to_the_millisecond() -> None:
    assert clock(1_284_999) == "1.284 s"
    assert clock(3_600_000_000) == "3,600.000 s"


def test_numbers_agree_with_their_nouns() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]
    )
    assert counted(1, "row") == "1 row"
    assert counted(2_000, "row") == "2,000 rows"
