"""Breakpoints: conditions that stop a run, live or replayed, each with a switch and a count.

They are asked after every turn. Whoever jumps to another moment, or looks through other turns, says
``start`` first, so that what becomes true is told from what was true before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from batchtui.engine.debugger.conditions import Condition, Vocabulary
from batchtui.engine.debugger.phrase import parse
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import View

ViewT = TypeVar("ViewT", bound=View)


class Breakpoint:
    """A condition as it was written. ``hits`` counts the turns that it hit in, enabled or not."""

    def __init__(self, text: str, condition: Condition) -> None:
        self.text = text
        self.condition = condition
        self.enabled = True
        self.hits = 0

    def where(self, record: TurnRecord) -> str:
        """Words for the screen: which one, and where it hit."""
        return f'breakpoint "{self.text}" {_place(record)}'


class Breakpoints(Generic[ViewT]):
    """The breakpoints of one who debugs, in the order in which they were set."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._all: list[Breakpoint] = []
        self._view: ViewT | None = None

    def __iter__(self) -> Iterator[Breakpoint]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def add(self, text: str) -> Breakpoint:
        """Set a breakpoint; one of the same words that is there is enabled again.

        Raises:
            InputError: the words make no sense.
        """
        if '"' not in text and "'" not in text:  # what stands in quotes stays as it is
            text = " ".join(text.split())
        for known in self._all:
            if known.text == text:
                known.enabled = True
                return known
        added = Breakpoint(text, self.parse(text))
        if self._view is not None:
            added.condition.start(self._view)
        self._all.append(added)
        return added

    def replace(self, breakpoint: Breakpoint, text: str) -> Breakpoint:
        """Put other words in a breakpoint's place; its switch stays as it is, its hits do not.

        Raises:
            InputError: the words make no sense.
        """
        enabled = breakpoint.enabled
        added = self.add(text)
        added.enabled = enabled
        if added is not breakpoint:
            self._all.remove(added)
            self._all[self._all.index(breakpoint)] = added
        return added

    def enabled(self) -> Breakpoints[ViewT]:
        """Those that are enabled, to be asked of other turns: these know nothing of it."""
        others: Breakpoints[ViewT] = Breakpoints(self._vocabulary)
        for each in self._all:
            if each.enabled:
                others.add(each.text)
        return others

    def parse(self, text: str) -> Condition:
        """What some words mean here, though nothing is set.

        Raises:
            InputError: the words make no sense.
        """
        return parse(text, self._vocabulary)

    def until(self, text: str, view: ViewT) -> Callable[[TurnRecord, ViewT], str]:
        """A condition for once, from a view on: words for the screen after a turn that it hits in,
        "" after another."""
        once = self.parse(text)
        once.start(view)
        return lambda record, view: f"{text} {_place(record)}" if once.hits(record, view) else ""

    def remove(self, breakpoint: Breakpoint) -> None:
        """Forget a breakpoint; one that is not there is passed over."""
        if breakpoint in self._all:
            self._all.remove(breakpoint)

    def toggle(self, breakpoint: Breakpoint) -> None:
        """Switch a breakpoint off, or on again."""
        breakpoint.enabled = not breakpoint.enabled

    def start(self, view: ViewT) -> None:
        """The next turn is the one after this view."""
        self._view = view
        for each in self._all:
            each.condition.start(view)

    def check(self, record: TurnRecord, view: ViewT) -> Breakpoint | None:
        """Take a turn of the run in: count who hit, return the first that is to stop it."""
        self._view = view
        if not self._all:
            return None
        hits = self.hits(record, view)
        for each in hits:
            each.hits += 1
        return next((each for each in hits if each.enabled), None)

    def hits(self, record: TurnRecord, view: ViewT) -> list[Breakpoint]:
        """Those that hit in a turn, enabled or not; for a search, which counts nothing."""
        return [each for each in self._all if each.condition.hits(record, view)]

    def hit(self, record: TurnRecord, view: ViewT) -> bool:
        """Whether an enabled one hits in a turn: a ``Hit`` for a cursor's search."""
        return any([each.enabled for each in self.hits(record, view)])


def _place(record: TurnRecord) -> str:
    return f"at step {record.step}, {record.phase}"
