"""``batchtui bench nodes``: tests and rounds of the strategies beside their bars, and what a phase
costs.

A search runs on the virtual clock, all tests take equally long, there is a lane for every pair, and
the bad nodes are drawn with a seed for each run. Names are those of the nodes and the bad ones.

    64_3_tests      mean tests of fewest-tests over 1.1 LBu + 8; the unit says what others took
    256_51_log2     the same over log2 C(N,d), from 256 nodes and 40 bad ones on
    256_13_slow     how many times as long it takes where a failing test lasts three times as long
    64_3_rounds     mean rounds of fewest-tests over 2 log2 N + 4
    65_two_rounds   of all runs of fewest-rounds with up to a quarter bad, those in two rounds
    plan_ms, deduce_ms   the longest phase of fewest-tests at 4,096 nodes with 41 bad ones
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from random import Random
from statistics import fmean

from batchtui.engine.errors import InputError
from batchtui.engine.machine import Input, Replied, Turn, Work
from batchtui.engine.nodes.bounds import log2_choose, unknown_d
from batchtui.engine.nodes.config import DEFAULT_PASS_US, NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.probe import ProbeResult, Verdict
from batchtui.engine.nodes.report import Report, report_of
from batchtui.engine.nodes.search import Search
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.engine.simulate import Performer, Simulation, TimedFeed
from batchtui.plugins.benches.figures import Figure
from batchtui.plugins.benches.hwang import hwang_tests

RUNS = {64: 100, 256: 40, 1024: 10, 4096: 3}
"""Runs of a case, for each number of nodes: less where one takes longer."""

HARD = ((256, 96), (256, 102), (300, 112), (300, 120), (1024, 384), (1024, 409))
"""Between three eighths and two fifths bad, where sets of two and single nodes tell equally much,
and finding out which is better costs most beside log2 C(N,d)."""

SLOW = (256, 13, 3)
"""Nodes, bad ones, and how many times as long as a passing test a failing one lasts."""

PAIRED = (64, 65, 256, 257, 1024, 4096)
PAIRED_RUNS = 5
LARGEST, LARGEST_BAD = 4096, 41
PHASE_MS = 50.0


def run(file: str | None, repeat: int | None) -> list[Figure]:
    """Measure; ``repeat`` makes so many times as many runs of each case."""
    if file is not None:
        raise InputError("bench nodes reads no file: leave it out")
    times = repeat or 1
    return [
        *(
            figure
            for num_nodes, runs in RUNS.items()
            for num_bad in bad_counts(num_nodes)
            for figure in case(num_nodes, num_bad, runs * times)
        ),
        *(
            log2_of(num_nodes, num_bad, drawn_times(num_nodes, num_bad, times))
            for num_nodes, num_bad in HARD
        ),
        slow(*SLOW, RUNS[SLOW[0]] * times),
        *(two_rounds(num_nodes, PAIRED_RUNS * times) for num_nodes in PAIRED),
        *phases(LARGEST, LARGEST_BAD, times),
    ]


def bad_counts(num_nodes: int) -> list[int]:
    """None, few, a twentieth, a fifth, half, and where the sharper bar begins."""
    sharp = [40] if num_nodes == 256 else [LARGEST_BAD] if num_nodes == LARGEST else []
    return sorted({0, 1, 2, 3, num_nodes // 20, *sharp, num_nodes // 5, num_nodes // 2})


def case(num_nodes: int, num_bad: int, runs: int) -> Iterator[Figure]:
    """The figures of so many nodes of which so many are bad."""
    draws = [drawn(num_nodes, num_bad, seed) for seed in range(runs if num_bad else 1)]
    ours = [search(num_nodes, bad, "fewest-tests") for bad in draws]
    tests, rounds = fmean(each.tests for each in ours), fmean(each.rounds for each in ours)
    least, most = log2_choose(num_nodes, num_bad), 1.1 * unknown_d(num_nodes, num_bad) + 8
    name, others = f"{num_nodes}_{num_bad}", _others(num_nodes, draws)
    words = f"of 1.1 LBu + 8: {tests:.1f} tests; log2 C {least:.1f}"
    words += f", LBu {unknown_d(num_nodes, num_bad):.1f}, {others}"
    yield Figure(f"{name}_tests", tests / most, words, 1.0)
    if num_nodes >= 256 and num_bad >= 40:
        yield log2_of(num_nodes, num_bad, ours)
    bar = 2 * math.log2(num_nodes) + 4
    yield Figure(f"{name}_rounds", rounds / bar, f"of 2 log2 N + 4: {rounds:.1f} rounds", 1.0)


def drawn_times(num_nodes: int, num_bad: int, times: int) -> list[Report]:
    """Searches by ``fewest-tests``, as many as of a case of that size."""
    runs = times * RUNS.get(num_nodes, RUNS[256])
    draws = (drawn(num_nodes, num_bad, seed) for seed in range(runs))
    return [search(num_nodes, bad, "fewest-tests") for bad in draws]


def log2_of(num_nodes: int, num_bad: int, reports: list[Report]) -> Figure:
    """The mean tests of some searches over what tells so many sets apart."""
    tests, least = fmean(each.tests for each in reports), log2_choose(num_nodes, num_bad)
    words = f"of log2 C(N,d): {tests:.1f} tests; log2 C {least:.1f}"
    return Figure(f"{num_nodes}_{num_bad}_log2", tests / least, words, 1.08)


def slow(num_nodes: int, num_bad: int, ratio: int, runs: int) -> Figure:
    """What failing tests that last longer cost. No bar: tests then end at different times, and a
    round is a place in the longest chain of tests that waited for each other's results."""
    draws = [drawn(num_nodes, num_bad, seed) for seed in range(runs)]
    even = [search(num_nodes, bad, "fewest-tests") for bad in draws]
    late = [search(num_nodes, bad, "fewest-tests", ratio) for bad in draws]
    tests, rounds = fmean(each.tests for each in late), fmean(each.rounds for each in late)
    value = fmean(each.makespan_s for each in late) / fmean(each.makespan_s for each in even)
    words = f"times as long where a failing test lasts {ratio} times as long: {tests:.1f} tests"
    words += f" in a chain of {rounds:.1f}, no bar"
    return Figure(f"{num_nodes}_{num_bad}_slow", value, words, None)


def two_rounds(num_nodes: int, runs: int) -> Figure:
    """How many runs of ``fewest-rounds`` take exactly two rounds, with up to a quarter bad."""
    most = num_nodes // 4 if num_nodes % 2 == 0 else (num_nodes - 2) // 4
    rounds = [
        search(num_nodes, drawn(num_nodes, num_bad, seed), "fewest-rounds").rounds
        for num_bad in sorted({1, 2, 3, num_nodes // 20, most})
        for seed in range(runs)
    ]
    share = rounds.count(2) / len(rounds)
    words = f"of {len(rounds)} runs with 1 to {most} bad"
    return Figure(f"{num_nodes}_two_rounds", share, words, 1.0, at_least=True)


def phases(num_nodes: int, num_bad: int, runs: int) -> Iterator[Figure]:
    """The longest phases; of several runs the best, since others use the machine too."""
    longest = [_longest(num_nodes, drawn(num_nodes, num_bad, seed)) for seed in range(runs + 1)]
    for phase in ("plan", "deduce"):
        value = min(each[phase] for each in longest) * 1e3
        yield Figure(f"{phase}_ms", value, f"ms, {num_nodes} nodes", PHASE_MS)


def drawn(num_nodes: int, num_bad: int, seed: int) -> frozenset[int]:
    """Bad nodes, the same for the same seed."""
    return frozenset(Random(f"{num_nodes} {num_bad} {seed}").sample(range(num_nodes), num_bad))


def search(num_nodes: int, bad: frozenset[int], strategy: str, ratio: int = 1) -> Report:
    """Search to the end with a probe that never errs; a test that fails lasts so many times as
    long as one that passes."""
    machine = _machine(num_nodes, strategy, ratio)
    for _ in Simulation(machine, _probe(bad, ratio), TimedFeed([])):
        pass
    report = report_of(machine.state)
    if {*report.findings.bad} != bad or report.findings.undetermined:
        raise AssertionError(f"{strategy} found {report.findings.bad}, bad are {sorted(bad)}")
    return report


def _others(num_nodes: int, draws: list[frozenset[int]]) -> str:
    pairs = [search(num_nodes, bad, "fewest-rounds") for bad in draws]
    one = search(num_nodes, draws[0], "anchor")
    hwang = fmean(hwang_tests([node in bad for node in range(num_nodes)]) for bad in draws)
    tests, rounds = fmean(each.tests for each in pairs), fmean(each.rounds for each in pairs)
    return f"fewest-rounds {tests:.1f} in {rounds:.1f}, anchor {one.tests}, Hwang {hwang:.1f}"


def _machine(num_nodes: int, strategy: str, ratio: int = 1) -> Search:
    fail_us = DEFAULT_PASS_US * ratio
    config = NodesConfig(inventory=numbered(num_nodes), strategy=strategy, fail_us=fail_us)
    return Search(config, strategy_named, observed=False)


def _probe(bad: frozenset[int], ratio: int = 1) -> Performer:
    def perform(work: Work) -> list[tuple[int, Input]]:
        is_fine = bad.isdisjoint(work.spec.nodes)
        verdict: Verdict = "pass" if is_fine else "fail"
        lasts = DEFAULT_PASS_US * (1 if is_fine else ratio)
        return [(lasts, Replied(work=work.id, body=ProbeResult(verdict=verdict)))]

    return perform


def _longest(num_nodes: int, bad: frozenset[int]) -> dict[str, float]:
    config = NodesConfig(inventory=numbered(num_nodes))
    machine = _Timed(config)
    for _ in Simulation(machine, _probe(bad), TimedFeed([])):
        pass
    return machine.longest


class _Timed(Search):
    """A search that notes how long its longest turns took, in seconds."""

    def __init__(self, config: NodesConfig) -> None:
        super().__init__(config, strategy_named)
        self.longest: dict[str, float] = {}

    def turn(self, now: int) -> Turn:
        """Do one phase, by the clock."""
        began = time.perf_counter()
        turn = super().turn(now)
        spent = time.perf_counter() - began
        self.longest[turn.phase] = max(spent, self.longest.get(turn.phase, 0.0))
        return turn
