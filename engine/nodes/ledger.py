"""The ledger: every test that ended, and all that follows from them about each node.

For any list of results, with U the union of the sets that passed: a node is good exactly if it is
in U; bad exactly if some failing set has no other member outside U; and nothing more can be known.
For without U the failing sets say "at least one of these is bad", which all of them being bad
satisfies, so nobody else is forced to be good; and to call one of them good breaks a clause only
where it stands alone. Hence what is deduced here is complete, in time linear in the sizes of the
sets, and each result is taken in as it comes.

A failing set whose members all passed elsewhere is a *contradiction*: noise, a link between two
nodes, a fault of scale. It accuses nobody. One that was called bad and then passes is acquitted.
An inconclusive test proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from batchtui.engine.nodes.clauses import Clauses
from batchtui.engine.nodes.probe import Verdict

UNKNOWN, GOOD, BAD = 0, 1, 2
"""What is known of a node."""

PAIR = 2
"""Nodes of a test of two: while all of these fail nobody is known to be good."""


class Deduced(NamedTuple):
    """What followed from one more result: nodes, and the failing tests by which.

    ``good`` are newly known to be good, by the test itself; ``bad`` newly known to be bad, each
    with the failing test in which it stands alone; ``acquitted`` those among the good who had been
    called bad; ``contradictions`` the failing tests whose members are all good now.
    """

    good: list[int]
    bad: list[tuple[int, int]]
    acquitted: list[int]
    contradictions: list[int]


class Proof(NamedTuple):
    """Why a node is what it is said to be.

    ``test`` is the one that says so: the passing one it was in, or the failing one that has nobody
    else to blame; ``others`` tells of each other member of that one the test that cleared it.
    """

    test: int
    others: dict[int, int]


class Ledger:
    """What is known of ``num_nodes`` nodes; ``status`` has a byte for each.

    ``tests`` are the sets by the id of their test; those that proved nothing are not among them.
    """

    def __init__(self, num_nodes: int) -> None:
        self.status = bytearray(num_nodes)
        self.tests: dict[int, tuple[int, ...]] = {}
        self.contradictions: list[int] = []
        self._verdicts: dict[int, Verdict] = {}
        self.num_good = self.num_bad = 0
        self.clauses = Clauses()
        self._by = [-1] * num_nodes  # the test that a verdict is by
        self._open: dict[int, set[int]] = {}  # of a failing test, those who are not good
        self._fails_of: dict[int, list[int]] = {}  # of a node that is not good
        self._paired: dict[int, set[int]] = {}  # of a node, those a test failed with it alone

    def add(self, test: int, nodes: Sequence[int], verdict: Verdict) -> Deduced:
        """Take a result in. Each test comes once."""
        deduced = Deduced([], [], [], [])
        if verdict == "inconclusive":
            return deduced
        self.tests[test], self._verdicts[test] = tuple(nodes), verdict
        if verdict == "pass":
            self._passed(test, nodes, deduced)
        else:
            self._failed(test, nodes, deduced)
        return deduced

    def _passed(self, test: int, nodes: Sequence[int], deduced: Deduced) -> None:
        shrunk: dict[int, None] = {}
        for node in nodes:
            if self.status[node] == GOOD:
                continue
            if self.status[node] == BAD:
                self.num_bad -= 1
                deduced.acquitted.append(node)
            self.status[node], self._by[node] = GOOD, test
            self.num_good += 1
            deduced.good.append(node)
            for failing in self._fails_of.pop(node, ()):
                self._open[failing].discard(node)
                shrunk[failing] = None
        for failing in shrunk:
            self._judge(failing, deduced)

    def _failed(self, test: int, nodes: Sequence[int], deduced: Deduced) -> None:
        left = {node for node in nodes if self.status[node] != GOOD}
        self._open[test] = left
        if len(nodes) == PAIR:
            self._pair(*nodes)
        for node in left:
            self._fails_of.setdefault(node, []).append(test)
        self._judge(test, deduced)

    def _judge(self, failing: int, deduced: Deduced) -> None:
        """What a failing test says, now that so many of its members are good."""
        left = self._open[failing]
        if not left:
            del self._open[failing]
            self.contradictions.append(failing)
            deduced.contradictions.append(failing)
        elif len(left) == 1:
            (node,) = left
            if self.status[node] == UNKNOWN:
                self._condemn(node, failing)
                deduced.bad.append((node, failing))
        self._settle(failing)

    def _condemn(self, node: int, failing: int) -> None:
        self.status[node], self._by[node] = BAD, failing
        self.num_bad += 1
        for other in self._fails_of[node]:  # they have somebody to blame
            self._settle(other)

    def _settle(self, failing: int) -> None:
        """See whether a failing test is still a clause that somebody has to answer for."""
        left = self._open.get(failing, set())
        if len(left) < 2 or any(self.status[node] == BAD for node in left):
            self.clauses.drop(failing)
        else:
            self.clauses.put(failing, left)

    def _pair(self, one: int, other: int) -> None:
        self._paired.setdefault(one, set()).add(other)
        self._paired.setdefault(other, set()).add(one)

    def overrule(self, tests: Iterable[int]) -> None:
        """Some results are not to be believed: everything is as if they had never come."""
        gone = set(tests)
        kept = [(test, nodes, self._verdicts[test]) for test, nodes in self.tests.items()]
        for test in self._open:
            self.clauses.drop(test)
        self.status = bytearray(len(self.status))
        self.tests, self._verdicts, self.contradictions = {}, {}, []
        self.num_good = self.num_bad = 0
        self._by = [-1] * len(self.status)
        self._open, self._fails_of, self._paired = {}, {}, {}
        for test, nodes, verdict in kept:
            if test not in gone:
                self.add(test, nodes, verdict)

    # What is known.

    def passes_of(self, node: int) -> list[int]:
        """The passing tests that a node was in."""
        return [
            test
            for test, nodes in self.tests.items()
            if self._verdicts[test] == "pass" and node in nodes
        ]

    def proof(self, node: int) -> Proof | None:
        """Why a node is good or bad; None where it is neither."""
        test = self._by[node]
        if test < 0:
            return None
        if self.status[node] == GOOD:
            return Proof(test, {})
        others = {each: self._by[each] for each in self.tests[test] if each != node}
        return Proof(test, others)

    def nodes_of(self, status: int) -> list[int]:
        """The nodes of which that is known, in order."""
        return [node for node, known in enumerate(self.status) if known == status]

    def fails_of(self, node: int) -> Sequence[int]:
        """The failing tests that a node which is not good was in."""
        return self._fails_of.get(node, ())

    def accusers(self, node: int) -> list[int]:
        """Those of its failing tests in which every other member is good."""
        return [test for test in self.fails_of(node) if self._open[test] == {node}]

    def unanswered(self) -> Iterator[tuple[int, ...]]:
        """The clauses that are left, each "at least one of these is bad"; none holds another."""
        for left in self.clauses.all():
            yield tuple(sorted(left))

    def has_failed(self, one: int, other: int) -> bool:
        """Whether these two were tested together, nobody else with them, and failed."""
        return other in self._paired.get(one, ())

    def failed_pairs(self, among: Iterable[int]) -> int:
        """How many different pairs of these nodes were tested and failed.

        Counted from those who are left out, who are few: it is asked of nearly all again and again.
        """
        here = set(among)
        others = self._paired.keys() - here
        twice = sum(len(each) for node, each in self._paired.items() if node in here)
        twice -= sum(len(self._paired[node] & here) for node in others)
        return twice // 2
