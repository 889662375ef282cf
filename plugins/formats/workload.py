"""What a reader makes of a file: requests in order of arrival, and what else the file says.

A file is checked whole before anything of it runs, and read a second time while it runs, so that a
million requests in order cost no memory. Only a file whose arrivals are out of order is held and
sorted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Protocol

import msgspec

from batchtui.engine.batching.request import DEFAULT_MAX_TOKENS, Request, SamplingParams
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Input
from batchtui.plugins.formats.lines import name_of, printable


class Fault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault to be played at a model call.

    It hits the ``call``-th model call (from 1, calls made again counted), or the first one that
    ``request_id`` takes part in; with ``always`` every one from there on.

    Raises:
        ValueError: neither or both of ``call`` and ``request_id``, or an unknown ``kind``.
    """

    kind: str
    call: int | None = None
    request_id: str | None = None
    always: bool = False

    KINDS = ("raise", "short", "swap", "duplicate", "late", "empty")

    def __post_init__(self) -> None:
        if self.kind not in self.KINDS:
            raise ValueError(f"kind is {printable(self.kind)}: want one of {', '.join(self.KINDS)}")
        if (self.call is None) == (self.request_id is None):
            raise ValueError("a fault wants either call or request_id")
        if self.call is not None and self.call < 1:
            raise ValueError(f"fault call is {self.call}: calls are counted from 1")


class ScriptToken(msgspec.Struct, frozen=True):
    """One token of a script: ``data`` is its bytes, None for EOS; ``id`` only if it is said."""

    data: bytes | None
    id: int | None = None


class Script(msgspec.Struct, frozen=True):
    """What the model returns to one request: tokens call by call; EOS when it has run out.

    ``abort_in_call`` aborts the request while its call of that number (from 1) is in flight.
    """

    calls: tuple[tuple[ScriptToken, ...], ...]
    abort_in_call: int | None = None


class Workload(msgspec.Struct, kw_only=True):
    """Requests, and what their file says about how to run them.

    Attributes:
        name: the file's name, for a title.
        format: the reader's name.
        num_requests: how many there are, known since the file was checked whole.
        requests: begins to read them in order of arrival; ``Request.index`` is the place in the
            file.
        backend: the model that the file asks for, if it does.
        options: what a case says of the run: ``slots``, ``policy``, ``block_size``,
            ``num_gpu_blocks``.
        scripts: of a case, by ``Request.index``.
        faults: of a case, by call or by ``request_id``.
        steps: of a case: (step, time -> input) for what comes before a step instead of at a time;
            the requests of such a workload come through ``steps`` alone.
    """

    name: str
    format: str
    num_requests: int
    requests: Callable[[], Iterator[Request]]
    backend: str | None = None
    options: dict[str, int | str] = {}
    scripts: dict[int, Script] = {}
    faults: tuple[Fault, ...] = ()
    steps: list[tuple[int, Callable[[int], Input]]] | None = None


class Format(Protocol):
    """A reader of one kind of file, found by the entry point group ``batchtui.formats``."""

    name: str

    def recognises(self, head: bytes) -> bool:
        """Whether a file that begins so (up to 64 KiB, decompressed) is of this kind."""

    def read(self, path: Path) -> Workload:
        """Check the whole file and return its workload.

        Raises:
            InputError: naming the line and the fault.
        """


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
    num_requests, last_us, in_order, first_us = 0, 0, True, None
    for request in read():
        num_requests += 1
        arrival_us = request.arrival_us
        in_order = in_order and arrival_us >= last_us
        last_us = arrival_us
        first_us = arrival_us if first_us is None else min(first_us, arrival_us)
    if first_us is None:
        raise InputError(f"{name_of(path)} has no requests: want one a line")
    origin_us = first_us if from_first else 0

    def requests() -> Iterator[Request]:
        found = read() if in_order else iter(sorted(read(), key=attrgetter("arrival_us")))
        return (_moved(request, -origin_us) for request in found) if origin_us else found

    return Workload(name=path.name, format=format, num_requests=num_requests, requests=requests)


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


@lru_cache(maxsize=4096)
def shared_params(
    *,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    min_tokens: int = 0,
    stop: tuple[str, ...] = (),
    stop_token_ids: tuple[int, ...] = (),
    ignore_eos: bool = False,
    include_stop_str_in_output: bool = False,
    seed: int | None = None,
    temperature: float = 1.0,
    top_p: float = 1.0,
) -> SamplingParams:
    """The one object for these parameters, as long as they are asked for now and then.

    A million requests have a handful of them; where each has its own seed they are not worth
    keeping, hence the bound.
    """
    return SamplingParams(
        max_tokens=max_tokens,
        min_tokens=min_tokens,
        stop=stop,
        stop_token_ids=stop_token_ids,
        ignore_eos=ignore_eos,
        include_stop_str_in_output=include_stop_str_in_output,
        seed=seed,
        temperature=temperature,
        top_p=top_p,
    )
