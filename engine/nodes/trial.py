"""The trial: where nothing could be tested yet, whether anything can.

A set that could not be started says little of a cluster: one node that is broken is enough, and the
larger a set, the likelier it has one. So when a few sets proved nothing, and none ever anything,
pairs are tried, of nodes drawn from everywhere: a few broken ones cannot be in all of those. One
pair that passes or fails ends the trial, and the search goes on; if all prove nothing it is
hopeless: no launcher, no network, and nothing is known of any node.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from random import Random

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import PAIR
from batchtui.engine.nodes.strategies.pair_hunt import PairHunt
from batchtui.engine.nodes.strategies.strategy import Proposal

BEGIN = 3
"""Sets that proved nothing before it begins: the first are the search's own, and often enough."""

ENOUGH = 8
"""Pairs that proved nothing: disjoint ones, where there are so many nodes. With an eighth of the
nodes broken all eight have one in one of 100,000 cases, with a half in one of ten."""


class Trial:
    """Tries pairs until enough have proved nothing.

    Attributes:
        sets: those that proved nothing, each once.
    """

    def __init__(self, board: Board) -> None:
        self.sets: set[frozenset[int]] = set()
        self._board = board
        self._hunt: PairHunt | None = None

    def add(self, nodes: Iterable[int]) -> None:
        """A set proved nothing, for the last time."""
        self.sets.add(frozenset(nodes))

    @property
    def has_begun(self) -> bool:
        """Whether to try pairs rather than what a strategy wants."""
        return len(self.sets) >= BEGIN

    @property
    def is_hopeless(self) -> bool:
        """Whether enough pairs proved nothing; where there are few nodes that is every pair."""
        return bool(self.sets) and self._num_left < 1

    def propose(self, room: int) -> list[Proposal]:
        """Pairs, disjoint while there are such, as many as are still to be tried."""
        if self._hunt is None:
            self._hunt = PairHunt(self._board, self.sets, self._drawn())
        wanted = min(room, self._num_left - self._board.num_running)
        why = "can anything be tested?"
        return [Proposal(pair, why) for pair in self._hunt.next_pairs(wanted)]

    @property
    def _num_left(self) -> int:
        here = self._board.candidates()
        tried = sum(len(each) == PAIR and not self._is_shut(each) for each in self.sets)
        return min(ENOUGH, math.comb(len(here), PAIR)) - tried

    def _is_shut(self, nodes: Iterable[int]) -> bool:
        return any(map(self._board.closed.__getitem__, nodes))

    def _drawn(self) -> list[int]:
        """Those who are in no such pair yet first."""
        nodes = self._board.candidates()
        Random(self._board.config.seed).shuffle(nodes)
        seen = {node for each in self.sets if len(each) == PAIR for node in each}
        return sorted(nodes, key=seen.__contains__)
