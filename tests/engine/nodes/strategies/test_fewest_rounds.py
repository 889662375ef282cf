"""Two rounds where a quarter or less are bad, and as few as can be where more are."""

from __future__ import annotations

from random import Random

import pytest
from tests.engine.nodes.play import SECOND, play


@pytest.mark.parametrize("num_nodes", [8, 9, 13, 64, 65, 256, 257])
def test_exactly_two_rounds_for_up_to_a_quarter(num_nodes: int) -> None:
    most = num_nodes // 4 if num_nodes % 2 == 0 else (num_nodes - 2) // 4
    for num_bad in {1, 2, most // 2, most} - {0} & {*range(1, most + 1)}:
        bad = {*Random(num_bad).sample(range(num_nodes), num_bad)}
        report = play(num_nodes, bad, "fewest-rounds", observed=False).report
        assert report.rounds == 2
        assert report.tests <= num_nodes // 2 + 2 * num_bad + num_nodes % 2
        assert {*report.findings.bad} == bad


@pytest.mark.parametrize(
    ("num_nodes", "bad", "tests", "rounds"),
    [
        (2, set[int](), 1, 1),
        (2, {0}, 1, 1),
        (2, {0, 1}, 1, 1),
        (3, {0, 1}, 3, 3),
        (4, {2, 3}, 4, 2),
        (8, {2, 5}, 8, 2),
        (8, {*range(6)}, 10, 4),
        (9, {8}, 5, 2),
        (64, {13}, 34, 2),
    ],
)
def test_cases_that_can_be_counted_by_hand(
    num_nodes: int, bad: set[int], tests: int, rounds: int
) -> None:
    report = play(num_nodes, bad, "fewest-rounds").report
    assert (report.tests, report.rounds) == (tests, rounds)


@pytest.mark.parametrize("strategy", ["fewest-rounds", "fewest-tests"])
def test_nobody_good_and_one_good_are_the_same_report(strategy: str) -> None:
    none, one = (play(5, bad, strategy).report for bad in ({0, 1, 2, 3, 4}, {0, 1, 2, 3}))
    assert none == one
    assert none.findings.at_most_one_good
    assert none.findings.undetermined == [0, 1, 2, 3, 4]
    assert none.rounds >= 5


def test_where_times_are_uneven_a_good_node_that_has_not_helped_yet_goes_first() -> None:
    two = 0
    for seed in range(40):
        rng = Random(seed)
        bad = set(rng.sample(range(64), rng.randint(1, 16)))
        played = play(
            64,
            bad,
            "fewest-rounds",
            observed=False,
            duration=lambda test, passed, rng=rng: rng.randrange(SECOND, 100 * SECOND),  # type: ignore[misc]  # a default binds it
        )
        two += played.report.rounds == 2
    assert two >= 30  # 9 where they are taken by their numbers
