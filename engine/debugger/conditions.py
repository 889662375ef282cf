"""Conditions at which a run stops, as their words mean them; ``phrase.py`` reads the words.

A condition is one or more terms. A *happening* holds in the turns in which such
an event is; a *level* holds as long as a figure compares so. A condition with a happening hits in
every turn in which all its happenings are and all its levels hold; one of levels alone hits when it
becomes true, so that going on from there does not hit at once again.

Which words there are is said by a vocabulary, one for each system. Views and events are typed by
that system, hence ``Any`` for them here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from batchtui.engine.debugger.recording import TurnRecord

Subject = str | int | None
Find = Callable[[Any, Any, Any], bool]
"""Whether an event, with the view after its turn, is about a subject; None asks for any."""

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
}


class Measure(Protocol):
    """A figure that goes with the view. None: there is none at the moment."""

    def start(self, view: Any) -> float | None:
        """The figure now, whatever was before."""

    def read(self, record: TurnRecord, view: Any) -> float | None:
        """The figure after one more turn."""


class Reading:
    """A figure that the view has as it is."""

    def __init__(self, start: Callable[[Any], float | None]) -> None:
        self.start = start

    def read(self, record: TurnRecord, view: Any) -> float | None:
        """The figure after one more turn."""
        return self.start(view)


class Happens(NamedTuple):
    """A word for events: how each kind is asked, and what may follow the word.

    ``subject`` is "" for nothing, ``id?`` for an id or nothing, ``id``, or ``number``.
    ``wrong_with`` says what is wrong with an id, "" for nothing; without it any id will do.
    """

    finds: Mapping[type, Find]
    subject: str = "id?"
    wrong_with: Callable[[str], str] | None = None


class Bound(NamedTuple):
    """What a figure is compared with."""

    measure: Measure
    value: float


class Compares(NamedTuple):
    """A word for a figure: ``bound`` reads what it is compared with, None if it cannot.

    ``example`` is such a value; ``usual`` the comparison that is meant where none is written.
    """

    bound: Callable[[str], Bound | None]
    example: str
    usual: str = ""


Vocabulary = Mapping[str, Happens | Compares]


class Happening:
    """Holds in the turns in which such an event is."""

    def __init__(self, finds: Mapping[type, Find], subject: Subject) -> None:
        self._finds = finds
        self._subject = subject

    def holds(self, record: TurnRecord, view: Any) -> bool:
        """Whether it happened in this turn."""
        finds, subject = self._finds, self._subject
        for entry in record.entries:
            find = finds.get(type(entry))
            if find is not None and find(entry, view, subject):
                return True
        return False


class Level:
    """Holds while a figure compares so; told of every turn, for it may be kept by counting."""

    def __init__(self, bound: Bound, compare: Callable[[float, float], bool]) -> None:
        self._measure, self._value = bound
        self._compare = compare

    def start(self, view: Any) -> bool:
        """Whether it holds now, whatever was before."""
        return self._is_so(self._measure.start(view))

    def holds(self, record: TurnRecord, view: Any) -> bool:
        """Whether it holds after one more turn."""
        return self._is_so(self._measure.read(record, view))

    def _is_so(self, figure: float | None) -> bool:
        return figure is not None and self._compare(figure, self._value)


class Condition:
    """Terms joined by ``and``. Before ``start`` it takes its levels for untrue."""

    def __init__(self, happenings: list[Happening], levels: list[Level]) -> None:
        self._happenings = happenings
        self._levels = levels
        self._held = False

    def start(self, view: Any) -> None:
        """Forget what was before and learn how things stand."""
        # All of them are asked: each has something to learn.
        self._held = all([level.start(view) for level in self._levels])

    def hits(self, record: TurnRecord, view: Any) -> bool:
        """Whether to stop after this turn; every turn in a row must be told."""
        held, self._held = self._held, all([each.holds(record, view) for each in self._levels])
        if self._happenings:
            return self._held and all(each.holds(record, view) for each in self._happenings)
        return self._held and not held
