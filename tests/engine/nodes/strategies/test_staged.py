from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.nodes.play import SECOND, Played, assert_right, play, scripted

from batchtui.engine.nodes.events import TestPlanned as Planned
from batchtui.engine.nodes.strategies.staged import HUNT, PART, POOL, SUSPECT


def _play(count: int, bad: set[int], ratio: int = 1, **options: Any) -> Played:
    return play(
        count,
        bad,
        "staged",
        duration=lambda test, passed: SECOND if passed else ratio * SECOND,
        pass_us=SECOND,
        fail_us=ratio * SECOND,
        timeout_us=ratio * SECOND,
        **options,
    )


@pytest.mark.parametrize(("lanes", "ratio"), [(None, 1), (1, 1), (2, 5)])
@pytest.mark.parametrize("count", range(1, 7))
def test_every_configuration_is_told(count: int, lanes: int | None, ratio: int) -> None:
    for is_bad in itertools.product((False, True), repeat=count):
        bad = {node for node, wrong in enumerate(is_bad) if wrong}
        played = _play(count, bad, ratio, max_parallel=lanes, observed=False)
        assert_right(played, count, bad)


@pytest.mark.soak
@pytest.mark.parametrize(("lanes", "ratio"), [(None, 1), (1, 1), (2, 5)])
@pytest.mark.parametrize("count", [7, 8, 9])
def test_every_configuration_of_more_is_told(count: int, lanes: int | None, ratio: int) -> None:
    test_every_configuration_is_told(count, lanes, ratio)


def test_pools_are_equal_then_parts_then_suspects_with_good_nodes() -> None:
    played = _play(256, {7, 99, 200}, max_parallel=16)
    assert_right(played, 256, {7, 99, 200})
    planned = played.said(Planned)
    first = [each for each in planned if each.round == 1]
    assert {each.why for each in first} == {POOL}
    sizes = {len(each.nodes) for each in first}
    assert max(sizes) - min(sizes) <= 1
    assert {each.why for each in planned} <= {POOL, PART, SUSPECT}
    assert all(len(each.nodes) == 2 for each in planned if each.why == SUSPECT)


def test_with_a_lane_for_every_pair_few_bad_nodes_take_two_rounds() -> None:
    for seed in range(5):
        played = _play(128, {*Random(seed).sample(range(128), 3)})
        assert played.report.rounds == played.launches == 2
        assert played.report.tests < 64  # which pairs alone would take


def test_few_lanes_take_less_time_than_pairs_do() -> None:
    for seed in range(5):
        bad = {*Random(seed).sample(range(1024), 20)}
        staged = _play(1024, bad, 3, max_parallel=16, observed=False)
        pairs = play(
            1024,
            bad,
            "fewest-rounds",
            duration=lambda test, passed: SECOND if passed else 3 * SECOND,
            max_parallel=16,
            observed=False,
        )
        assert staged.report.makespan_s < 0.75 * pairs.report.makespan_s


def test_a_set_that_failed_is_cut_at_most_three_times_in_a_row() -> None:
    played = _play(512, {100}, max_parallel=2)
    holding = [each for each in played.said(Planned) if 100 in each.nodes]
    assert 2 <= len(holding) <= 4
    sizes = [len(each.nodes) for each in holding]
    assert sizes == sorted(sizes, reverse=True)


def test_while_no_test_passes_pairs_are_gone_through() -> None:
    played = _play(9, {0, 1, 2, 3, 5, 6, 7})  # 4 and 8 are good
    assert_right(played, 9, {0, 1, 2, 3, 5, 6, 7})
    assert HUNT in {each.why for each in played.said(Planned)}


def test_no_pair_is_tested_twice_where_at_most_one_node_is_good() -> None:
    played = _play(7, {0, 1, 2, 3, 4, 5})
    pairs = [each.nodes for each in played.said(Planned) if len(each.nodes) == 2]
    assert len(pairs) == len(set(pairs)) == 21
    assert played.report.findings.at_most_one_good


@settings(max_examples=60)
@given(
    count=st.integers(2, 30),
    verdicts=st.lists(st.sampled_from(("pass", "fail", "inconclusive")), min_size=1, max_size=40),
    lanes=st.integers(1, 9),
)
def test_it_ends_whatever_the_probe_says(count: int, verdicts: list[Any], lanes: int) -> None:
    played = play(
        count,
        scripted(verdicts),
        "staged",
        max_parallel=lanes,
        most_tests=4 * count * count + 20,
        observed=False,
    )
    assert played.report.ended is not None


def test_what_is_left_is_foreseen_well_enough() -> None:
    shares = []
    for seed in range(8):
        bad = {*Random(seed).sample(range(256), 13)}
        played = _play(256, bad, max_parallel=16)
        rates = [each for each in played.events if type(each).__name__ == "RateEstimated"]
        quarter = rates[len(rates) // 4]
        ended = sum(
            type(each).__name__ == "TestEnded" and each.seq < quarter.seq for each in played.events
        )
        shares.append(quarter.tests / max(1, played.report.tests - ended))  # type: ignore[attr-defined]
        assert rates[-1].tests == 0  # type: ignore[attr-defined]
    assert 0.6 < sum(shares) / len(shares) < 1.6
