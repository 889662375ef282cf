from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from batchtui.engine.batching.request import Request, SamplingParams
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.stream import repeat, stream_workload
from batchtui.plugins.formats.workload import Workload, shared_params


def reader(*arrivals_us: int) -> Callable[[], Iterator[Request]]:
    def read() -> Iterator[Request]:
        for index, arrival_us in enumerate(arrivals_us):
            yield Request(
                request_id=f"row-{index + 1}",
                params=SamplingParams(),
                index=index,
                arrival_us=arrival_us,
            )

    return read


def workload(*arrivals_us: int, from_first: bool = False) -> Workload:
    return stream_workload(Path("t"), "test", reader(*arrivals_us), from_first=from_first)


def test_a_workload_is_read_anew_each_time_it_is_asked_for() -> None:
    once = workload(0, 5, 5)
    assert [list(once.requests()) for _ in range(2)] == [list(reader(0, 5, 5)())] * 2
    assert once.num_requests == 3


def test_arrivals_are_sorted_and_equals_keep_their_order() -> None:
    found = [(request.arrival_us, request.index) for request in workload(7, 3, 7, 3).requests()]
    assert found == [(3, 1), (3, 3), (7, 0), (7, 2)]


@pytest.mark.parametrize(
    ("from_first", "arrivals"), [(True, [0, 20, 50]), (False, [100, 120, 150])]
)
def test_times_of_day_are_counted_from_the_earliest(from_first: bool, arrivals: list[int]) -> None:
    moved = workload(120, 100, 150, from_first=from_first)
    assert [request.arrival_us for request in moved.requests()] == arrivals


def test_a_copy_begins_one_mean_gap_after_the_last_arrival_before_it() -> None:
    played = repeat(workload(10, 20, 60), 3)
    found = [
        (request.request_id, request.index, request.arrival_us) for request in played.requests()
    ]
    assert played.num_requests == 9
    assert found == [
        ("row-1", 0, 10),
        ("row-2", 1, 20),
        ("row-3", 2, 60),
        ("row-1.2", 3, 85),
        ("row-2.2", 4, 95),
        ("row-3.2", 5, 135),
        ("row-1.3", 6, 160),
        ("row-2.3", 7, 170),
        ("row-3.3", 8, 210),
    ]


def test_a_repeated_workload_can_be_repeated_and_read_again() -> None:
    twice = repeat(repeat(workload(0, 10), 2), 2)
    arrivals = [request.arrival_us for request in twice.requests()]
    assert arrivals == [0, 10, 20, 30, 40, 50, 60, 70]
    assert arrivals == [request.arrival_us for request in twice.requests()]


def test_copies_of_a_single_request_come_together() -> None:
    assert [request.arrival_us for request in repeat(workload(5), 3).requests()] == [5, 5, 5]


def test_once_is_the_workload_itself() -> None:
    once = workload(1)
    assert repeat(once, 1) is once


def test_less_than_once_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be played 0 times"):
        repeat(workload(1), 0)


def test_what_goes_by_steps_cannot_be_repeated() -> None:
    by_steps = Workload(
        name="case.json", format="case", num_requests=1, requests=reader(1), steps=[]
    )
    with pytest.raises(InputError, match=r"^case\.json is a case with steps"):
        repeat(by_steps, 2)


def test_equal_parameters_are_shared_and_other_ones_are_not() -> None:
    assert shared_params(max_tokens=3) is shared_params(max_tokens=3)
    assert shared_params(max_tokens=3) == SamplingParams(max_tokens=3)
    assert shared_params(max_tokens=3) != shared_params(max_tokens=4)
    assert shared_params(logprobs=0) is shared_params(logprobs=0)
    assert shared_params(logprobs=0) != shared_params()
