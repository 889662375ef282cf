"""Confirm: what a search came to is tested again, since real tests sometimes lie.

A healthy set fails now and then, and a bad node may pass. A search believes every test, so one
false alarm condemns a healthy node, and one miss makes a known good one of a bad one, which then
accuses others. So when the search is over:

- each condemned node stands on a *ballot*: it is tested with known good nodes, another one each
time,
  until its failures outvote its passes or the other way round; the failure that it was condemned by
  counts as the first;
- all known good nodes are tested once more in large random sets, twice over; a set that fails twice
  has its members on ballots, which begin with no vote.

Where a ballot contradicts the ledger the results that said otherwise are overruled, and whatever is
open again is searched again, up to ``MOST_TIMES``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeVar

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import BAD, GOOD
from batchtui.engine.nodes.probe import MIN_SIZE, Verdict
from batchtui.engine.nodes.strategies.strategy import Proposal
from batchtui.engine.nodes.strategies.strategy import taken as taken_by

FAILS, PASSES = 3, 2
"""Votes by which a node is bad, and by which it is good."""

POOL = 16
"""Nodes of a set in which known good ones are tested once more."""

PARTITIONS = 2
MOST_TIMES = 3
MOST_BLANK = 6
"""Inconclusive votes after which a ballot is given up: the verdict stays as it was."""


@dataclass
class Ballot:
    """The votes on one node: the tests in which it failed, and passed, with a known good one."""

    node: int
    failed: list[int] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    anchors: set[int] = field(default_factory=set)
    num_blank: int = 0

    @property
    def verdict(self) -> int | None:
        """What the votes say, once there are enough."""
        if len(self.failed) >= FAILS:
            return BAD
        return GOOD if len(self.passed) >= PASSES else None


class Outcome(NamedTuple):
    """What followed from a test: a ballot that is over, or a set whose members are all fine."""

    ballot: Ballot | None = None
    is_fine: bool = False


class Confirmation:
    """One time through. It proposes tests and is told what came of them; which results the ledger
    takes in is for its user to see to, from the outcomes."""

    def __init__(self, board: Board, rng: Random) -> None:
        self._board = board
        self._rng = rng
        self._ballots: dict[int, Ballot] = {}
        self._waiting: deque[Ballot] = deque()
        self._pools = deque(self._partitions())
        self._voting: dict[tuple[int, ...], Ballot] = {}
        self._failed_once: set[tuple[int, ...]] = set()
        for node in board.ledger.nodes_of(BAD):
            proof = board.ledger.proof(node)
            assert proof is not None
            self._call(Ballot(node, failed=[proof.test], anchors=set(proof.others)))

    def propose(self, room: int) -> list[Proposal]:
        """Votes, then sets, as far as their nodes are free."""
        votes = _some(self._waiting, self._vote, room, [])
        return _some(self._pools, self._again, room, votes)

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> Outcome:
        """A test of this one has ended."""
        ballot = self._voting.pop(nodes, None)
        if ballot is None:
            return self._set_heard(nodes, verdict)
        if verdict == "inconclusive":
            ballot.num_blank += 1
        else:
            (ballot.passed if verdict == "pass" else ballot.failed).append(test)
        if ballot.verdict is None and ballot.num_blank < MOST_BLANK:
            self._waiting.append(ballot)
            return Outcome()
        return Outcome(ballot)

    def _set_heard(self, nodes: tuple[int, ...], verdict: Verdict) -> Outcome:
        if verdict == "fail" and nodes in self._failed_once:
            for node in nodes:
                self._call(Ballot(node, anchors=set(nodes)))
        elif verdict == "fail":
            self._failed_once.add(nodes)
            self._pools.appendleft(nodes)
        return Outcome(is_fine=verdict == "pass")

    def _call(self, ballot: Ballot) -> None:
        if ballot.node not in self._ballots:
            self._ballots[ballot.node] = ballot
            self._waiting.append(ballot)

    def _vote(self, ballot: Ballot, taken: set[int]) -> Proposal | None:
        """The node with a good one that it was not tested with, where there is such a one."""
        board, node = self._board, ballot.node
        if board.closed[node]:
            return None
        good = [n for n in board.ledger.nodes_of(GOOD) if n not in self._ballots and n != node]
        fresh = [n for n in good if n not in ballot.anchors] or good
        free = [n for n in fresh if board.is_free(n) and n not in taken]
        if not fresh:
            return None  # nobody is left who could tell: the verdict stays
        if not free or node in taken or not board.is_free(node):
            self._waiting.append(ballot)
            return None
        anchor = self._rng.choice(free)
        ballot.anchors.add(anchor)
        nodes = (min(node, anchor), max(node, anchor))
        self._voting[nodes] = ballot
        votes = len(ballot.failed) + len(ballot.passed)
        return Proposal(nodes, f"vote {votes + 1} on it, with another good node", board.rounds)

    def _again(self, pool: tuple[int, ...], taken: set[int]) -> Proposal | None:
        """A set of good nodes, without those that stand on a ballot by now."""
        board = self._board
        nodes = tuple(n for n in pool if board.status[n] == GOOD and n not in self._ballots)
        if len(nodes) < MIN_SIZE or any(board.closed[n] for n in nodes):
            return None
        if not all(board.is_free(n) and n not in taken for n in nodes):
            self._pools.append(nodes)
            return None
        if pool in self._failed_once:
            self._failed_once.add(nodes)
        return Proposal(nodes, "are the good ones good?", board.rounds)

    def _partitions(self) -> Iterator[tuple[int, ...]]:
        good = self._board.ledger.nodes_of(GOOD)
        for _ in range(PARTITIONS if len(good) >= MIN_SIZE else 0):
            self._rng.shuffle(good)
            # As even as can be, so that nobody is left alone.
            count = -(-len(good) // POOL)
            for place in range(count):
                yield tuple(sorted(good[place::count]))


EachT = TypeVar("EachT")


def _some(
    waiting: deque[EachT],
    make: Callable[[EachT, set[int]], Proposal | None],
    room: int,
    proposals: list[Proposal],
) -> list[Proposal]:
    """What can be made of those that wait, in their order, as far as there is room."""
    for _ in range(len(waiting)):
        if len(proposals) >= room:
            break
        proposal = make(waiting.popleft(), taken_by(proposals))
        proposals += [] if proposal is None else [proposal]
    return proposals
