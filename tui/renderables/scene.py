"""What is drawn at one moment: the view, what the screen is doing, and how to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from batchtui.engine.batching.explain.explanation import Explanation as BatchExplanation
from batchtui.engine.batching.explain.lints import Lint
from batchtui.engine.batching.story import NEVER, Story
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.explanation import Explanation
from batchtui.engine.nodes.inventory import Inventory
from batchtui.engine.nodes.view import NodesView
from batchtui.tui.renderables.glyphs import UNICODE, Glyphs
from batchtui.tui.renderables.nodes.grid import Rack


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


class Placed(Protocol):
    """What every view says: where the run is."""

    @property
    def step(self) -> int:
        """The step at work."""

    @property
    def phase(self) -> str:
        """Its last phase that was made; "" before the first."""

    @property
    def now(self) -> int:
        """The time, in microseconds."""


@dataclass(frozen=True)
class Unit:
    """One of the machines that are shown: its name, and its step, -1 before the first.

    ``moved`` says that the step keys move it.
    """

    name: str
    step: int
    moved: bool


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One moment of any system.

    ``started`` is False before the first decision. ``speed`` is what a free run is asked for,
    ``hint`` takes the footer's place for once, ``fault`` says where the engine itself failed,
    ``calling`` that an answer from outside is awaited, ``calling_s`` for how many whole seconds.
    ``head`` is None at NOW. ``why`` is what was asked, explained as of this moment; None while
    nobody asks. ``caption`` is what a guided tour says here. ``turn`` is the moment of the view in
    its history. ``others`` are the units that the step keys do not move.
    """

    view: Placed
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
    why: Explanation | None = None
    caption: str = ""
    turn: int = NEVER
    unit: str = ""
    others: tuple[Unit, ...] = ()

    @property
    def marks(self) -> bool:
        """Whether the gutter marks what the last step did: not while the rows fly by."""
        return self.mode is not Mode.RUNNING

    @property
    def moved(self) -> Moment:
        """The moment of the unit that the step keys move."""
        return self

    @property
    def labels(self) -> Mapping[str, str]:
        """What actions are called that do something else here, by their names."""
        return {}

    @property
    def shown_keys(self) -> Mapping[str, str]:
        """What the footer calls the keys of actions that have other ones here, by their names."""
        return {}


@dataclass(frozen=True, kw_only=True)
class Scene(Moment):
    """One moment of batching.

    ``story`` is that of the picked request; ``passed_by`` says how many who came later went before
    a waiting request, as far as anybody has counted. ``nodes`` is the search that is shown beside
    it, if any; ``moved`` is that one where the step keys move it.
    """

    view: BatchView
    unit: str = "batch"
    why: BatchExplanation | None = None
    choice: Choice = Choice()
    lints: tuple[Lint, ...] = ()
    story: Story | None = None
    passed_by: Mapping[str, int] = field(default_factory=dict)
    nodes: NodesScene | None = None

    @property
    def asked(self) -> Moment:
        """The moment about which was asked why: the search's, where a node of it was meant."""
        return self.nodes if self.nodes is not None and self.nodes.why is not None else self

    @property
    def moved(self) -> Moment:
        """The moment of the unit that the step keys move."""
        return self.nodes if self.nodes is not None and self.nodes.is_moved else self


@dataclass(frozen=True)
class NodesChoice:
    """What a person has picked of a search: the panel, the node under its cursor, or the test."""

    panel: str = "map"
    node: int | None = None
    test: int | None = None


@dataclass(frozen=True, kw_only=True)
class NodesScene(Moment):
    """One moment of a search for bad nodes.

    ``inventory`` is what is searched, and ``racks`` where it stands. ``is_moved`` says that the
    step keys move it; it is not so where it stands beside a batch that they move. ``told`` is what
    a person should know of the result: clauses, contradictions, what a strategy has chosen.
    """

    view: NodesView
    inventory: Inventory
    racks: tuple[Rack, ...] = ()
    unit: str = "nodes"
    choice: NodesChoice = NodesChoice()
    is_moved: bool = True
    told: tuple[str, ...] = ()

    @property
    def labels(self) -> Mapping[str, str]:
        """What actions are called that do something else here, by their names."""
        return NODES_LABELS

    @property
    def shown_keys(self) -> Mapping[str, str]:
        """The panels of a search have digits of their own."""
        return NODES_KEYS


NODES_LABELS = {"focus_slots": "map", "focus_queue": "tests", "abort": "exclude"}
NODES_KEYS = {"focus_queue": "2"}
