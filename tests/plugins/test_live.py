"""A machine run against the world: real tasks and real threads."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable
from threading import Barrier, Event, get_ident
from typing import Any

import anyio
import msgspec
import pytest
from tests.engine.machines.pairs import PairTests
from tests.engine.machines.tickets import Tickets

from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import Entry
from batchtui.engine.machine import (
    Aborted,
    Failure,
    Input,
    Replied,
    Status,
    Submitted,
    Turn,
    Work,
)
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.probe import ProbeResult
from batchtui.engine.nodes.report import report_of
from batchtui.engine.nodes.search import Search
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.plugins.live import Live, Perform, is_async

PATIENCE_S = 20  # for what must happen; nothing waits so long unless it is broken


class Heard(PairTests):
    """Keeps its replies; its tests have a timeout. ``was_late`` is set by the first late reply."""

    def __init__(self, count: int, timeout_us: int | None = None) -> None:
        super().__init__()
        self.replies: list[Replied[Any]] = []
        self.was_late = Event()
        self._timeout_us = timeout_us
        self.take(Submitted(body=[f"n{number}" for number in range(count)]))

    def take(self, input: Input) -> None:
        if isinstance(input, Replied):
            self.replies.append(input)
            if input.late:
                self.was_late.set()
        super().take(input)

    def _work(self, pair: tuple[str, str]) -> Work:
        return msgspec.structs.replace(super()._work(pair), timeout_us=self._timeout_us)


def run(machine: Any, perform: Perform, **options: Any) -> None:
    anyio.run(Live(machine, perform, **options).run)


def bad(*nodes: str) -> Perform:
    return lambda work: set(nodes).isdisjoint(work.spec)


@pytest.mark.parametrize("count", [2, 5, 12])
def test_a_plain_function_performs_in_threads(count: int) -> None:
    machine, threads = Heard(count), set[int]()

    def perform(work: Work) -> bool:
        threads.add(get_ident())
        return "n1" not in work.spec

    run(machine, perform)
    assert machine.status == "done" or count == 2
    assert machine.verdicts.get("n1") == ("bad" if count > 2 else None)
    assert get_ident() not in threads


def test_threads_work_at_once() -> None:
    together = Barrier(3)

    def perform(work: Work) -> bool:
        together.wait(PATIENCE_S)
        return True

    machine = Heard(6)
    run(machine, perform)
    assert set(machine.verdicts.values()) == {"good"}
    assert machine.most_open == 3


def test_tasks_work_at_once_on_the_callers_thread() -> None:
    here, all_here, running = get_ident(), anyio.Event(), list[int]()

    async def perform(work: Work) -> bool:
        assert get_ident() == here
        running.append(work.id)
        if len(running) == 3:
            all_here.set()
        await all_here.wait()
        return True

    machine = Heard(6)
    run(machine, perform)
    assert set(machine.verdicts.values()) == {"good"}


def test_what_a_plain_function_returns_may_be_awaited() -> None:
    async def answer(work: Work) -> bool:
        await anyio.lowlevel.checkpoint()
        return "n3" not in work.spec

    def begin(work: Work) -> object:
        return answer(work)

    assert not is_async(begin)
    machine = Heard(6)
    run(machine, begin)
    assert [node for node, verdict in machine.verdicts.items() if verdict == "bad"] == ["n3"]


def test_an_object_with_an_async_call_is_a_coroutine_function() -> None:
    class Asked:
        async def __call__(self, work: Work) -> bool:
            return True

    assert is_async(Asked())
    machine = Heard(4)
    run(machine, Asked())
    assert len(machine.verdicts) == 4


def raises(error: BaseException) -> Callable[[Work], bool]:
    def perform(work: Work) -> bool:
        raise error

    return perform


@pytest.mark.parametrize(
    "error",
    [ValueError("secret"), SystemExit("secret"), StopIteration("secret"), asyncio.CancelledError()],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("is_task", [False, True])
def test_an_exception_is_a_failure_that_names_its_place_only(
    error: BaseException, is_task: bool
) -> None:
    once = list[int]()

    def perform(work: Work) -> bool:
        once.append(work.id)
        return raises(error)(work) if len(once) == 1 else True

    async def perform_async(work: Work) -> bool:
        return perform(work)

    machine = Heard(2)
    run(machine, perform_async if is_task else perform)
    first, second = machine.replies
    assert isinstance(first.body, Failure)
    assert first.body.kind == "raise"
    assert "Error at " in first.body.detail or type(error).__name__ in first.body.detail
    assert "secret" not in repr(first)
    assert (first.final, second.body) == (True, True)


def test_a_task_that_hangs_is_interrupted_and_answered_for_once_it_is_out() -> None:
    steps = list[str]()

    async def perform(work: Work) -> bool:
        if steps:
            return True
        try:
            steps.append("begun")
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.lowlevel.checkpoint()
                steps.append(f"out, {len(machine.replies)} replies")
        raise AssertionError

    machine = Heard(2, timeout_us=1_000)
    run(machine, perform)
    assert steps == ["begun", "out, 0 replies"]
    assert [reply.body for reply in machine.replies] == [Failure(kind="timeout"), True]
    assert all(reply.final for reply in machine.replies)


def test_a_task_that_answers_though_it_is_interrupted_is_late() -> None:
    machine = Heard(2, timeout_us=1_000)

    async def perform(work: Work) -> bool:
        if not machine.replies:
            with anyio.CancelScope() as scope:
                try:
                    await anyio.sleep_forever()
                finally:
                    scope.cancel()
        return True

    run(machine, perform)
    told = [(reply.work, reply.body, reply.final, reply.late) for reply in machine.replies]
    assert told[0] == (1, Failure(kind="timeout"), True, False)
    assert told[-1] == (2, True, True, False)


def test_a_thread_that_hangs_is_answered_for_and_what_it_returns_is_late() -> None:
    machine, release = Heard(2, timeout_us=20_000), Event()

    def perform(work: Work) -> bool:
        if work.id == 1:
            assert release.wait(PATIENCE_S)
            return False
        release.set()
        assert machine.was_late.wait(PATIENCE_S)
        return True

    run(machine, perform)
    late = [reply for reply in machine.replies if reply.late]
    assert (late[0].work, late[0].body, late[0].final) == (1, False, False)
    finals = [reply.work for reply in machine.replies if reply.final]
    assert sorted(finals) == sorted(set(finals)) == [*range(1, len(finals) + 1)]
    assert machine.replies[0].body == Failure(kind="timeout")
    assert set(machine.verdicts.values()) == {"good"}


def test_a_thread_that_never_comes_back_is_left_behind() -> None:
    machine, release = Heard(2, timeout_us=1_000), Event()

    def perform(work: Work) -> bool:
        return work.id > 1 or release.wait(PATIENCE_S)

    try:
        run(machine, perform)
        assert not release.is_set()
        assert machine.replies[0].body == Failure(kind="timeout")
    finally:
        release.set()


def test_a_thread_that_hangs_does_not_keep_the_process() -> None:
    script = (
        "import anyio, threading\n"
        "from batchtui.engine.machine import Submitted, Work\n"
        "from tests.plugins.test_live import Heard, run\n"
        "run(Heard(2, timeout_us=1000), lambda work: work.id > 1 or threading.Event().wait())\n"
        "print('over')\n"
    )
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "over\n"


class Fleeting(Tickets):
    """Wants nothing any more as soon as it has asked."""

    def turn(self, now: int) -> Turn:
        turn = super().turn(now)
        for work in turn.start:
            self.take(Aborted(target=work.spec.ticket))
        return turn


def test_work_that_nobody_wants_is_broken_off_and_answered_for() -> None:
    ends = list[str]()

    async def perform(work: Work) -> bool:
        live.take(Aborted(target=work.spec.ticket))
        try:
            await anyio.sleep_forever()
        finally:
            ends.append("out")
        raise AssertionError

    machine = Tickets()
    machine.take(Submitted(body="a"))
    live = Live(machine, perform)
    anyio.run(live.run)
    assert (machine.num_discarded, machine.status, machine.open) == (1, "done", {})
    assert ends == ["out"]


class Undecided:
    """Starts a work and cancels it in the same turn."""

    unit, phases, step = "undecided", ("only",), 0

    def __init__(self) -> None:
        self.status: Status = "ready"
        self.taken: list[Input] = []

    def take(self, input: Input) -> None:
        self.taken.append(input)

    def wake_at(self) -> int | None:
        return None

    def turn(self, now: int) -> Turn:
        self.status = "done"
        return Turn(phase="only", events=[], start=[Work(id=7, spec=None)], cancel=[7])


@pytest.mark.parametrize("is_task", [False, True])
def test_work_that_is_cancelled_before_it_has_begun_is_not_begun(is_task: bool) -> None:
    begun = list[int]()

    async def perform(work: Work) -> None:
        begun.append(work.id)

    machine = Undecided()
    run(machine, perform if is_task else lambda work: begun.append(work.id))
    assert machine.taken == [Replied(work=7, body=Failure(kind="cancelled"))]
    assert begun == []


def test_a_thread_that_nobody_wants_is_left_behind() -> None:
    machine, release = Fleeting(), Event()
    machine.take(Submitted(body="a"))
    try:
        run(machine, lambda work: release.wait(PATIENCE_S))
        assert (machine.num_discarded, machine.status) == (1, "done")
    finally:
        release.set()


def test_a_machine_is_woken_at_the_time_it_asked_for() -> None:
    asked = list[int]()

    async def perform(work: Work) -> object:
        asked.append(work.spec.asked_at)
        refills_at = asked[0] + 3_000
        return refills_at if len(asked) == 1 else 0 if work.spec.stage == "quota" else "yes"

    machine = Tickets()
    machine.take(Submitted(body="a"))
    run(machine, perform)
    assert machine.answers == {"a": "yes"}
    assert asked[1] >= asked[0] + 3_000


def test_the_clock_is_given_and_begins_at_0() -> None:
    seconds = iter(range(1_000_000, 2_000_000))
    times = list[int]()

    class Timed(Heard):
        def turn(self, now: int) -> Turn:
            times.append(now)
            return super().turn(now)

    run(Timed(4), lambda work: True, clock=lambda: next(seconds))
    assert times[:3] == [1_000_000, 2_000_000, 3_000_000]


def test_an_input_from_outside_is_taken_while_work_is_open() -> None:
    async def perform(work: Work) -> bool:
        if work.id == 1:
            live.take(Submitted(body=["n8", "n9"]))
            await later.wait()
        later.set()
        return True

    class Eager(Heard):
        """Plans without waiting for all that runs."""

        @property
        def status(self) -> Any:
            return "ready" if self._inbox else super().status

    machine, later = Eager(2), anyio.Event()
    live = Live(machine, perform)
    anyio.run(live.run)
    assert machine.verdicts == dict.fromkeys(("n0", "n1", "n8", "n9"), "good")


def test_a_machine_that_waits_for_nothing_ends_the_run() -> None:
    machine = PairTests()
    run(machine, lambda work: True)
    assert (machine.step, machine.verdicts) == (0, {})


def test_what_the_watcher_raises_comes_out_as_it_is_and_ends_every_task() -> None:
    ends = list[str]()

    async def perform(work: Work) -> bool:
        if work.spec[0] == "n0":
            await begun.wait()
            return True
        try:
            begun.set()
            await anyio.sleep_forever()
        finally:
            ends.append("out")
        raise AssertionError

    def watch(turn: Turn) -> None:
        if turn.events:
            raise LookupError("ours")

    begun = anyio.Event()
    with pytest.raises(LookupError, match="ours"):
        run(Heard(4), perform, watch=watch)
    assert ends == ["out"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), BaseException("ours")])
def test_what_no_task_may_wrap_comes_out_as_it_is_once_the_others_are_out(
    error: BaseException,
) -> None:
    ends = list[str]()

    async def perform(work: Work) -> bool:
        if work.id == 2:
            raise error
        try:
            await anyio.sleep_forever()
        finally:
            ends.append("out")
        raise AssertionError

    with pytest.raises(type(error)) as seen:
        run(Heard(4), perform)
    assert (seen.value is error, ends != []) == (True, True)


def test_a_run_that_is_cancelled_leaves_no_task() -> None:
    ends, scopes = list[str](), list[anyio.CancelScope]()

    async def perform(work: Work) -> bool:
        try:
            if work.id == 3:
                scopes[0].cancel()
            await anyio.sleep_forever()
        finally:
            ends.append("out")
        raise AssertionError

    async def main() -> None:
        with anyio.CancelScope() as scope:
            scopes.append(scope)
            await Live(Heard(6), perform).run()
        assert scope.cancelled_caught
        assert asyncio.all_tasks() == {asyncio.current_task()}

    anyio.run(main)
    assert ends == ["out"] * 3


def test_a_run_that_is_cancelled_does_not_wait_for_its_threads() -> None:
    begun, release = Event(), Event()

    def perform(work: Work) -> bool:
        begun.set()
        return release.wait(PATIENCE_S)

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(Live(Heard(2), perform).run)
            while not begun.is_set():
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()

    try:
        anyio.run(main)
        assert not release.is_set()
    finally:
        release.set()


def test_ctrl_c_interrupts_every_task() -> None:
    ends = list[str]()

    async def perform(work: Work) -> bool:
        try:
            if work.id == 2:
                signal.raise_signal(signal.SIGINT)
            await anyio.sleep_forever()
        finally:
            ends.append("out")
        raise AssertionError

    with pytest.raises(KeyboardInterrupt):
        run(Heard(4), perform)
    assert ends == ["out", "out"]


class Kept:
    """A log in memory."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def write(self, entries: list[Entry]) -> None:
        self.entries += entries

    def flush(self) -> None:
        """Nothing to be done."""


@pytest.mark.parametrize("is_task", [False, True])
def test_a_search_is_run_and_recorded(is_task: bool) -> None:
    busy = set[int]()

    def perform(work: Work) -> ProbeResult:
        assert busy.isdisjoint(work.spec.nodes)
        busy.update(work.spec.nodes)
        busy.difference_update(work.spec.nodes)
        return ProbeResult(verdict="fail" if {2, 5} & set(work.spec.nodes) else "pass")

    async def perform_async(work: Work) -> ProbeResult:
        return perform(work)

    log = Kept()
    config = NodesConfig(inventory=numbered(16), strategy="fewest-rounds")
    search = Search(config, strategy_named)
    run(Recorder(search, log), perform_async if is_task else perform)
    report = report_of(search.state)
    assert (report.findings.bad, report.ended) == ([2, 5], "identified")
    replied = [entry.work for entry in log.entries if isinstance(entry, Replied)]
    started = [entry.test for entry in log.entries if isinstance(entry, said.TestStarted)]
    assert sorted(replied) == started == [*range(1, report.tests + 1)]
    inputs = [entry for entry in log.entries if isinstance(entry, Input)]
    assert [entry.seq for entry in inputs] == [*range(1, len(inputs) + 1)]
    assert {entry.unit for entry in inputs} == {"nodes"}
