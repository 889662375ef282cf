"""Runs a machine where it is called: each piece of work in the caller's own thread, one by one.

Nothing can be interrupted here. Work that takes longer than its timeout has failed all the same,
and its reply comes late, as with ``plugins/live.py``.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable, Iterator

import anyio

from batchtui.engine.machine import Failure, Machine, Replied, Turn, Woken, Work
from batchtui.plugins.live import Perform
from batchtui.plugins.raised import failure_of


def run_inline(
    machine: Machine,
    perform: Perform,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
    watch: Callable[[Turn], object] = lambda turn: None,
) -> None:
    """Run until nothing can happen any more.

    Args:
        machine: what is run.
        perform: does a piece of work. An awaitable that it returns is run in a loop of its own.
        clock: the time in seconds; the machine's time is 0 now.
        sleep: waits for so many seconds.
        watch: is told of each turn before its work begins.
    """
    began = clock()

    def now() -> int:
        return int((clock() - began) * 1e6)

    while True:
        if machine.status == "ready":
            turn = machine.turn(now())
            watch(turn)
            for work in turn.start:
                started = now()
                body = _outcome(perform, work)
                for reply in _replies(work, body, now() - started):
                    machine.take(reply)
            continue
        wake = None if machine.status == "done" else machine.wake_at()
        if wake is None:
            return
        sleep(max(0, wake - now()) / 1e6)
        machine.take(Woken(at=now(), unit=machine.unit))


def _outcome(perform: Perform, work: Work) -> object:
    try:
        answer = perform(work)
        if inspect.isawaitable(answer):
            return anyio.run(_awaited, answer, work.timeout_us)
        return answer
    except (Exception, SystemExit) as error:  # what somebody else's code raises is its fault
        return failure_of(error)


async def _awaited(answer: Awaitable[object], timeout_us: int | None) -> object:
    with anyio.move_on_after(None if timeout_us is None else timeout_us / 1e6):
        return await answer
    return Failure(kind="timeout")


def _replies(work: Work, body: object, took_us: int) -> Iterator[Replied[object]]:
    is_late = work.timeout_us is not None and took_us > work.timeout_us
    if is_late:
        yield Replied(work=work.id, body=Failure(kind="timeout"))
    yield Replied(work=work.id, body=body, final=not is_late, late=is_late)
