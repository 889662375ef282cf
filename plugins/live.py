"""Runs a machine against the world: one task group, a task for each piece of work.

The machine cannot tell this from the virtual clock of ``engine/simulate.py``. Work is performed by
a coroutine function, in a task, or by a plain one, in a thread. Each gets one final reply: what it
returned; a ``Failure`` of the kind ``raise`` with the place of what it raised; or, after its
timeout or where the machine no longer wants it, ``timeout`` or ``cancelled``.

A task that is given up is interrupted, and its final reply is sent when it has come out, so what it
held is free by then. A thread cannot be interrupted: it is answered for at once and goes on; what
it returns comes ``late``, or never where the run is over before.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass

import anyio
from anyio.abc import TaskGroup
from anyio.lowlevel import checkpoint, checkpoint_if_cancelled

from batchtui.engine.machine import Failure, Input, Machine, Replied, Turn, Woken, Work
from batchtui.plugins.raised import failure_of
from batchtui.plugins.threads import in_thread

Perform = Callable[[Work], object]
"""Does a piece of work and returns the body of its reply, or an awaitable of it."""


class _Nothing:
    """What comes of work that was broken off."""


NOTHING = _Nothing()


@dataclass(eq=False)
class _Open:
    """A piece of work that somebody is at; ``scope`` is there while it can be interrupted."""

    work: Work
    scope: anyio.CancelScope | None = None
    given_up: Failure | None = None
    is_answered: bool = False


class Live:
    """A machine, and what performs its work.

    Args:
        machine: what is run; a ``Recorder`` too.
        perform: a coroutine function, or a plain one that may block and is called from threads.
        clock: the time in seconds. The machine's time is 0 when ``run`` is called.
        watch: is told of each turn before its work begins.
    """

    def __init__(
        self,
        machine: Machine,
        perform: Perform,
        *,
        clock: Callable[[], float] = anyio.current_time,
        watch: Callable[[Turn], object] | None = None,
    ) -> None:
        self.machine = machine
        self._perform = perform
        self._is_async = is_async(perform)
        self._clock = clock
        self._watch = watch
        self._began = 0.0
        self._open: dict[int, _Open] = {}
        self._news = anyio.Event()
        self._raised: BaseException | None = None

    @property
    def now(self) -> int:
        """The machine's time, in microseconds."""
        return int((self._clock() - self._began) * 1e6)

    def take(self, input: Input) -> None:
        """Something from outside; to be called on the loop's own thread."""
        self.machine.take(input)
        self._news.set()

    async def run(self) -> None:
        """Run until nothing can happen any more: no work is open, and no time is waited for.

        What ``watch`` raises, and what a machine does, comes out as it is, once all tasks have been
        cancelled; so does a ctrl+c that work was hit by.
        """
        self._began = self._clock()
        async with anyio.create_task_group() as tasks:
            try:
                while self._raised is None and await self._advance(tasks):
                    pass
            except (Exception, KeyboardInterrupt) as error:
                self._raised = error
            tasks.cancel_scope.cancel()  # threads that were given up
        if self._raised is not None:
            raise self._raised

    async def _advance(self, tasks: TaskGroup) -> bool:
        """Make a turn, or wait for something to happen; False where nothing will."""
        if self.machine.status == "ready":
            self._turn(tasks)
            await checkpoint()
            return True
        wake = None if self.machine.status == "done" else self.machine.wake_at()
        if wake is None and not self._open:
            return False
        await self._wait(wake)
        return True

    def _turn(self, tasks: TaskGroup) -> None:
        turn = self.machine.turn(self.now)
        if self._watch is not None:
            self._watch(turn)
        for work in turn.start:
            self._open[work.id] = _Open(work)
            tasks.start_soon(self._do, self._open[work.id])
        for id in turn.cancel:
            if id in self._open:
                self._give_up(self._open[id], Failure(kind="cancelled"))

    async def _wait(self, wake: int | None) -> None:
        self._news = anyio.Event()
        with anyio.move_on_after(None if wake is None else max(0, wake - self.now) / 1e6):
            await self._news.wait()
        if wake is not None and self.now >= wake:
            self.machine.take(Woken(at=self.now, unit=self.machine.unit))

    # One piece of work.

    async def _do(self, open: _Open) -> None:
        async with anyio.create_task_group() as both:
            if open.work.timeout_us is not None:
                both.start_soon(self._time_out, open, open.work.timeout_us / 1e6)
            body = await self._outcome(open)
            both.cancel_scope.cancel()
        if open.given_up is not None and not open.is_answered:
            self._answer(open, open.given_up)
        if body is not NOTHING:
            self._answer(open, body)

    async def _time_out(self, open: _Open, seconds: float) -> None:
        await anyio.sleep(seconds)
        self._give_up(open, Failure(kind="timeout"))

    def _give_up(self, open: _Open, failure: Failure) -> None:
        if open.is_answered or open.given_up is not None:
            return
        open.given_up = failure
        if open.scope is not None:
            open.scope.cancel()  # the answer comes with its end
        else:
            self._answer(open, failure)

    def _answer(self, open: _Open, body: object) -> None:
        is_late, open.is_answered = open.is_answered, True
        if not is_late:
            del self._open[open.work.id]
        self.take(Replied(work=open.work.id, body=body, final=not is_late, late=is_late))

    async def _outcome(self, open: _Open) -> object:
        """What performing it comes to; ``NOTHING`` where it was broken off."""
        if open.is_answered:
            return NOTHING
        try:
            if self._is_async:
                answer = self._perform(open.work)
            else:
                answer = await in_thread(self._perform, open.work)
            return await _awaited(answer, open) if inspect.isawaitable(answer) else answer
        except (Exception, SystemExit) as error:  # what somebody else's code raises is its fault
            return failure_of(error)
        except anyio.get_cancelled_exc_class() as error:
            await checkpoint_if_cancelled()
            return failure_of(error)  # nobody cancelled us: it raised that by itself
        except GeneratorExit:
            raise
        except BaseException as error:  # it is for our caller, and no group of tasks may wrap it
            self._raised = error
            self._news.set()
            return NOTHING


async def _awaited(answer: Awaitable[object], open: _Open) -> object:
    if open.is_answered:
        if isinstance(answer, Coroutine):
            answer.close()  # it came too late to be begun
        return NOTHING
    with anyio.CancelScope() as open.scope:
        return await answer
    return NOTHING


def is_async(function: Callable[..., object]) -> bool:
    """Whether calling it gives a coroutine; objects with an ``async __call__`` do too."""
    called = getattr(function, "__call__", None)  # noqa: B004  # not whether there is one
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)
