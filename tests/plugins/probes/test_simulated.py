"""The simulated probe: what is wrong with its nodes is what its tests say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.probes.asking import asked

from batchtui.engine.errors import InputError
from batchtui.plugins.probes.factory import ProbeOptions
from batchtui.plugins.probes.simulated import SimulatedProbe
from batchtui.plugins.probes.simulated_config import SimulatedConfig


def probe(**said: Any) -> SimulatedProbe:
    return SimulatedProbe(SimulatedConfig(**said))


@given(
    st.frozensets(st.integers(0, 9)),
    st.lists(st.integers(0, 9), min_size=2, unique=True),
    st.integers(0, 99),
)
def test_a_set_passes_exactly_if_it_has_no_bad_node(
    bad: frozenset[int], nodes: list[int], seed: int
) -> None:
    result = probe(bad=tuple(bad), seed=seed).test(asked(*nodes))
    assert (result.verdict == "pass") == bad.isdisjoint(nodes)


def test_a_test_that_passes_takes_its_time_and_measures_the_bandwidth() -> None:
    result = probe(pass_s=30).test(asked(0, 1))
    assert (result.verdict, result.reason, result.seconds) == ("pass", "", 30)
    assert result.busbw_gbs == pytest.approx(400, rel=0.02)


def test_the_bandwidth_falls_as_sets_grow() -> None:
    pair, many = probe().test(asked(0, 1)), probe().test(asked(*range(256)))
    assert pair.busbw_gbs is not None and many.busbw_gbs is not None
    assert 0.85 * pair.busbw_gbs < many.busbw_gbs < 0.97 * pair.busbw_gbs


def test_a_bad_node_takes_the_test_to_its_timeout_unless_a_time_is_said() -> None:
    hanging = probe(bad=(1,)).test(asked(0, 1))
    assert (hanging.verdict, hanging.reason, hanging.seconds) == ("fail", "timeout", 120)
    crashing = probe(bad=(1,), fail_s=7).test(asked(0, 1))
    assert (crashing.reason, crashing.seconds, crashing.exit_codes) == ("exit_code", 7, (134, 134))


def test_a_link_fails_only_where_both_its_ends_are() -> None:
    linked = probe(links=((0, 3),))
    verdicts = {nodes: linked.test(asked(*nodes)).verdict for nodes in [(0, 1), (2, 3), (3, 1, 0)]}
    assert verdicts == {(0, 1): "pass", (2, 3): "pass", (3, 1, 0): "fail"}


def test_a_node_that_hangs_runs_into_the_timeout_whatever_a_failure_takes() -> None:
    result = probe(hangs=(0,), fail_s=7).test(asked(0, 1))
    assert (result.verdict, result.reason, result.seconds) == ("fail", "timeout", 120)


def test_a_slow_node_takes_so_many_times_as_long_and_falls_below_the_floor() -> None:
    result = probe(slow=(1,), slow_factor=2).test(asked(0, 1))
    assert (result.verdict, result.reason, result.seconds) == ("fail", "below_floor", 80)
    assert result.busbw_gbs == pytest.approx(200, rel=0.02)


def test_a_node_that_is_hardly_slower_stays_above_the_floor() -> None:
    result = probe(slow=(1,), slow_factor=1.1).test(asked(0, 1))
    assert (result.verdict, result.seconds) == ("pass", 44)


def test_a_broken_launcher_proves_nothing_whoever_else_is_bad() -> None:
    result = probe(bad=(0,), broken=(1,)).test(asked(0, 1))
    assert (result.verdict, result.reason, result.seconds) == ("inconclusive", "startup", 5)


@pytest.mark.parametrize(
    ("said", "verdict", "of"),
    [
        ({"false_alarms": 0.3}, "fail", 0.3),
        ({"misses": 0.3, "bad": (0,)}, "pass", 0.3),
        ({"misses": 0.3, "slow": (0,)}, "pass", 0.3),
        ({"misses": 0.3}, "pass", 1.0),
        ({"false_alarms": 0.3, "bad": (0,)}, "fail", 1.0),
        ({"startup_failures": 0.3, "bad": (0,)}, "inconclusive", 0.3),
    ],
)
def test_what_is_drawn_comes_as_often_as_is_said(
    said: dict[str, Any], verdict: str, of: float
) -> None:
    drawn = probe(**said)
    results = [str(drawn.test(asked(0, 1, id=number)).verdict) for number in range(2000)]
    assert results.count(verdict) / 2000 == pytest.approx(of, abs=0.03)


def test_times_vary_by_the_jitter() -> None:
    jittery = probe(jitter=0.25)
    times = [jittery.test(asked(0, 1, id=number)).seconds for number in range(200)]
    assert 30 <= min(times) < 32 and 48 < max(times) <= 50


NOISY = {"false_alarms": 0.4, "misses": 0.4, "startup_failures": 0.2, "jitter": 0.5, "bad": (2,)}


def test_an_attempt_a_test_and_a_seed_each_draw_anew() -> None:
    one = probe(jitter=0.5)
    assert len({one.test(asked(0, 1, attempt=n)).seconds for n in range(9)}) == 9
    assert len({one.test(asked(0, 1, id=n)).seconds for n in range(9)}) == 9
    assert len({probe(jitter=0.5, seed=n).test(asked(0, 1)).seconds for n in range(9)}) == 9


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 3)), max_size=9))
def test_what_was_tested_before_makes_no_difference(before: list[tuple[int, int]]) -> None:
    used = probe(**NOISY)
    for number, attempt in before:
        used.test(asked(1, 2, id=number, attempt=attempt))
    assert used.test(asked(0, 2)) == probe(**NOISY).test(asked(2, 0))


@pytest.mark.parametrize(
    "said",
    [
        {"false_alarms": 1.5},
        {"misses": -0.1},
        {"startup_failures": float("nan")},
        {"pass_s": 0},
        {"fail_s": float("inf")},
        {"jitter": 1},
        {"slow_factor": 0.5},
        {"busbw_gbs": 0},
        {"floor_gbs": -1},
        {"bad": (-1,)},
        {"links": ((3, 3),)},
    ],
)
def test_a_value_out_of_its_range_is_refused_by_name(said: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(said))):
        SimulatedConfig(**said)


def test_options_are_read_from_the_command_line() -> None:
    options = ProbeOptions("misses=0.25,pass_s=9", 7, {"bad": (3,)})
    assert SimulatedProbe.from_options(options).config == SimulatedConfig(
        misses=0.25, pass_s=9, bad=(3,), seed=7
    )


@pytest.mark.parametrize("argument", ["mises=1", "misses=2", "misses=x", "misses=0,misses=0"])
def test_options_that_do_not_fit_are_refused_in_one_line(argument: str) -> None:
    with pytest.raises(InputError, match=r"^the simulated probe [^\n]*$"):
        SimulatedProbe.from_options(ProbeOptions(argument))
