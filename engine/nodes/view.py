"""What a screen shows of a search: a bounded fold over its events.

The same live and recorded. It holds a letter for each node, the tests that are planned and run, the
last hundred that ended, totals, and what the current step changed; when the next step begins, what
belonged to the last one is dropped. An event costs as much as it has nodes, however many there are.
"""

from __future__ import annotations

from typing import Any

import msgspec

from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes import shown
from batchtui.engine.nodes.bounds import least_rounds, least_tests
from batchtui.engine.nodes.changes import changes_of, verb_of
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.folds import FOLDS
from batchtui.engine.nodes.names import Names

MAX_OF_A_KIND = 20
"""Lines of one verb that are kept for a step; the others are counted."""


class NodesView(msgspec.Struct, kw_only=True, dict=True):
    """The map, the tests, what the last step changed, and the totals.

    Equal views have equal encoded bytes. The names of the nodes are no part of them: after
    decoding, call ``call_by``.

    Attributes:
        letters: of each node, as ``shown`` says; running tests are laid over it by ``drawn``.
        chosen: the strategy that goes on in the place of the one that was asked for; "" if it
            does itself.
        num_excluded: nodes that must not be touched, those of which something is known included.
        planned, running: tests by their id.
        ended: the last tests that ended, in order.
        fresh: the nodes whose letter this step has changed, each with the one before it.
        changed: what this step decided, at most ``MAX_OF_A_KIND`` of a verb.
        told: how many there were of each verb.
        rate: what is thought of the rate, once a test has ended.
        expected_tests, expected_rounds: in all, as far as can be told, confirming included.
        confirming: whether what the search came to is being tested again.
        closed: the letter that nodes had or would have if nothing were known of them, of those
            that must not be touched.
        over: why the search has ended, once it has.
    """

    letters: bytearray
    num_excluded: int = 0
    strategy: str = ""
    chosen: str = ""
    max_parallel: int = 1
    step: int = 0
    phase: str = ""
    now: int = 0
    planned: dict[int, shown.ShownTest] = {}
    running: dict[int, shown.ShownTest] = {}
    ended: list[shown.EndedTest] = []
    fresh: dict[int, str] = {}
    changed: list[shown.Change] = []
    told: dict[str, int] = {}
    totals: shown.RunTotals = msgspec.field(default_factory=shown.RunTotals)
    rate: shown.ShownRate | None = None
    expected_tests: float | None = None
    expected_rounds: float | None = None
    confirming: bool = False
    closed: dict[int, str] = {}
    over: said.Ended | None = None

    @classmethod
    def empty(cls, config: NodesConfig, names: Names | None = None) -> NodesView:
        """The view before anything has happened."""
        letters = bytearray(shown.UNKNOWN.encode() * len(config.inventory))
        for node in config.inventory.excluded:
            letters[node] = ord(shown.EXCLUDED)
        view = cls(
            letters=letters,
            num_excluded=len(config.inventory.excluded),
            strategy=config.strategy,
            max_parallel=config.lanes,
        )
        view.call_by(names or Names(config.inventory))
        return view

    def call_by(self, names: Names) -> None:
        """Say what the nodes are called."""
        self.names = names
        self.ended_now: dict[int, shown.ShownTest] = {}  # in this step: they may be very many

    # What there is to see.

    @property
    def num_nodes(self) -> int:
        """How many there are, those that must not be touched included."""
        return len(self.letters)

    def count(self, *letters: str) -> int:
        """How many nodes have one of these letters."""
        return sum(self.letters.count(ord(letter)) for letter in letters)

    @property
    def num_good(self) -> int:
        """Nodes that are known to be good, those in a contradiction included."""
        return self.count(shown.GOOD, shown.CONTRADICTED)

    @property
    def num_bad(self) -> int:
        """Nodes that are known to be bad."""
        return self.count(shown.BAD)

    @property
    def num_suspects(self) -> int:
        """Nodes in a clause that somebody has to answer for."""
        return self.count(shown.SUSPECT)

    @property
    def num_open(self) -> int:
        """Nodes that are still to be found out about."""
        return self.count(shown.UNKNOWN, shown.SUSPECT)

    @property
    def bound_tests(self) -> int | None:
        """Tests below which no search stays for every choice of the bad nodes: a lucky run may.
        While it goes on, as if nobody else were bad; None where it ended before all was told."""
        sizes = self._sizes()
        return sizes and least_tests(*sizes)

    @property
    def bound_rounds(self) -> int | None:
        """Rounds, in the same sense."""
        sizes = self._sizes()
        return sizes and least_rounds(*sizes)

    def _sizes(self) -> tuple[int, int] | None:
        """How many nodes count, and how many of them are bad: all, where every pair has failed."""
        num_open = self.num_open + self.count(shown.ABANDONED)
        num_told = self.num_good + self.num_bad
        if self.over == "at_most_one_good":
            return num_told + num_open, self.num_bad + num_open
        if self.over is not None and num_open:
            return None
        return num_told + num_open, self.num_bad

    @property
    def stage(self) -> str:
        """What the search is about: searching, confirming, over, and for which time."""
        if self.over is not None:
            return "over"
        word, time = "searching", self.totals.confirmations
        if self.confirming:
            word, time = "confirming", time - 1
        return f"{word}, time {time + 1}" if time else word

    def letter(self, node: int) -> str:
        """The letter of a node, whatever runs."""
        return chr(self.letters[node])

    def drawn(self) -> str:
        """The map: a letter for each node, that of its test for one in a test that runs."""
        letters = bytearray(self.letters)
        for test in self.running.values():
            letter = ord(test.letter)
            for node in test.nodes:
                letters[node] = letter
        return letters.decode("ascii")

    def test_of(self, node: int) -> shown.ShownTest | None:
        """The test that a node is in, or is about to be in."""
        tests = (*self.running.values(), *self.planned.values())
        return next((test for test in tests if node in test.nodes), None)

    def nodes_of(self, test: int) -> tuple[int, ...]:
        """The set of a test that is planned, runs, or ended in this step or lately."""
        for tests in (self.running, self.planned, self.ended_now):
            if test in tests:
                return tests[test].nodes
        return next((each.nodes for each in reversed(self.ended) if each.id == test), ())

    # The fold.

    def reach(self, step: int, phase: str, now: int) -> None:
        """Note where the run is: a turn that decided nothing has no event that would say so."""
        if step > self.step:
            self._begin_step()
        self.step, self.phase, self.now = step, phase, now

    def fold(self, event: Event) -> None:
        """Take one event in."""
        if event.step > self.step:
            self._begin_step()
            self.step = event.step
        self.phase, self.now = event.phase, event.at
        take = FOLDS.get(type(event))
        if take is not None:
            take(self, event)
            self._tell(event)

    def _begin_step(self) -> None:
        self.fresh, self.changed, self.told, self.ended_now = {}, [], {}, {}

    def _tell(self, event: Any) -> None:  # Any: of the kinds below, some have a test
        verb = verb_of(event)
        if self.told.get(verb, 0) >= MAX_OF_A_KIND:  # there may be thousands: do not even make them
            self.told[verb] += 1
            return
        test = None
        if isinstance(event, said.TestStarted):
            test = self.running.get(event.test)
        elif isinstance(event, said.TestEnded):
            test = self.ended_now.get(event.test)
        for change in changes_of(event, test):
            count = self.told[change.verb] = self.told.get(change.verb, 0) + 1
            if count <= MAX_OF_A_KIND:
                self.changed.append(change)
