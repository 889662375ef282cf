"""Workloads that are streamed: a first pass checks the whole file, later ones read it again.

So nothing runs if any line is bad, and a file of any length costs no memory unless its arrivals
are out of order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain
from operator import attrgetter
from pathlib import Path

import msgspec

from batchtui.engine.batching.request import Request
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.lines import name_of
from batchtui.plugins.formats.survey import Survey
from batchtui.plugins.formats.workload import Workload


def stream_workload(
    path: Path, format: str, read: Callable[[], Iterator[Request]], *, from_first: bool = False
) -> Workload:
    """Read a file of requests once to check it, and say how to read it again.

    Args:
        path: the file.
        format: the reader's name.
        read: begins to read the requests in the order of the file.
        from_first: whether arrivals are times of day, to be counted from the earliest.

    Raises:
        InputError: what ``read`` raises, or there are no requests.
    """
    survey = Survey()
    for request in read():
        survey.add(request)
    if not survey.num_requests:
        raise InputError(f"{name_of(path)} has no requests: want one a line")
    origin_us = survey.first_us if from_first else 0

    def requests() -> Iterator[Request]:
        found = read() if survey.in_order else iter(sorted(read(), key=attrgetter("arrival_us")))
        return (_moved(request, -origin_us) for request in found) if origin_us else found

    return Workload(
        name=path.name,
        format=format,
        num_requests=survey.num_requests,
        requests=requests,
        can_wait_in_file=not survey.has_deadlines and not survey.repeats_ids(),
    )


def repeat(workload: Workload, times: int) -> Workload:
    """Play a workload several times in a row.

    A copy begins one mean gap between arrivals after the last arrival of the copy before it; its
    ids end in the copy's number from 2 on (``row-1.2``), and its indices go on where those of the
    last one ended.

    Raises:
        InputError: ``times`` is below 1, or the workload goes by steps, which have no gaps.
    """
    if times < 1:
        raise InputError(f"a workload cannot be played {times} times: want 1 or more")
    if times == 1:
        return workload
    if workload.steps is not None or workload.scripts:
        raise InputError(
            f"{name_of(Path(workload.name))} is a case with steps: it cannot be repeated"
        )
    period_us = _period_us(workload)

    def requests() -> Iterator[Request]:
        yield from workload.requests()
        for copy in range(1, times):
            by_us, by_places = copy * period_us, copy * workload.num_requests
            for request in workload.requests():
                yield _copied(request, copy + 1, by_us, by_places)

    return msgspec.structs.replace(
        workload, num_requests=workload.num_requests * times, requests=requests
    )


def _period_us(workload: Workload) -> int:
    """From the first arrival to the last, and one mean gap; 0 for a single request."""
    arrivals = (request.arrival_us for request in workload.requests())
    first_us = next(arrivals)
    last_us = deque(chain([first_us], arrivals), maxlen=1).pop()
    span_us, num_gaps = last_us - first_us, workload.num_requests - 1
    return span_us + round(span_us / num_gaps) if num_gaps else 0


def _moved(request: Request, by_us: int) -> Request:
    return msgspec.structs.replace(request, arrival_us=request.arrival_us + by_us)


def _copied(request: Request, copy: int, by_us: int, by_places: int) -> Request:
    return msgspec.structs.replace(
        request,
        request_id=f"{request.request_id}.{copy}",
        arrival_us=request.arrival_us + by_us,
        index=request.index + by_places,
    )
