"""The hunt for a first good node: pairs, each at most once, until one passes or none is left."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.strategies.pairs import Pair, pair_rounds


class PairHunt:
    """Goes through the rounds of ``pairs``; a pair whose nodes are in tests waits, one that is
    known to have failed is left out.

    Args:
        board: whose nodes are paired, as long as nothing is known of them.
        proved_nothing: sets that need not be tested again, though they have not failed.
        nodes: those to be paired; the open ones of the board unless said.

    Attributes:
        num_left: pairs that are still to come, those that will be left out included.
        round: the number of the current round, from 1; 0 before the first.
    """

    def __init__(
        self,
        board: Board,
        proved_nothing: Iterable[frozenset[int]] = (),
        nodes: Sequence[int] | None = None,
    ) -> None:
        self._board = board
        self._proved_nothing = {*proved_nothing}
        if nodes is None:
            nodes = [node for node in board.candidates() if board.is_open(node)]
        self.num_left = math.comb(len(nodes), 2)
        self.round = 0
        self._rounds = pair_rounds(nodes, board.config.seed)
        self._waiting = deque[Pair]()

    @property
    def num_waiting(self) -> int:
        """Pairs of this round that are still to come."""
        return len(self._waiting)

    def next_pairs(self, room: int) -> list[Pair]:
        """Pairs that can be tested now; the next round begins when all of the last have."""
        pairs: list[Pair] = []
        while len(pairs) < room and (self._waiting or self.begin_round()):
            pairs += self._ready(room - len(pairs), {node for pair in pairs for node in pair})
            if self._waiting:
                break
        return pairs

    def pairs_of_round(self, room: int) -> list[Pair]:
        """The same, of this round alone."""
        return [*self._ready(room, set())]

    def begin_round(self) -> bool:
        """Go on to the next round; False where there is none."""
        self._waiting = deque(next(self._rounds, ()))
        self.round += bool(self._waiting)
        return bool(self._waiting)

    def _ready(self, room: int, taken: set[int]) -> Iterator[Pair]:
        board, busy = self._board, list[Pair]()
        while self._waiting and room > 0:
            pair = self._waiting.popleft()
            if not all(map(board.is_open, pair)) or self._is_known(pair):
                self.num_left -= 1
            elif taken.isdisjoint(pair) and all(map(board.is_free, pair)):
                self.num_left -= 1
                room -= 1
                yield pair
            else:
                busy.append(pair)
        self._waiting.extendleft(reversed(busy))

    def _is_known(self, pair: Pair) -> bool:
        if self._board.ledger.has_failed(*pair):
            return True
        return bool(self._proved_nothing) and frozenset(pair) in self._proved_nothing
