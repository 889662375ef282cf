"""``fewest-rounds``: disjoint pairs, then each suspect with a good node of its own.

Where at most a quarter of the nodes are bad, two rounds are enough, and no search can do with one.
Proof: d bad nodes spoil at most d pairs, so at most 2d are suspects, and N - 2d >= 2d are known to
be good. While no pair passes, all pairs are gone through, round by round; once one does,
the good ones double: with g good nodes among N the d bad ones take 1 + ceil(d/g) rounds at least.
"""

from __future__ import annotations

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import GOOD, UNKNOWN
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.strategies.pair_hunt import PairHunt
from batchtui.engine.nodes.strategies.strategy import Estimate, Proposal, taken


class FewestRounds:
    """Pairs of the unknown, then pairs of an unknown and a good one."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._hunt = PairHunt(board)
        self._hunt.begin_round()

    def propose(self, room: int) -> list[Proposal]:
        """Pairs of this round; when they are used up, suspects with the good nodes there are."""
        board = self._board
        proposals = self._next_pairs(room)
        if board.has_anchor:
            return proposals + self._suspects(room - len(proposals), taken(proposals))
        while not (proposals or board.num_running) and room > 0 and self._hunt.begin_round():
            proposals = self._next_pairs(room)
        return proposals

    def _next_pairs(self, room: int) -> list[Proposal]:
        """Neighbours in any case; pairs of later rounds only while nobody good can help."""
        if not self._has_pairs:
            return []
        why = "neighbours" if self._hunt.round == 1 else "no pair has passed yet"
        return [Proposal(pair, why) for pair in self._hunt.pairs_of_round(room)]

    @property
    def _has_pairs(self) -> bool:
        return self._hunt.round == 1 or not self._board.has_anchor

    def _suspects(self, room: int, taken: set[int]) -> list[Proposal]:
        if room < 1:
            return []
        good = [node for node in self._board.free_of(GOOD) if node not in taken]
        # Where tests take unequally long, one that has helped already would make a third round.
        good.sort(key=self._board.last_round.__getitem__)
        open = [node for node in self._board.free_of(UNKNOWN) if node not in taken]
        count = min(len(good), room)
        if count < len(open):
            open = self._one_a_clause_first(open, count)
        return [
            Proposal((min(pair), max(pair)), "with a good node of its own")
            for pair in list(zip(open, good, strict=False))[:room]
        ]

    def _one_a_clause_first(self, open: list[int], count: int) -> list[int]:
        """Where not all can be tested: of those who failed together one may clear up the other.
        The first so many, at the least."""
        first, then, spoken_for = list[int](), list[int](), set[int]()
        for node in open:
            if len(first) == count:
                break
            (then if node in spoken_for else first).append(node)
            for clause in self._board.ledger.clauses.of(node):
                spoken_for |= clause
        return first + then

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> None:
        """Nothing that is not on the board."""

    def left(self) -> Estimate:
        """What is left of this round of pairs, and a test for each suspect."""
        board = self._board
        suspects = sum(board.is_open(n) for n in board.ledger.clauses.suspects)
        pairs = self._hunt.num_waiting if self._has_pairs else 0
        return Estimate(pairs + suspects, (pairs > 0) + (suspects > 0))
