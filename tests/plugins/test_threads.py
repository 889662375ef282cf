from __future__ import annotations

import contextvars
from threading import Event, current_thread, get_ident

import anyio
import pytest

from batchtui.plugins.threads import in_thread

PATIENCE_S = 20


def test_it_is_called_in_another_thread_that_keeps_no_process() -> None:
    def where(argument: str) -> tuple[str, int, bool]:
        return argument, get_ident(), current_thread().daemon

    argument, thread, is_daemon = anyio.run(in_thread, where, "x")
    assert (argument, is_daemon) == ("x", True)
    assert thread != get_ident()


@pytest.mark.parametrize("error", [ValueError("why"), SystemExit(3)])
def test_what_it_raises_is_raised(error: BaseException) -> None:
    def fails(argument: int) -> int:
        raise error

    async def main() -> None:
        with pytest.raises(type(error)) as caught:
            await in_thread(fails, 1)
        assert caught.value is error

    anyio.run(main)


def test_a_stop_iteration_does_not_vanish() -> None:
    def fails(argument: int) -> int:
        raise StopIteration

    with pytest.raises(RuntimeError, match="StopIteration") as caught:
        anyio.run(in_thread, fails, 1)
    assert isinstance(caught.value.__cause__, StopIteration)


def test_context_variables_are_the_callers() -> None:
    name = contextvars.ContextVar("name", default="nobody")

    async def main() -> str:
        name.set("caller")
        return await in_thread(lambda argument: name.get(), None)

    assert anyio.run(main) == "caller"


def test_whoever_is_cancelled_does_not_wait_for_it() -> None:
    begun, release, ended = Event(), Event(), Event()

    def hangs(argument: int) -> None:
        begun.set()
        release.wait(PATIENCE_S)
        ended.set()

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(in_thread, hangs, 1)
            while not begun.is_set():
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
        assert not ended.is_set()
        release.set()
        while not ended.is_set():  # it is heard by nobody
            await anyio.lowlevel.checkpoint()

    anyio.run(main)
    assert ended.is_set()
