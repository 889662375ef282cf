"""The default strategy: its bars, its rounds, and where it does otherwise than halving."""

from __future__ import annotations

import math
import statistics
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.nodes.play import SECOND, TEST, Played, inventory, play

from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.bounds import log2_choose, unknown_d
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.probe import GroupTest, Verdict
from batchtui.engine.nodes.search import Search


def _drawn(num_nodes: int, num_bad: int, seed: int) -> set[int]:
    return {*Random(f"{num_nodes} {num_bad} {seed}").sample(range(num_nodes), num_bad)}


@pytest.mark.parametrize("num_nodes", [2, 3, 64, 1000, 20_000])
def test_a_healthy_cluster_takes_one_test(num_nodes: int) -> None:
    played = play(num_nodes, set(), observed=False)
    assert played.report.tests == played.report.rounds == 1
    assert len(played.report.findings.good) == num_nodes


def test_one_bad_of_sixty_four_takes_thirteen_tests_at_the_most_on_average() -> None:
    tests = [play(64, {bad}, observed=False).report.tests for bad in range(64)]
    assert statistics.fmean(tests) <= 11
    assert max(tests) <= 13


@pytest.mark.parametrize(
    ("num_nodes", "num_bad", "seeds"),
    [(64, 1, 12), (64, 3, 12), (64, 13, 12), (64, 32, 12), (256, 13, 8), (256, 51, 12)],
)
def test_tests_and_rounds_keep_to_their_bars(num_nodes: int, num_bad: int, seeds: int) -> None:
    reports = [
        play(num_nodes, _drawn(num_nodes, num_bad, seed), observed=False).report
        for seed in range(seeds)
    ]
    tests = statistics.fmean(report.tests for report in reports)
    assert tests <= 1.1 * unknown_d(num_nodes, num_bad) + 8
    assert statistics.fmean(report.rounds for report in reports) <= 2 * math.log2(num_nodes) + 4
    if num_nodes >= 256 and num_bad >= 40:
        assert tests <= 1.08 * log2_choose(num_nodes, num_bad)


@settings(max_examples=30)
@given(num_nodes=st.integers(1, 80), data=st.data())
def test_with_equal_times_the_rounds_are_the_moments_of_launch(
    num_nodes: int, data: st.DataObject
) -> None:
    bad = data.draw(st.sets(st.integers(0, num_nodes - 1)))
    lanes = data.draw(st.sampled_from([None, 1, 3]))
    played = play(num_nodes, bad, observed=False, max_parallel=lanes)
    assert played.report.rounds == played.launches == played.report.makespan_s * SECOND / TEST


def test_tests_that_end_one_by_one_take_hardly_more_of_them() -> None:
    def mean(ragged: bool) -> float:
        return statistics.fmean(_tests(seed, ragged) for seed in range(6))

    assert mean(True) <= 1.06 * mean(False)


def _tests(seed: int, ragged: bool) -> int:
    rng = Random(seed)

    def duration(test: GroupTest, passed: bool) -> int:
        return rng.randrange(20 * SECOND, 60 * SECOND) if ragged else TEST

    bad = _drawn(256, 13, seed)
    return play(256, bad, duration=duration, observed=False).report.tests


def test_suspicious_nodes_are_found_in_fewer_tests_than_if_nothing_were_said() -> None:
    bad = {7, 20, 41}
    priors = [40.0 if node in bad | {3, 30} else 0.5 for node in range(64)]
    told = play(inventory(priors), bad).report
    assert told.findings.bad == [7, 20, 41]
    assert told.tests < play(64, bad).report.tests


def test_where_priors_say_that_all_together_fail_they_are_not_tested_together() -> None:
    played = play(inventory([1.0] * 40 + [100_000.0] * 4), {40, 41, 42, 43})
    assert all(len(test.nodes) < 44 for _, test in played.begun)
    assert played.report.findings.bad == [40, 41, 42, 43]


def test_the_rest_of_a_set_of_which_a_part_failed_is_pooled_anew() -> None:
    played = play(16, {0, 1})
    sizes = [len(event.nodes) for event in played.said(said.TestPlanned)]
    whys = [event.why for event in played.said(said.TestPlanned)]
    assert sizes[0] == 16
    assert whys[0] == "all of them"
    assert whys[1] == "part of 16 that failed"
    assert "a pool of the free" in whys


def test_the_only_good_pair_is_hunted_for() -> None:
    played = play(16, {*range(16)} - {5, 12})
    assert played.report.findings.good == [5, 12]
    assert any(event.why == "no pair has passed yet" for event in played.said(said.TestPlanned))


@pytest.mark.parametrize("good", [set[int](), {4}])
def test_where_at_most_one_is_good_every_pair_is_tested_and_none_twice(good: set[int]) -> None:
    played = play(8, {*range(8)} - good)
    sets = [test.nodes for _, test in played.begun]
    assert len({*sets}) == len(sets)
    assert sum(len(nodes) == 2 for nodes in sets) == 28
    assert played.report.ended == "at_most_one_good"


def test_few_lanes_go_to_what_failed_before_new_pools_are_opened() -> None:
    planned = play(64, {0, 20, 40}, max_parallel=1).said(said.TestPlanned)
    ended = play(64, {0, 20, 40}, max_parallel=1).said(said.TestEnded)
    parts = [
        i for i, test in enumerate(ended) if test.verdict == "fail" and len(planned[i].nodes) > 2
    ]
    # A pool comes only where no set is left to be cut: a failed one is cut at once.
    assert parts
    assert all(planned[i + 1].why != "a pool of the free" for i in parts)


def test_a_set_that_proved_nothing_is_searched_as_if_it_had_failed() -> None:
    def oracle(test: GroupTest) -> Verdict:
        return "inconclusive" if len(test.nodes) > 8 else "fail" if 9 in test.nodes else "pass"

    played = play(16, oracle, max_attempts=1)
    assert played.report.findings.bad == [9]
    assert not played.report.findings.undetermined


def test_excluding_the_only_good_ones_begins_the_hunt_anew() -> None:
    bad = {*range(2, 10)} - {8, 9}
    cleared = next(at for at, known in _when_known(play(10, bad)) if {0, 1} <= known)
    options = [(cleared, NodesOptions(exclude=(0, 1)))]
    played = play(10, bad, options=options)
    assert {8, 9} <= {*played.report.findings.good}


def _when_known(played: Played) -> list[tuple[int, set[int]]]:
    known: set[int] = set()
    times = []
    for event in played.events:
        if isinstance(event, said.NodesCleared):
            known |= {*event.nodes}
        times.append((event.at, {*known}))
    return times


def test_what_it_expects_is_right_within_a_fifth_on_average() -> None:
    expected, needed = 0.0, 0.0
    for seed in range(10):
        played = play(256, _drawn(256, 13, seed))
        done = 0
        for event in played.events:
            done += isinstance(event, said.TestEnded)
            if isinstance(event, said.RateEstimated):
                expected += event.tests
                needed += played.report.tests - done
    assert expected == pytest.approx(needed, rel=0.2)


def test_a_phase_of_four_thousand_nodes_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    turn, spent = Search.turn, list[float]()

    def timed(self: Search, now: int) -> object:
        began = time.process_time()
        made = turn(self, now)
        spent.append(time.process_time() - began)
        return made

    monkeypatch.setattr(Search, "turn", timed)
    played = play(4096, _drawn(4096, 41, 0))
    assert len(played.report.findings.bad) == 41
    # It takes 15 ms at the worst; a garbage collection may fall into one of them.
    assert sorted(spent)[-3] < 0.05
    assert sum(spent) < 2
