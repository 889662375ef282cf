"""Confirm: what a search came to is tested again, since real tests sometimes lie.

A healthy set fails now and then, and a bad node may pass. A search believes every test, so one
false alarm condemns a healthy node, and one miss makes a known good one of a bad one, which then
accuses others. So when the search is over:

- each condemned node stands on a *ballot*: it is tested with known good nodes, another one each
  time, until its failures outvote its passes or the other way round; the failure that it was
  condemned by counts as the first, and votes of the time before count once more;
- all known good nodes are tested once more in large random sets, twice over; a set that fails twice
  has its members on ballots, which begin with no vote.

Where a ballot contradicts the ledger the results that said otherwise are overruled, and whatever is
open again is searched again, up to ``MOST_TIMES``.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from batchtui.engine.nodes.ballot import FAILS, Ballot
from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import BAD, GOOD, Ledger
from batchtui.engine.nodes.probe import MIN_SIZE, Verdict
from batchtui.engine.nodes.strategies.strategy import Estimate, Proposal

POOL = 16
"""Nodes of a set in which known good ones are tested once more."""

PARTITIONS = 2
MOST_TIMES = 3

Nodes = tuple[int, ...]


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
        self._voting: dict[Nodes, Ballot] = {}
        self._failed_once: set[Nodes] = set()
        for node in board.ledger.nodes_of(BAD):
            self._call(_accused(node, board.ledger))

    def settled(self) -> list[Ballot]:
        """Before the first test: ballots that are over, since enough failures are known."""
        return [ballot for ballot in self._ballots.values() if ballot.is_over]

    def propose(self, room: int) -> list[Proposal]:
        """Votes, then sets, as far as their nodes are free."""
        board, taken, proposals = self._board, set[int](), list[Proposal]()
        good = (
            [n for n in board.ledger.nodes_of(GOOD) if self._may_help(n)] if self._waiting else []
        )
        free = [n for n in good if board.is_free(n)]
        self._rng.shuffle(free)
        for _ in range(len(self._waiting)):
            if len(proposals) < room:
                proposals += self._vote(self._waiting.popleft(), good, free, taken)
        for _ in range(len(self._pools)):
            if len(proposals) < room:
                proposals += self._again(self._pools.popleft(), taken)
        return proposals

    def heard(self, test: int, nodes: Nodes, verdict: Verdict) -> Outcome:
        """A test of this one has ended."""
        ballot = self._voting.pop(nodes, None)
        if ballot is None:
            return self._set_heard(nodes, verdict)
        ballot.count(test, verdict)
        if ballot.is_over:
            return Outcome(ballot)
        self._waiting.append(ballot)
        return Outcome()

    def dropped(self, nodes: Nodes) -> None:
        """A test that was to be made once more will not be: one of its nodes was excluded."""
        ballot = self._voting.pop(nodes, None)
        if ballot is not None:
            self._waiting.append(ballot)
        else:
            self._pools.append(nodes)

    def left(self) -> Estimate:
        """What is still to come, where every test says what those before it said."""
        votes = [ballot.left(self._board.status[ballot.node]) for ballot in self._waiting]
        votes += [b.left(self._board.status[b.node]) - 1 for b in self._voting.values()]
        rounds = max(*votes, PARTITIONS if self._pools else 0, 0, 0)
        return Estimate(sum(votes) + len(self._pools), rounds)

    def _may_help(self, node: int) -> bool:
        return node not in self._ballots and not self._board.closed[node]

    def _set_heard(self, nodes: Nodes, verdict: Verdict) -> Outcome:
        if verdict == "pass":
            self._failed_once.discard(nodes)
        elif verdict == "fail" and nodes in self._failed_once:
            for node in nodes:
                self._call(Ballot(node, nodes))
        elif verdict == "fail":
            self._failed_once.add(nodes)
            self._pools.appendleft(nodes)
        return Outcome(is_fine=verdict == "pass")

    def _call(self, ballot: Ballot) -> None:
        if ballot.node not in self._ballots:
            self._ballots[ballot.node] = ballot
            if not ballot.is_over:
                self._waiting.append(ballot)

    def _vote(
        self, ballot: Ballot, good: list[int], free: list[int], taken: set[int]
    ) -> list[Proposal]:
        """The node with a good one that it was not tested with, where there is such a one."""
        board, node = self._board, ballot.node
        if board.closed[node] or not good:
            return []  # nobody is left who could tell, or may be asked: the verdict stays
        anchor = None
        if board.is_free(node) and node not in taken:
            anchor = ballot.anchor_of(good, (n for n in free if n not in taken))
        if anchor is None:
            self._waiting.append(ballot)
            return []
        nodes = (min(node, anchor), max(node, anchor))
        taken.update(nodes)
        self._voting[nodes] = ballot
        who = board.config.inventory.nodes[node].name
        who = who if who.isprintable() else f"node {node}"
        return [Proposal(nodes, f"vote {ballot.num_votes + 1} on {who}", board.rounds)]

    def _again(self, pool: Nodes, taken: set[int]) -> list[Proposal]:
        """A set of good nodes, without those that stand on a ballot by now."""
        board = self._board
        nodes = tuple(n for n in pool if board.status[n] == GOOD and self._may_help(n))
        if len(nodes) < MIN_SIZE:
            return []
        if pool in self._failed_once:
            self._failed_once.add(nodes)
        if not all(board.is_free(n) and n not in taken for n in nodes):
            self._pools.append(nodes)
            return []
        taken.update(nodes)
        return [Proposal(nodes, "are the good ones good?", board.rounds)]

    def _partitions(self) -> Iterator[Nodes]:
        good = [n for n in self._board.ledger.nodes_of(GOOD) if not self._board.closed[n]]
        for _ in range(PARTITIONS if len(good) >= MIN_SIZE else 0):
            self._rng.shuffle(good)
            # As even as can be, so that nobody is left alone.
            count = _num_sets(len(good))
            for place in range(count):
                yield tuple(sorted(good[place::count]))


def _accused(node: int, ledger: Ledger) -> Ballot:
    """The ballot of a bad node. The failure that it was condemned by is a vote, and so is each with
    one good node that is in none of the others: a link fails whenever its two ends meet."""
    proof = ledger.proof(node)
    assert proof is not None
    votes, met = [proof.test], {*proof.others}
    for test in ledger.accusers(node):
        others = {*ledger.tests[test]} - {node}
        if len(others) == 1 and met.isdisjoint(others):
            votes.append(test)
            met |= others
    return Ballot(node, met, failed=votes)


def _num_sets(num_good: float) -> int:
    """Sets of a partition: two at least, so that there is somebody to vote on those of one."""
    return max(math.ceil(num_good / POOL), 2 if num_good >= 2 * MIN_SIZE else 1)


def to_confirm(num_good: float, num_bad: float) -> Estimate:
    """What a confirmation will take where every test says what those before it said."""
    sets = PARTITIONS * _num_sets(num_good)
    return Estimate((FAILS - 1) * num_bad + sets, max(FAILS - 1, PARTITIONS))
