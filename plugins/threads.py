"""Blocking calls beside an event loop, each in a thread of its own.

Nobody can interrupt a thread. So these are daemons: one that hangs is left behind when its caller
is cancelled, and does not keep the process from ending, as the threads of a pool would.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

ArgumentT = TypeVar("ArgumentT")
AnswerT = TypeVar("AnswerT")


async def in_thread(function: Callable[[ArgumentT], AnswerT], argument: ArgumentT) -> AnswerT:
    """Call a function in a new thread and wait for what it returns or raises.

    Where the wait is cancelled the function goes on, and nobody hears of it.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[AnswerT] = loop.create_future()

    def settle(put: Callable[[], None]) -> None:
        if not answer.cancelled():
            put()

    def work() -> None:
        try:
            value = function(argument)
        except BaseException as error:  # it belongs to whoever waits
            put = _raiser(answer, error)
        else:
            put = _giver(answer, value)
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(settle, put)

    context = contextvars.copy_context()
    Thread(target=context.run, args=(work,), name="batchtui call", daemon=True).start()
    return await answer


def _giver(answer: asyncio.Future[AnswerT], value: AnswerT) -> Callable[[], None]:
    return lambda: answer.set_result(value)


def _raiser(answer: asyncio.Future[AnswerT], error: BaseException) -> Callable[[], None]:
    if isinstance(error, StopIteration):  # which no future takes
        wrapped = RuntimeError("the call raised StopIteration")
        wrapped.__cause__ = error
        return lambda: answer.set_exception(wrapped)
    return lambda: answer.set_exception(error)
