"""What is drawn at one moment: the view, what the screen is doing, and how to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from batchtui.engine.batching.explain.lints import Lint
from batchtui.engine.batching.explain.why import Explanation
from batchtui.engine.batching.story import NEVER, Story
from batchtui.engine.batching.view import BatchView
from batchtui.tui.renderables.glyphs import UNICODE, Glyphs


class Mode(Enum):
    """What the screen is doing; decides the chip and the footer."""

    PAUSED = "paused"
    RUNNING = "running"
    ENDED = "ended"
    PAST = "past"


@dataclass(frozen=True)
class Title:
    """What is run, and with what: the fixed part of the top line."""

    workload: str
    backend: str
    policy: str
    real: bool = False


@dataclass(frozen=True)
class Head:
    """Where NOW is, seen from the past: its step, its time in microseconds, how far away."""

    step: int
    now: int
    steps_back: int
    turns_back: int


@dataclass(frozen=True)
class Ribbon:
    """Steps around the cursor: a mark each (``MARKS`` of the history) and how many waited.

    ``first`` is the number of the first step, ``cursor`` that of the step looked at, -1 before the
    first; ``last`` that of the head, which need not be among them.
    """

    first: int = 0
    marks: str = ""
    queue_lengths: tuple[int, ...] = ()
    cursor: int = -1
    last: int = -1


@dataclass(frozen=True)
class Sort:
    """By which column a table stands, and whether backwards; "" is its own order."""

    column: str = ""
    reverse: bool = False


@dataclass(frozen=True)
class Choice:
    """What a person has picked: the panel, the slot or request under its cursor, and what is shown.

    ``slot`` is the index of the picked slot, ``request_id`` the request it is about, in whichever
    panel. ``filter`` hides rows that do not hold it (``!`` at its front: that do), ``sort`` is of
    the queue and of the ended.
    """

    panel: str = "slots"
    slot: int | None = None
    request_id: str = ""
    filter: str = ""
    queue_sort: Sort = Sort()
    ended_sort: Sort = Sort()


@dataclass(frozen=True)
class Scene:
    """One moment.

    ``started`` is False before the first decision. ``speed`` is what a free run is asked for,
    ``hint`` takes the footer's place for once, ``fault`` says where the engine itself failed,
    ``calling`` that an answer of the model is awaited, ``calling_s`` for how many whole seconds.
    ``head`` is None at NOW. ``why`` is what was asked, explained as of this moment; None while
    nobody asks. ``caption`` is what a guided tour says here. ``story`` is that of the picked
    request and ``turn`` the moment of the view in it; ``passed_by`` says how many who came later
    went before a waiting request, as far as anybody has counted.
    """

    view: BatchView
    title: Title
    phases: tuple[str, ...]
    mode: Mode = Mode.PAUSED
    started: bool = True
    speed: str = ""
    hint: str = ""
    fault: str = ""
    calling: bool = False
    calling_s: int = 0
    glyphs: Glyphs = UNICODE
    head: Head | None = None
    ribbon: Ribbon = Ribbon()
    choice: Choice = Choice()
    why: Explanation | None = None
    lints: tuple[Lint, ...] = ()
    caption: str = ""
    story: Story | None = None
    turn: int = NEVER
    passed_by: Mapping[str, int] = field(default_factory=dict)

    @property
    def marks(self) -> bool:
        """Whether the gutter marks what the last step did: not while the rows fly by."""
        return self.mode is not Mode.RUNNING
