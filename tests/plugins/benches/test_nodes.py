"""``bench nodes``: ratios by name, the bars, and the searches that they stand beside."""

from __future__ import annotations

import itertools
import math
from statistics import fmean

import pytest

from batchtui.engine.errors import InputError
from batchtui.plugins.benches import nodes
from batchtui.plugins.benches.hwang import hwang_tests


def test_a_case_has_a_ratio_for_each_bar() -> None:
    few = list(nodes.case(64, 3, 4))
    assert [figure.name for figure in few] == ["64_3_tests", "64_3_rounds"]
    many = list(nodes.case(256, 51, 4))
    assert [figure.name for figure in many] == ["256_51_tests", "256_51_log2", "256_51_rounds"]
    assert [figure.bar for figure in many] == [1.0, 1.08, 1.0]
    assert all(figure.holds for figure in few)
    assert "Hwang" in few[0].unit


@pytest.mark.parametrize("num_nodes", [64, 65])
def test_a_quarter_of_bad_nodes_takes_two_rounds(num_nodes: int) -> None:
    figure = nodes.two_rounds(num_nodes, 1)
    assert figure.value == 1.0
    assert figure.at_least


def test_the_hard_rates_stand_beside_the_same_bar() -> None:
    figure = nodes.log2_of(64, 24, nodes.drawn_times(64, 24, 1)[:4])
    assert (figure.name, figure.bar) == ("64_24_log2", 1.08)
    assert figure.value > 1
    assert {d / n for n, d in nodes.HARD} >= {3 / 8, 2 / 5}


def test_failing_tests_that_last_longer_have_no_bar() -> None:
    figure = nodes.slow(64, 3, 3, 3)
    assert (figure.name, figure.bar) == ("64_3_slow", None)
    assert 1 < figure.value <= 3
    assert "no bar" in figure.unit


def test_phases_are_timed() -> None:
    figures = list(nodes.phases(64, 3, 1))
    assert [figure.name for figure in figures] == ["plan_ms", "deduce_ms"]
    assert all(0 < figure.value < 50 for figure in figures)


def test_it_reads_no_file() -> None:
    with pytest.raises(InputError, match="bench nodes reads no file"):
        nodes.run("trace.csv", None)


def test_hwang_finds_within_his_bound_for_every_configuration() -> None:
    for num_bad in range(9):
        counts = []
        for bad in itertools.combinations(range(8), num_bad):
            counts.append(hwang_tests([node in bad for node in range(8)]))
        assert fmean(counts) >= math.log2(math.comb(8, num_bad))
        assert max(counts) <= math.ceil(math.log2(math.comb(8, num_bad))) + max(
            0, num_bad - 1, num_bad == 1
        )


def test_hwang_needs_no_test_where_none_or_all_are_bad() -> None:
    assert hwang_tests([False] * 9) == hwang_tests([True] * 9) == 0
