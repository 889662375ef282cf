"""Moves through a run in both directions: over what was recorded, and at its head live.

One for every machine and pipeline. Forward from the past replays, then goes on live; going back
moves a cursor and leaves the head where it is. After every turn, replayed or live, breakpoints are
asked whether to stop there. A move at the head can be made by another thread (``move_head``); what
came of it is then taken in by ``settle``, so timeline, cursor and breakpoints have one thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from batchtui.engine.debugger.breakpoints import Breakpoint, Breakpoints
from batchtui.engine.debugger.cursor import Cursor
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Timeline, View

ViewT = TypeVar("ViewT", bound=View)


Until = Callable[[TurnRecord, ViewT], str]
"""What a run goes on to, once: told of every turn; words for the screen where to stop, "" else."""


class Debugger(Generic[ViewT]):
    """A run, and where one looks at it.

    Args:
        timeline: what has been recorded.
        driver: moves the head; None for a recording, whose head is its end.
        breakpoints: where to stop.

    Attributes:
        until: what the present run goes on to besides a breakpoint; dropped when it is reached.
        stopped: why the last move stopped where it did: words, "" if it simply came to its end.
        hit: the breakpoint that it was, if it was one.
    """

    def __init__(
        self,
        timeline: Timeline[ViewT],
        driver: Driver | None,
        breakpoints: Breakpoints[ViewT],
    ) -> None:
        self.timeline = timeline
        self.cursor = Cursor(timeline)
        self.driver = driver
        self.breakpoints = breakpoints
        self.until: Until[ViewT] | None = None
        self.stopped = ""
        self.hit: Breakpoint | None = None
        self._arrived: deque[TurnRecord] = deque()
        breakpoints.start(timeline.view)

    @property
    def view(self) -> ViewT:
        """What there is to see where one looks."""
        return self.cursor.view

    @property
    def step(self) -> int:
        """The step at work where one looks; -1 before the first."""
        return self.cursor.step

    @property
    def ended(self) -> bool:
        """Whether nothing can follow where one looks."""
        return self.cursor.at_head and (self.driver is None or self.driver.ended)

    def is_step_over(self) -> bool:
        """Whether the next turn belongs to another step."""
        if not self.cursor.at_head:
            return self.timeline.record(self.cursor.turn + 1).step != self.cursor.step
        return self.driver is None or self.driver.simulation.machine.step != self.timeline.step

    # Forward.

    def watch(self, record: TurnRecord) -> None:
        """The head has made a turn. Called by whoever moves it, from any thread."""
        self._arrived.append(record)

    def advance_phase(self, *, live: bool = True) -> bool:
        """Go on by a turn; only over what was recorded, unless ``live``. False where none is
        left."""
        return self._advance(whole_step=False, live=live)

    def advance_step(self, *, live: bool = True) -> bool:
        """Go on to the end of a step, or to a breakpoint in it. False where no turn is left."""
        return self._advance(whole_step=True, live=live)

    def move_head(self, *, whole_step: bool) -> bool:
        """Move the head and nothing that is shown. False where no turn is left."""
        if self.driver is None:
            return False
        driver = self.driver
        return driver.advance_step() if whole_step else driver.advance_phase()

    def settle(self) -> None:
        """Take in what the head has come to meanwhile."""
        self.stopped, self.hit = "", None
        while self._arrived:
            self._take(self._arrived.popleft())

    def _advance(self, *, whole_step: bool, live: bool) -> bool:
        self.settle()
        self.stopped, self.hit = "", None
        moved = False
        while self._turn(live=live):
            moved = True
            if self.stopped or not whole_step or self.is_step_over():
                break
        return moved

    def _turn(self, *, live: bool) -> bool:
        """One turn, replayed or live."""
        if self.cursor.forward_phase():
            record = self.cursor.record
            assert record is not None
            self._ask(record)
            return True
        if not live or not self.move_head(whole_step=False):
            return False
        while self._arrived:
            self._take(self._arrived.popleft())
        return True

    def _take(self, record: TurnRecord) -> None:
        self.timeline.add(record)
        if self.cursor.at_head:
            self._ask(record)

    def _ask(self, record: TurnRecord) -> None:
        """Whether to stop after this turn."""
        view = self.cursor.view
        hit = self.breakpoints.check(record, view)
        if hit is not None:
            self.hit, self.stopped = hit, hit.where(record)
        elif self.until is not None and (words := self.until(record, view)):
            self.stopped, self.until = words, None

    # Anywhere.

    def to_turn(self, turn: int) -> None:
        """Look at a moment."""
        self._move(lambda cursor: cursor.to(turn))

    def to_step(self, step: int) -> None:
        """Look at the end of a step; the head is as far as this goes."""
        self._move(lambda cursor: cursor.to_step(step))

    def to_head(self) -> None:
        """Look at NOW."""
        self._move(Cursor.to_head)

    def back_phase(self, count: int = 1) -> bool:
        """Go back by turns. False if there were none."""
        return self._repeated(Cursor.back_phase, count)

    def back_step(self, count: int = 1) -> bool:
        """Go back to the ends of the steps before. False if there were none."""
        return self._repeated(Cursor.back_step, count)

    def search_back(self) -> Generator[bool, None, None]:
        """Go back to the last turn before this one that a breakpoint hits; False while it is looked
        for, True when it was found. Where it ends without, the cursor has not moved."""
        asked = self.breakpoints.enabled()
        found = self.cursor.find_back(asked.start, asked.hit)
        try:
            for turn in found:
                if turn is not None:
                    self._look_at_hit(turn, asked)
                    yield True
                    return
                yield False
        finally:  # also where nobody looks any further
            self.breakpoints.start(self.cursor.view)

    def _look_at_hit(self, turn: int, asked: Breakpoints[ViewT]) -> None:
        self.to_turn(turn)
        record = self.cursor.record
        assert record is not None
        asked.start(self.timeline.view_at(turn - 1))
        self.hit = next(iter(asked.hits(record, self.view)), None)
        self.stopped = self.hit.where(record) if self.hit else ""

    def _repeated(self, move: Callable[[Cursor[ViewT]], bool], count: int) -> bool:
        moved = False

        def moves(cursor: Cursor[ViewT]) -> None:
            nonlocal moved
            for _ in range(count):
                if not move(cursor):
                    break
                moved = True

        self._move(moves)
        return moved

    def _move(self, move: Callable[[Cursor[ViewT]], object]) -> None:
        """Move the cursor; breakpoints forget what they knew of where it was."""
        self.settle()
        self.stopped, self.hit, self.until = "", None, None
        move(self.cursor)
        self.breakpoints.start(self.cursor.view)
