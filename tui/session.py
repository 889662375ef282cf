"""What a screen is opened on: a debugger over a run or a recording, and what to call it.

Nothing else moves the debugger. What the head decides is taken in by ``settle`` alone, on the
screen's own thread; so a run whose model blocks can be moved by another thread meanwhile, and the
picture stays whole. A failure of the engine is kept as data: the screen survives it and shows how
things stood. Whoever opens a session closes it, wherever the other thread is by then.
What a system has besides is in a class of its own (``batch_session``).
"""

from __future__ import annotations

import threading
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Generic, Protocol, Self

from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.errors import BatchtuiError
from batchtui.engine.machine import Input
from batchtui.tui.outlook import Outlook, ViewT
from batchtui.tui.renderables.scene import Title

OBEYS_WITHIN_S = 5.0
"""How long work that was interrupted may go on."""


class SavedLog(Protocol):
    """Where the run is recorded, as far as a session minds."""

    def save_as(self, path: Path) -> None:
        """Write what was recorded so far to a file."""

    def close(self) -> None:
        """Give it back."""


@dataclass
class Session(ABC, Generic[ViewT]):
    """A run that can be stepped both ways, or a recording.

    Attributes:
        debugger: moves through it.
        title: what the top line calls it.
        phases: the phases of a step.
        log: where it is recorded; None where it cannot be saved.
        turns: every turn that was made, with all that was recorded of it.
        refork: makes a session of the same run anew, given the turns that it will repeat; None
            where it cannot be run again.
        torn: what is missing of a recording that was cut off.
        version: grows whenever something has moved: the same number, the same picture.
        trouble: why one could not look where one wanted to, the last time.
        fault: where the engine itself failed; "" as long as it has not.
        rehearsal: takes a fork to where it was forked, a turn at a time; None elsewhere.
    """

    unit: ClassVar[str]
    """What it is called in the top line."""

    debugger: Debugger[ViewT]
    title: Title
    phases: tuple[str, ...]
    log: SavedLog | None = None
    turns: Callable[[], Iterable[TurnRecord]] = tuple
    refork: Callable[[Iterable[TurnRecord]], Self] | None = field(default=None, repr=False)
    torn: str = ""
    version: int = field(default=0, init=False)
    fault: str = field(default="", init=False)
    trouble: str = field(default="", init=False)
    rehearsal: Generator[None, None, None] | None = field(default=None, init=False, repr=False)
    _failed: str = field(default="", init=False)
    _moving: threading.Lock = field(default_factory=threading.Lock, init=False)
    _closed: bool = field(default=False, init=False)
    _by_hand: deque[Input] = field(default_factory=deque, init=False)

    @property
    @abstractmethod
    def outlook(self) -> Outlook[ViewT]:
        """What is known about where one looks."""

    @property
    def view(self) -> ViewT:
        """What there is to see where one looks. Only look at it."""
        return self.debugger.view

    @property
    def step(self) -> int:
        """The step at work where one looks; -1 before the first."""
        return self.debugger.step

    @property
    def can_move(self) -> bool:
        """Whether its head can: not that of a recording."""
        return self.debugger.driver is not None

    @property
    def started(self) -> bool:
        """Whether a first phase has been made."""
        return self.debugger.cursor.turn > 0

    @property
    def ended(self) -> bool:
        """Whether nothing can follow where one looks."""
        at_head = self.debugger.cursor.at_head
        return at_head and (bool(self.fault) or self.debugger.ended) and not self._by_hand

    @property
    def in_past(self) -> bool:
        """Whether one looks at another moment than NOW."""
        return not self.debugger.cursor.at_head

    @property
    def stopped(self) -> str:
        """Why the last move stopped where it did; "" if it simply came to its end."""
        return self.debugger.stopped

    @property
    def by_phases(self) -> bool:
        """Whether it must be asked after every phase whether to stop there."""
        debugger = self.debugger
        return debugger.until is not None or any(each.enabled for each in debugger.breakpoints)

    @property
    def blocks(self) -> bool:
        """Whether the next step takes real time, so that it must not be made on the screen's
        thread."""
        return self.title.real and self.can_move and not self.in_past

    # Forward.

    def advance_step(self) -> bool:
        """Go on to the end of a step, or to a breakpoint in it. False where nothing is left."""
        return self._advance(whole_step=True)

    def advance_phase(self) -> bool:
        """Make one phase. False where nothing is left."""
        return self._advance(whole_step=False)

    def move(self, *, whole_step: bool) -> bool:
        """Move the head and nothing that is shown. False where nothing is left."""
        return self._live(lambda: self.debugger.move_head(whole_step=whole_step))

    def settle(self) -> None:
        """Take in what the head has come to meanwhile."""
        self.version += 1
        self.fault = self._failed
        self.debugger.settle()

    def _advance(self, *, whole_step: bool) -> bool:
        if self.ended:
            return False
        forward = self.debugger.advance_step if whole_step else self.debugger.advance_phase
        if self.in_past and self.title.real:
            # Only what was made: the head may be in a call, and is not moved here.
            moved = self._guarded(lambda: forward(live=False))
        else:
            moved = self._live(lambda: forward(live=True))
        self.version += 1
        self.fault = self._failed
        return moved

    def _live(self, move: Callable[[], bool]) -> bool:
        with self._moving:
            if self._closed:
                return False
            self._hand_in()
            return self._guarded(move)

    def _guarded(self, move: Callable[[], bool]) -> bool:
        try:
            return move()
        except BaseException as error:  # our bug, or what it calls interrupts: keep the screen
            self._failed = _place(error)
            return False

    # Anywhere.

    def look(self, move: Callable[[Debugger[ViewT]], object]) -> None:
        """Look somewhere else; ``trouble`` says why it could not be done, if it could not."""
        self.trouble = ""
        try:
            move(self.debugger)
        except BatchtuiError as error:  # the log cannot be read: what is shown is as it was
            self.trouble = str(error)
        self.version += 1

    def changed(self) -> None:
        """Something is to be painted that is not a move."""
        self.version += 1

    # By hand.

    @property
    def pending(self) -> list[Input]:
        """What a person did that no phase has taken in yet."""
        return list(self._by_hand)

    def do(self, input: Input) -> None:
        """Do something to the run: the next phase takes it in. Only at NOW of what can move."""
        assert self.can_move
        self._by_hand.append(input)
        self.version += 1

    def _hand_in(self) -> None:
        """Give the machine what a person did; not while it is moved."""
        driver = self.debugger.driver
        if self.in_past or driver is None:
            return
        while self._by_hand:
            driver.simulation.machine.take(self._by_hand.popleft())
            driver.ended = False

    def answered(self, turn: int) -> Iterable[TurnRecord]:
        """The turns whose answers from outside a fork at a moment repeats: none, unless they could
        come out otherwise."""
        return ()

    def shares_backend(self, other: Session[ViewT]) -> bool:
        """Whether another session has the same backend, which only one of them may close."""
        return False

    # At last.

    def close(self, *, and_backend: bool = True) -> bool:
        """End the move that is being made, and give back what is held; none may follow.

        Args:
            and_backend: False where another session has it now; no move may be going on.

        Returns:
            False if the move goes on all the same, because the backend cannot be interrupted or
            does not obey: then that keeps what it holds.
        """
        if self._closed:
            return True
        patience = OBEYS_WITHIN_S if and_backend and self._interrupt() else 0.0
        if not self._moving.acquire(timeout=patience):
            return False
        self._closed = True
        self._moving.release()
        if and_backend:
            self._give_back()
        if self.log is not None:
            self.log.close()
        return True

    def _interrupt(self) -> bool:
        """Tell the backend to leave off. False where it cannot be told."""
        return False

    def _give_back(self) -> None:
        """Close the backend; called once, when no move is going on."""


def _place(error: BaseException) -> str:
    """Where an exception was raised, without its message: that may hold a prompt."""
    if isinstance(error, BatchtuiError):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    what = "interrupted" if isinstance(error, KeyboardInterrupt) else "a bug in the engine"
    return f"{what}: {type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
