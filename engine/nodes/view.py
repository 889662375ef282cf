"""What a screen shows of a search: a bounded fold over its events.

The same live and recorded. It holds a letter for each node, the tests that are planned and run, the
last hundred that ended, totals, and what the current step changed; when the next step begins, what
belonged to the last one is dropped. An event costs as much as it has nodes, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes import shown
from batchtui.engine.nodes.bounds import least_rounds, least_tests
from batchtui.engine.nodes.changes import changes_of, verb_of
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.names import Names

MAX_ENDED = 100
"""Tests that are remembered after their end."""

MAX_OF_A_KIND = 20
"""Lines of one verb that are kept for a step; the others are counted."""

_SHUT = (shown.EXCLUDED + shown.ABANDONED).encode()
_KNOWN = (shown.GOOD + shown.BAD + shown.CONTRADICTED).encode()


class NodesView(msgspec.Struct, kw_only=True, dict=True):
    """The map, the tests, what the last step changed, and the totals.

    Equal views have equal encoded bytes. The names of the nodes are no part of them: after
    decoding, call ``call_by``.

    Attributes:
        letters: of each node, as ``shown`` says; running tests are laid over it by ``drawn``.
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
        self._ended_now: dict[int, shown.ShownTest] = {}  # in this step: they may be very many

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
    def bound_tests(self) -> int:
        """Tests without which what is known so far cannot be told."""
        return least_tests(*self._sizes())

    @property
    def bound_rounds(self) -> int:
        """Rounds without which what is known so far cannot be told."""
        return least_rounds(*self._sizes())

    def _sizes(self) -> tuple[int, int]:
        """How many nodes count, and how many of them are bad: all, where in the end none is known
        to be good."""
        num_bad = self.num_bad
        if self.over is not None and not self.num_good:
            num_bad += self.count(shown.UNKNOWN, shown.SUSPECT, shown.ABANDONED)
        return self.num_nodes - self.num_excluded, num_bad

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
        for tests in (self.running, self.planned, self._ended_now):
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
        take = _FOLDS.get(type(event))
        if take is not None:
            take(self, event)
            self._tell(event)

    def _begin_step(self) -> None:
        self.fresh, self.changed, self.told, self._ended_now = {}, [], {}, {}

    def _tell(self, event: Any) -> None:  # Any: of the kinds below, some have a test
        verb = verb_of(event)
        if self.told.get(verb, 0) >= MAX_OF_A_KIND:  # there may be thousands: do not even make them
            self.told[verb] += 1
            return
        test = None
        if isinstance(event, said.TestStarted):
            test = self.running.get(event.test)
        elif isinstance(event, said.TestEnded):
            test = self._ended_now.get(event.test)
        for change in changes_of(event, test):
            count = self.told[change.verb] = self.told.get(change.verb, 0) + 1
            if count <= MAX_OF_A_KIND:
                self.changed.append(change)

    def _mark(self, nodes: Iterable[int], letter: str, of: str) -> None:
        """Give those nodes a letter that have one ``of`` these now."""
        letters, fresh, mark, known = self.letters, self.fresh, ord(letter), of.encode()
        for node in nodes:
            before = letters[node]
            if before in known:
                letters[node] = mark
                fresh.setdefault(node, chr(before))
                if before in _SHUT:  # should nothing be known of it once more
                    self.closed[node] = chr(before)

    def _planned(self, event: said.TestPlanned) -> None:
        if max(event.nodes) >= self.num_nodes:
            raise IndexError(f"a test of node {max(event.nodes)}")
        self.planned[event.test] = shown.planned_of(event)
        if event.attempt > 1:
            self.totals.repeated += 1
        else:
            self.totals.planned += 1
        self._expect_more()

    def _started(self, event: said.TestStarted) -> None:
        test = self.planned.pop(event.test)
        self.running[event.test] = replace(test, lane=event.lane, started_at=event.at)

    def _ended(self, event: said.TestEnded) -> None:
        test = self._ended_now[event.test] = self.running.pop(event.test)
        self.ended.append(shown.ended_of(event, test))
        del self.ended[:-MAX_ENDED]
        totals = self.totals
        totals.made += 1
        totals.done += not event.again
        totals.passed += event.verdict == "pass"
        totals.failed += event.verdict == "fail"
        totals.inconclusive += event.verdict == "inconclusive"
        totals.votes += not event.counts
        totals.rounds = max(totals.rounds, test.round)
        totals.node_us += len(test.nodes) * event.duration_us
        self._expect_more()

    def _follows(self, event: Event) -> None:
        if self._ended_now:
            self.ended[-1] = shown.with_consequence(self.ended[-1], event)

    def _cleared(self, event: said.NodesCleared) -> None:
        self._mark(event.nodes, shown.GOOD, ".?-x#")
        self._follows(event)

    def _condemned(self, event: said.NodeCondemned) -> None:
        self._mark((event.node,), shown.BAD, ".?-x+!")
        self._follows(event)

    def _suspects(self, event: said.SuspectsChanged) -> None:
        self._mark(event.named, shown.SUSPECT, shown.UNKNOWN)
        self._mark(event.released, shown.UNKNOWN, shown.SUSPECT)

    def _contradicted(self, event: said.ContradictionFound) -> None:
        self.totals.contradictions += 1
        self._mark(event.nodes, shown.CONTRADICTED, shown.GOOD)
        self._follows(event)

    def _resolved(self, event: said.ContradictionsResolved) -> None:
        self.totals.contradictions -= len(event.tests)
        self._mark(event.nodes, shown.GOOD, shown.CONTRADICTED)

    def _reopened(self, event: said.NodesReopened) -> None:
        for node in event.nodes:
            self._mark((node,), self.closed.pop(node, shown.UNKNOWN), "+#!")
        self._follows(event)

    def _overruled(self, event: said.ResultsOverruled) -> None:
        self.totals.overruled += len(event.tests)
        self._follows(event)

    def _confirmed(self, event: said.NodeConfirmed) -> None:
        self.totals.confirmed += 1
        self._follows(event)

    def _confirmation_began(self, event: said.ConfirmationBegan) -> None:
        self.confirming = True
        self.totals.confirmations, self.totals.confirmed = event.time, 0

    def _confirmation_ended(self, event: said.ConfirmationEnded) -> None:
        self.confirming = False

    def _abandoned(self, event: said.NodeAbandoned) -> None:
        self._mark((event.node,), shown.ABANDONED, ".?")

    def _excluded(self, event: said.NodesExcluded) -> None:
        self.num_excluded += len(event.nodes)
        self.closed |= {n: shown.EXCLUDED for n in event.nodes if self.letters[n] in _KNOWN}
        self._mark(event.nodes, shown.EXCLUDED, ".?")

    def _refused(self, event: said.TestRefused) -> None:
        self.totals.refused += 1

    def _discarded(self, event: said.ReplyDiscarded) -> None:
        self.totals.discarded += 1

    def _estimated(self, event: said.RateEstimated) -> None:
        self.rate = shown.rate_of(event)
        if self.over is None:  # a late reply may still come
            self.expected_tests = float(self.totals.planned + event.tests)
            self.expected_rounds = float(self.totals.rounds + event.rounds)

    def _options_changed(self, event: said.OptionsChanged) -> None:
        self.strategy, self.max_parallel = event.strategy, event.max_parallel

    def _over(self, event: said.SearchEnded) -> None:
        self.over = event.reason
        self.expected_tests = float(self.totals.planned)
        self.expected_rounds = float(self.totals.rounds)

    def _expect_more(self) -> None:
        """No fewer can be expected than there have been."""
        if self.expected_tests is not None and self.expected_rounds is not None:
            self.expected_tests = max(self.expected_tests, float(self.totals.planned))
            self.expected_rounds = max(self.expected_rounds, float(self.totals.rounds))


_FOLDS: dict[type[Event], Callable[..., None]] = {
    said.TestPlanned: NodesView._planned,
    said.TestRefused: NodesView._refused,
    said.TestStarted: NodesView._started,
    said.TestEnded: NodesView._ended,
    said.ReplyDiscarded: NodesView._discarded,
    said.NodesCleared: NodesView._cleared,
    said.NodeCondemned: NodesView._condemned,
    said.SuspectsChanged: NodesView._suspects,
    said.ContradictionFound: NodesView._contradicted,
    said.ContradictionsResolved: NodesView._resolved,
    said.NodesReopened: NodesView._reopened,
    said.ResultsOverruled: NodesView._overruled,
    said.NodeConfirmed: NodesView._confirmed,
    said.ConfirmationBegan: NodesView._confirmation_began,
    said.ConfirmationEnded: NodesView._confirmation_ended,
    said.NodeAbandoned: NodesView._abandoned,
    said.NodesExcluded: NodesView._excluded,
    said.RateEstimated: NodesView._estimated,
    said.OptionsChanged: NodesView._options_changed,
    said.SearchEnded: NodesView._over,
}
