"""What every system of the house is: a machine that takes inputs and makes one phase a turn.

A machine owns state and decisions. It never waits and has no clock: time comes in with each call,
and what must be done outside (a model call, a node test, a store's answer) goes out as ``Work``
and comes back as a ``Replied`` input. Whoever performs the work gives each one exactly one
``final`` reply; what comes after that is ``late``, and a machine counts it as discarded.

A failing backend is data (``Failure``); an exception out of ``turn`` is a bug of the machine.
Times are integer microseconds.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, Protocol, TypeVar

import msgspec

BodyT = TypeVar("BodyT")

Status = Literal["ready", "waiting", "done"]

Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]
"""A number or a time that is never below 0, nor too large to be reckoned with: checked where it is
decoded, since a recording may come from anywhere."""


class Input(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Something from outside: recorded, enqueued by ``take``, decided upon in a later turn.

    ``by_hand`` tells what a person did during the run from what would have come anyway.
    """

    seq: int = 0
    at: int = 0
    unit: str = ""
    by_hand: bool = False


class Submitted(Input, Generic[BodyT], frozen=True, kw_only=True):
    """Somebody asks for ``body``: a request, an inventory to be tested, a ticket."""

    body: BodyT


class Aborted(Input, frozen=True, kw_only=True):
    """Somebody no longer wants ``target``."""

    target: str
    reason: str = "client"


class Configured(Input, Generic[BodyT], frozen=True, kw_only=True):
    """Somebody changes the options while it runs."""

    body: BodyT


class Injected(Input, Generic[BodyT], frozen=True, kw_only=True):
    """Somebody breaks something outside on purpose: a machine only takes note of it."""

    body: BodyT


class Woken(Input, frozen=True, kw_only=True):
    """The time that ``wake_at`` asked for has come."""


class Failure(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The work was not done.

    ``kind`` is a word (``raise``, ``timeout``, ``type``); ``detail`` is for a person and holds no
    user text.
    """

    kind: str
    retryable: bool = True
    detail: str = ""


class Replied(Input, Generic[BodyT], frozen=True, kw_only=True):
    """What came back for ``work``: a body, or a ``Failure``."""

    work: int
    body: BodyT
    final: bool = True
    late: bool = False


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something that was decided: past tense, frozen, recorded."""

    seq: Count
    step: Count
    phase: str
    at: Count
    unit: str


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """Something to be done outside the machine.

    ``spec`` is typed by the machine and its performer, hence ``Any`` here. ``timeout_us`` counts
    from the start; when it is over the performer answers with ``Failure(kind="timeout")``.
    """

    id: int
    spec: Any
    timeout_us: int | None = None


class Turn(msgspec.Struct, kw_only=True):
    """What one turn came to: the phase it was, what was decided, what to start and what to cancel.

    To ``cancel`` a work is a wish: its performer may break it off, and gives its one final reply
    all the same.
    """

    phase: str
    events: list[Event]
    start: list[Work]
    cancel: list[int]


class Machine(Protocol):
    """A system that is stepped.

    ``status`` is ``ready`` when a turn would do something, ``waiting`` when only an input or a
    time can bring it on, ``done`` when nothing is left to do. ``step`` counts whole rounds of
    ``phases`` from 0.
    """

    @property
    def unit(self) -> str:
        """The name that inputs and events of this machine carry."""

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases in the order in which a step goes through them."""

    @property
    def status(self) -> Status:
        """Whether there is something to do."""

    @property
    def step(self) -> int:
        """The number of the step that the next turn belongs to."""

    def take(self, input: Input) -> None:
        """Enqueue an input. Never decides."""

    def turn(self, now: int) -> Turn:
        """Do exactly one phase at the time ``now``."""

    def wake_at(self) -> int | None:
        """The time at which it must be woken if nothing happens before."""
