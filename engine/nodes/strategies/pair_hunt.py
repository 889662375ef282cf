"""The hunt for a first good node: pairs, each at most once, until one passes or none is left."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.strategies.pairs import Pair, pair_rounds


class PairHunt:
    """Goes through the rounds of ``pairs``; a pair whose nodes are in tests waits.

    Args:
        board: whose open nodes are paired.
        failed: sets that need not be tested again.

    Attributes:
        num_left: pairs that are still to come.
    """

    def __init__(self, board: Board, failed: Iterable[frozenset[int]]) -> None:
        self._board = board
        tests = board.ledger.tests.values()
        self._failed = {frozenset(nodes) for nodes in tests if len(nodes) == 2} | {*failed}
        nodes = [node for node in board.candidates() if board.is_open(node)]
        self.num_left = math.comb(len(nodes), 2)
        self._rounds = pair_rounds(nodes)
        self._waiting: list[Pair] = []

    def next_pairs(self, room: int) -> list[Pair]:
        """Pairs that can be tested now; the next round begins when all of the last have."""
        pairs: list[Pair] = []
        while len(pairs) < room:
            if not self._waiting:
                self._waiting = next(self._rounds, [])
                if not self._waiting:
                    break
            pairs += self._ready(room - len(pairs), {node for pair in pairs for node in pair})
            if self._waiting:
                break
        return pairs

    def _ready(self, room: int, taken: set[int]) -> Iterator[Pair]:
        board, waiting = self._board, list[Pair]()
        for pair in self._waiting:
            if frozenset(pair) in self._failed or not all(map(board.is_open, pair)):
                self.num_left -= 1
            elif room > 0 and taken.isdisjoint(pair) and all(map(board.is_free, pair)):
                self.num_left -= 1
                room -= 1
                yield pair
            else:
                waiting.append(pair)
        self._waiting = waiting
