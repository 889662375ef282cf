from __future__ import annotations

import pytest

from batchtui.engine.nodes.strategies.stages import MAX_STAGES, Stages, best_pass, sizes_to


@pytest.mark.parametrize(
    ("ratio", "passes"), [(1, 0.5), (2, 0.618), (3, 0.682), (5, 0.755), (10, 0.835), (20, 0.894)]
)
def test_the_best_pass_probability_minds_the_timeout(ratio: float, passes: float) -> None:
    assert best_pass(ratio) == pytest.approx(passes, abs=5e-4)


def test_sizes_rise_from_one_to_the_count() -> None:
    sizes = sizes_to(100)
    assert sizes[:4] == (1, 2, 3, 4)
    assert sizes[-1] == 100
    assert [*sizes] == sorted(set(sizes))


def _stages(rate: float, lanes: int, ratio: float = 1) -> Stages:
    return Stages([rate], [1.0], lanes, ratio)


def test_with_few_lanes_the_pools_are_larger() -> None:
    sizes = [_stages(0.01, lanes).pools(1024).size for lanes in (512, 64, 8)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_two_stages_on_one_lane_are_near_one_over_the_root_of_the_rate() -> None:
    stages = _stages(0.01, 1)
    plans = {size: stages.parts(size, 1000, 1).tests / size for size in (5, 10, 20)}
    assert plans[10] < 2 * plans[5]  # of a set that failed, everybody is tested
    assert stages.pools(1000).size > 10  # more stages, larger pools
    assert 1 <= stages.pools(1000).stages <= MAX_STAGES


def test_where_failures_take_longer_pools_are_smaller() -> None:
    assert _stages(0.02, 8, 10).pools(512).size < _stages(0.02, 8, 1).pools(512).size


def test_a_first_pool_passes_as_often_as_is_best_at_least() -> None:
    for ratio in (1.0, 3.0, 10.0):
        size = _stages(0.03, 1, ratio).pools(4096).size
        assert (1 - 0.03) ** size >= best_pass(ratio)


def test_where_most_are_bad_nodes_are_tested_one_by_one() -> None:
    assert _stages(0.7, 4).pools(100).size == 1


def test_parts_are_smaller_than_the_set_and_the_last_stage_is_one_by_one() -> None:
    stages = _stages(0.01, 4)
    for size in (2, 3, 7, 50):
        assert stages.parts(size, size, 3).size <= size / 2
        assert stages.parts(size, size, 1).size == 1
