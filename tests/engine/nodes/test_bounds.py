"""The bounds: against exact figures, and below what any search has ever taken."""

from __future__ import annotations

import itertools
import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.nodes.play import play

from batchtui.engine.nodes.bounds import least_rounds, least_tests, log2_choose, unknown_d


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_logarithm_is_that_of_the_binomial(count: int, some: int) -> None:
    exact = math.log2(math.comb(count, some)) if some <= count else 0.0
    assert log2_choose(count, some) == pytest.approx(exact, abs=1e-8)


def test_who_is_not_told_how_many_needs_a_little_more() -> None:
    assert unknown_d(64, 0) == pytest.approx(2.3, abs=0.1)
    assert unknown_d(256, 13) == pytest.approx(77.4, abs=0.1)
    assert unknown_d(4096, 2048) == pytest.approx(4103.8, abs=0.1)


@given(st.integers(2, 40))
def test_the_odds_of_all_counts_add_up_to_one(count: int) -> None:
    shares = [2 ** (log2_choose(count, d) - unknown_d(count, d)) for d in range(count + 1)]
    assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize(
    ("count", "num_bad", "tests", "rounds"),
    [
        (1, 0, 0, 0),
        (1, 1, 0, 0),
        (2, 0, 1, 1),
        (2, 1, 1, 1),
        (3, 2, 3, 3),
        (5, 5, 10, 5),
        (8, 8, 28, 7),
        (8, 1, 3, 2),
        (8, 6, 7, 4),
        (64, 1, 6, 2),
        (256, 13, 72, 2),
    ],
)
def test_the_least_tests_and_rounds(count: int, num_bad: int, tests: int, rounds: int) -> None:
    assert least_tests(count, num_bad) == tests
    assert least_rounds(count, num_bad) == rounds


@pytest.mark.parametrize("strategy", ["fewest-tests", "fewest-rounds"])
def test_on_average_no_search_takes_fewer_tests_than_the_bound(strategy: str) -> None:
    for num_bad in range(6):
        made = [
            play(6, bad, strategy, observed=False).report.tests
            for bad in itertools.combinations(range(6), num_bad)
        ]
        assert statistics.fmean(made) >= log2_choose(6, num_bad)
        assert min(made) >= min(num_bad + 1, 15)


def test_a_lucky_run_stays_below_the_bound_but_not_below_one_more_than_the_bad() -> None:
    together = {1, 2, 3, *range(500, 551)}
    report = play(100_000, together, observed=False).report
    assert report.bound_tests is not None
    assert len(together) < report.tests < report.bound_tests


@pytest.mark.parametrize("num_bad", range(5))
def test_every_run_takes_one_more_test_than_there_are_bad(num_bad: int) -> None:
    for bad in itertools.combinations(range(6), num_bad):
        assert play(6, bad, observed=False).report.tests > num_bad
