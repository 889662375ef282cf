"""A session of a search for bad nodes: what it moves is a probe's tests on the virtual clock."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from batchtui.engine.debugger.explanation import Explanation
from batchtui.engine.machine import Injected, Input
from batchtui.engine.nodes.explain.why import explain
from batchtui.engine.nodes.history import NodesHistory
from batchtui.engine.nodes.inventory import Inventory
from batchtui.engine.nodes.marks import mark_of
from batchtui.engine.nodes.report import findings_of
from batchtui.engine.nodes.shown import ABANDONED, BAD, CONTRADICTED, SUSPECT
from batchtui.engine.nodes.view import NodesView
from batchtui.plugins.searches import SearchRun
from batchtui.tui.doubts import doubts
from batchtui.tui.outlook import Outlook
from batchtui.tui.renderables.nodes.grid import Rack, racks_of
from batchtui.tui.renderables.scene import NodesChoice
from batchtui.tui.session import Session


class NodesOutlook(Outlook[NodesView]):
    """Asks a debugger and a history of a search about where one looks."""

    def mark(self) -> str:
        """The mark of the step that one looks at, as far as it has come there."""
        return mark_of(self._debugger.view)

    def queue_lengths(self, steps: slice) -> tuple[int, ...]:
        """How many nodes were still open at the end of each step: a line of another kind."""
        history = self._debugger.timeline.history
        assert isinstance(history, NodesHistory)
        return tuple(history.open_counts[steps])


@dataclass
class NodesSession(Session[NodesView]):
    """A search that can be stepped both ways, or a recording of one.

    Attributes:
        inventory: what is searched.
        history: what is remembered of it.
        run: what moves at the head; None for a recording.
        racks: where the nodes stand.
    """

    unit: ClassVar[str] = "nodes"

    history: NodesHistory = field(kw_only=True)
    inventory: Inventory = field(kw_only=True)
    run: SearchRun | None = field(default=None, repr=False, kw_only=True)
    racks: tuple[Rack, ...] = field(init=False, repr=False)
    _told: tuple[tuple[int, int], tuple[str, ...]] = field(
        default=((-1, 0), ()), init=False, repr=False
    )

    def __post_init__(self) -> None:
        self.racks = racks_of(self.inventory)

    @property
    def outlook(self) -> NodesOutlook:
        """What is known about where one looks."""
        return NodesOutlook(self.debugger)

    def why(self, node: int) -> Explanation | None:
        """Why a node is what it is said to be; in the past, also what came later."""
        cursor = self.debugger.cursor
        head = self.debugger.timeline.view if self.in_past else None
        return explain(node, cursor.turn, cursor.view, self.history, head=head)

    def told(self) -> tuple[str, ...]:
        """What cannot be told at the end, and what contradicts itself at any moment."""
        view, turn = self.view, self.debugger.cursor.turn
        if view.over is None and not view.totals.contradictions:
            return ()
        if self._told[0] != (turn, view.num_excluded):
            ledger, closed = self.history.ledger(turn), self.history.closed(turn)
            given_up = {n for n in closed if view.letter(n) == ABANDONED}
            found = findings_of(ledger, closed - given_up)
            if view.over is None:
                found = found._replace(clauses=[], at_most_one_good=False)
            self._told = (turn, view.num_excluded), tuple(doubts(found, self.inventory))
        return self._told[1]

    def first_choice(self, choice: NodesChoice) -> NodesChoice:
        """One that is worth asking about: a bad one, one in doubt, else the first."""
        letters = self.view.letters.decode("ascii")
        places = (letters.find(letter) for letter in (BAD, CONTRADICTED, SUSPECT))
        node = next((place for place in places if place >= 0), 0)
        return replace(choice, panel="map", node=node)

    def do(self, input: Input) -> None:
        """Do something to the search: the next phase takes it in. Only at NOW of what can move."""
        if isinstance(input, Injected):
            assert self.run is not None
            self.run.performer.inject(input.body)
        super().do(input)
