"""Records a machine: whoever drives it drives the recorder instead and notices nothing.

This is the one place where inputs get their number and the time at which they were decided upon.
Everything is written to a ``Log`` at the end of the turn that it belongs to; before work that may
kill the process is begun the log is flushed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from batchtui.engine.debugger.recording import Entry, Fact, Turned, TurnRecord
from batchtui.engine.errors import InvariantError
from batchtui.engine.machine import Input, Machine, Status, Turn


class Log(Protocol):
    """Where entries go. Their order is the order of the calls."""

    def write(self, entries: list[Entry]) -> None:
        """Keep the entries of one turn."""

    def flush(self) -> None:
        """See that whatever was written survives the end of this process."""


class Recorder:
    """A machine that is recorded: a ``Machine`` itself.

    Args:
        machine: what is driven.
        log: takes every entry; None keeps none, where only ``watch`` wants them.
        watch: is told of each turn, after it was written.
        flushes: whether the log is flushed before work begins, since that might be the last.
    """

    def __init__(
        self,
        machine: Machine,
        log: Log | None = None,
        *,
        watch: Callable[[TurnRecord], None] | None = None,
        flushes: bool = False,
    ) -> None:
        self._machine = machine
        self._unit = machine.unit
        self.log = log
        self.watch = watch
        self.flushes = flushes
        self._seq = 0
        self._taken: list[Input] = []
        self._facts: list[Fact] = []
        self._last: tuple[int, str] | None = None

    @property
    def unit(self) -> str:
        """The machine's."""
        return self._machine.unit

    @property
    def phases(self) -> tuple[str, ...]:
        """The machine's."""
        return self._machine.phases

    @property
    def status(self) -> Status:
        """The machine's."""
        return self._machine.status

    @property
    def step(self) -> int:
        """The machine's."""
        return self._machine.step

    def wake_at(self) -> int | None:
        """The machine's."""
        return self._machine.wake_at()

    def take(self, input: Input) -> None:
        """Hand an input on; it is written with the turn that decides upon it."""
        self._taken.append(input)
        self._machine.take(input)

    def note(self, fact: Fact) -> None:
        """The machine was told something about its vocabulary."""
        self._facts.append(fact)

    def turn(self, now: int) -> Turn:
        """Make a turn and write it down."""
        step, taken = self._machine.step, self._taken
        if taken:
            self._taken = []
        try:
            turn = self._machine.turn(now)
        except BaseException:
            # A bug of ours: what led to it is what somebody will want to see.
            if self.log is not None:
                self.log.write([*map(self._stamped, taken), *self._facts])
            self.flush()
            raise
        self._record(turn, step, now, taken)
        if turn.start and self.flushes:
            self.flush()
        return turn

    def flush(self) -> None:
        """See that what was written is safe."""
        if self.log is not None:
            self.log.flush()

    def _record(self, turn: Turn, step: int, now: int, taken: list[Input]) -> None:
        # The whole of what a recorded run pays a turn: nothing is made that nobody wants.
        phase, events = turn.phase, turn.events
        entries: list[Entry] = [self._at(input, now) for input in taken] if taken else []
        if self._facts:
            entries += self._facts
            self._facts = []
        if not events:
            entries.append(Turned(step=step, phase=phase, at=now, unit=self._unit))
            self._last = None
        else:
            if not entries and self._last == (step, phase):
                raise InvariantError(f"two turns of step {step} are {phase}, and nothing between")
            self._last = step, phase
            entries += events
        if self.log is not None:
            self.log.write(entries)
        if self.watch is not None:
            self.watch(TurnRecord(step, phase, now, self._unit, entries))

    def _at(self, input: Input, now: int) -> Input:
        self._seq += 1
        return replace(input, seq=self._seq, at=now, unit=self._unit)

    def _stamped(self, input: Input) -> Input:
        return self._at(input, input.at)
