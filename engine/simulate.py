"""The virtual clock: performs a machine's work on a heap of (time, number, input).

Time stands still while a machine is ready and jumps to the next thing that happens otherwise, so a
day of traffic takes as long as its decisions take. The same machine runs against the world in
``plugins/live.py``; it cannot tell the difference.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from batchtui.engine.machine import Input, Machine, Turn, Woken, Work

Performer = Callable[[Work], Iterable[tuple[int, Input]]]
"""Does a piece of work; returns what comes of it, each with its delay in microseconds.

Exactly one of them is a final ``Replied``. The others are late replies, or what happens meanwhile.
"""


class Feed(Protocol):
    """Where the inputs from outside come from."""

    def due(self, now: int, step: int) -> Sequence[Input]:
        """Take out what has come by now, in order."""

    def next_at(self) -> int | None:
        """When the next one comes; None where that depends on steps, or nothing more comes."""

    def skip(self) -> bool:
        """Nothing else is going on: make the next input due. False where none is left."""


class TimedFeed:
    """Inputs that come at their times, read one ahead: a workload of any length costs no memory.

    Args:
        inputs: in the order of their times.
        room: how many more the machine wants at the moment. The others wait outside although they
            have come, so a caller gives this only where it makes no difference when they are taken.
    """

    def __init__(self, inputs: Iterable[Input], room: Callable[[], int] | None = None) -> None:
        self._inputs: Iterator[Input] = iter(inputs)
        self._next = next(self._inputs, None)
        self._room = room
        self._is_full = False

    def due(self, now: int, step: int) -> Sequence[Input]:
        """Take out what has come by now."""
        head = self._next
        if head is None or head.at > now:
            return ()
        room = self._room() if self._room else None
        taken: list[Input] = []
        while head is not None and head.at <= now and (room is None or len(taken) < room):
            taken.append(head)
            head = next(self._inputs, None)
        self._next = head
        self._is_full = head is not None and head.at <= now
        return taken

    def next_at(self) -> int | None:
        """When the next one comes; not while the machine has no room for it."""
        return None if self._next is None or self._is_full else self._next.at

    def skip(self) -> bool:
        """Times cannot be skipped."""
        return False


class StepFeed:
    """Inputs that come before a step's first phase, whatever the time is then; idle steps are
    jumped.

    Args:
        inputs: pairs of a step from 0, in order, and a function from the time to the input.
    """

    def __init__(self, inputs: Iterable[tuple[int, Callable[[int], Input]]]) -> None:
        self._inputs = deque(inputs)
        self._jumped = 0
        self._step = 0

    def due(self, now: int, step: int) -> Sequence[Input]:
        """Take out what belongs to this step or one before it."""
        self._step = step
        taken = []
        while self._inputs and self._inputs[0][0] <= step + self._jumped:
            taken.append(self._inputs.popleft()[1](now))
        return taken

    def next_at(self) -> int | None:
        """Steps have no times."""
        return None

    def skip(self) -> bool:
        """Jump the steps in which nothing would happen."""
        if self._inputs:
            self._jumped = self._inputs[0][0] - self._step
        return bool(self._inputs)


class Simulation:
    """A machine, what performs its work, and what comes in, on one virtual clock from 0.

    ``advance`` makes one turn; iterate to run to the end.
    """

    def __init__(self, machine: Machine, perform: Performer, feed: Feed) -> None:
        self.machine = machine
        self.now = 0
        self._perform = perform
        self._feed = feed
        self._heap: list[tuple[int, int, Input]] = []
        self._num_pushed = 0

    def __iter__(self) -> Iterator[Turn]:
        while (turn := self.advance()) is not None:
            yield turn

    def advance(self) -> Turn | None:
        """Go to the next turn and make it; None when nothing can happen any more."""
        machine = self.machine
        while True:
            for input in self._feed.due(self.now, machine.step):
                machine.take(input)
            while self._heap and self._heap[0][0] <= self.now:
                machine.take(heapq.heappop(self._heap)[2])
            if machine.status == "ready":
                return self._turn()
            if not self._move():
                return None

    def _turn(self) -> Turn:
        turn = self.machine.turn(self.now)
        for work in turn.start:
            for delay, input in self._perform(work):
                self._push(self.now + delay, input)
        return turn

    def _push(self, at: int, input: Input) -> None:
        self._num_pushed += 1
        heapq.heappush(self._heap, (at, self._num_pushed, input))

    def _move(self) -> bool:
        """Jump to the next thing that happens; False where nothing does."""
        coming = self._feed.next_at()
        if self._heap and (coming is None or self._heap[0][0] < coming):
            coming = self._heap[0][0]
        wake = self.machine.wake_at()
        if wake is not None and (coming is None or wake < coming):
            self.now = max(self.now, wake)
            self.machine.take(Woken(at=self.now, unit=self.machine.unit))
            return True
        if coming is None:
            return self._feed.skip()
        self.now = coming
        return True
