"""``identify``: find every bad node with a callable that tests a set of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from typing import TypeVar

import anyio

from batchtui.engine.errors import InputError
from batchtui.engine.machine import Event
from batchtui.engine.nodes.config import DEFAULT_STRATEGY
from batchtui.plugins.answers import Answer
from batchtui.plugins.identification import Identification
from batchtui.plugins.identified import Identified
from batchtui.plugins.inline import run_inline
from batchtui.plugins.live import is_async

NodeT = TypeVar("NodeT", bound=Hashable)


def identify(
    nodes: Iterable[NodeT],
    test: Callable[[list[NodeT]], Answer | Awaitable[Answer]],
    *,
    strategy: str = DEFAULT_STRATEGY,
    max_parallel: int | None = None,
    timeout_s: float | None = None,
    time_budget_s: float | None = None,
    priors: Mapping[NodeT, float] | None = None,
    exclude: Iterable[NodeT] = (),
    confirm: bool = False,
    seed: int = 0,
    on_event: Callable[[Event], object] | None = None,
) -> Identified[NodeT]:
    """Find every bad node by testing sets of two or more, no node in two tests at once.

    Args:
        nodes: any hashables; ``str()`` of each is its name.
        test: is called with two nodes or more and says whether all of them are good. A coroutine
            function runs in tasks of one event loop, any other in threads, several at once for
            sets that share no node. What it raises proves nothing: the test is made once more, then
            given up.
        strategy: ``fewest-tests``, ``fewest-rounds``, ``fastest``, ``staged``, ``anchor``.
        max_parallel: tests that run at once; None for as many as there are pairs (256 where they
            run in threads). With 1, a plain function is called in the caller's own thread.
        timeout_s: seconds after which a test has failed; None for no limit. A coroutine is then
            cancelled. A thread cannot be: it is left behind and its answer is passed over, so a
            plain function that may hang needs a timeout of its own where its nodes have to be free
            for the next test. In the caller's own thread the next test waits for it.
        time_budget_s: seconds for the whole search: no test begins that might end later. Needs
            ``timeout_s``.
        priors: how many ordinary nodes one is worth in suspicion, above 0; 1 unless given.
        exclude: nodes that must not be tested.
        confirm: whether what was found is tested again, for tests that may err: a bad node must
            then fail several times, and good ones pass in other sets.
        seed: of the choices that are made at random.
        on_event: is called with each decision of the search, in the caller's thread.

    Raises:
        InputError: an argument is out of range, nothing is left to be tested, or an event loop runs
            here already.
        TypeError: an argument is of a wrong type, or ``test`` does not take one list.
        WorkError: no test could be made; its cause is the first exception of the callable.
        KeyboardInterrupt: ctrl+c, whoever was hit by it.
    """
    _refuse_a_loop()
    asked = Identification(
        nodes, test, strategy, max_parallel, timeout_s, time_budget_s, priors, exclude, confirm,
        seed, on_event,
    )  # fmt: skip
    if max_parallel == 1 and not is_async(test):
        run_inline(asked.search, asked.perform, watch=asked.watch)
    else:
        anyio.run(asked.run)
    return asked.found()


async def identify_async(
    nodes: Iterable[NodeT],
    test: Callable[[list[NodeT]], Answer | Awaitable[Answer]],
    *,
    strategy: str = DEFAULT_STRATEGY,
    max_parallel: int | None = None,
    timeout_s: float | None = None,
    time_budget_s: float | None = None,
    priors: Mapping[NodeT, float] | None = None,
    exclude: Iterable[NodeT] = (),
    confirm: bool = False,
    seed: int = 0,
    on_event: Callable[[Event], object] | None = None,
) -> Identified[NodeT]:
    """``identify`` for callers in an event loop: plain functions always run in threads.

    Where it is cancelled, so are its coroutines; threads are left behind.
    """
    asked = Identification(
        nodes, test, strategy, max_parallel, timeout_s, time_budget_s, priors, exclude, confirm,
        seed, on_event,
    )  # fmt: skip
    await asked.run()
    return asked.found()


def _refuse_a_loop() -> None:
    try:
        anyio.get_current_task()
    except RuntimeError:
        return
    raise InputError("identify() in a running event loop would block it: await identify_async()")
