"""Where a search stands: sets that have somebody bad, free nodes, and nodes known to be good.

The contaminated sets are disjoint, the smallest first. A member of a set that overlaps a smaller
one counts as free, as does the rest of a set of which a part has failed: it is as good as untested.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import compress
from operator import or_

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import BAD, GOOD

_ZERO = bytes([1]) + bytes(255)
_NOT_GOOD = bytes(known != GOOD for known in range(256))


class Doubtful:
    """Sets whose tests proved nothing: searched as if they had failed, until somebody bad is found
    in them or a member is given up, which is explanation enough."""

    def __init__(self) -> None:
        self.all: list[frozenset[int]] = []

    def add(self, nodes: tuple[int, ...]) -> None:
        """A test was inconclusive for the last time."""
        self.all.append(frozenset(nodes))

    def live(self, board: Board) -> Iterator[frozenset[int]]:
        """Those that are left to be explained, without their good members."""
        status, closed = board.status, board.closed
        for nodes in self.all:
            left = frozenset(node for node in nodes if status[node] != GOOD)
            if left and not any(status[node] == BAD or closed[node] for node in left):
                yield left


class Standing:
    """What a board comes to.

    Args:
        board: what is known.
        doubtful: what is searched as if it had failed.
        busy: a byte for each node: whether to take it as in a test; the board's unless said.

    Attributes:
        sets: the contaminated sets of which no member is in a test.
        free: nodes in none of them that are open and in no test.
        has_anchor: whether anybody is known to be good that may be tested, in a test or not.
    """

    def __init__(self, board: Board, doubtful: Doubtful, busy: bytearray | None = None) -> None:
        self._board = board
        self._busy = board.busy if busy is None else busy
        held = bytearray(board.num_nodes)
        self.sets = list(_choose(board, doubtful, self._busy, held))
        self.free = _unmarked(board.status, board.closed, self._busy, held)
        self.has_anchor = board.has_anchor

    def anchors(self) -> Iterator[int]:
        """The good nodes that are in no test."""
        return iter(_anchors(self._board, self._busy))


def _choose(
    board: Board, doubtful: Doubtful, busy: bytearray, held: bytearray
) -> Iterator[frozenset[int]]:
    """Disjoint sets, the smallest first; their members become ``held``, also of those that wait."""
    any_closed = any(board.closed)
    clauses = (
        clause
        for clause in board.ledger.clauses.all()
        if not any_closed or not any(map(board.closed.__getitem__, clause))
    )
    for nodes in sorted([*clauses, *doubtful.live(board)], key=len):
        if any(map(held.__getitem__, nodes)):
            continue
        for node in nodes:
            held[node] = 1
        if not any(map(busy.__getitem__, nodes)):
            yield nodes


def _anchors(board: Board, busy: bytearray) -> list[int]:
    return _unmarked(board.status.translate(_NOT_GOOD), board.closed, busy)


def _unmarked(*marks: bytes | bytearray) -> list[int]:
    """The nodes that none of the marks is set for; bytes are joined at once, not node by node."""
    size = len(marks[0])
    any_of = reduce(or_, (int.from_bytes(each, "little") for each in marks))
    return list(compress(range(size), any_of.to_bytes(size, "little").translate(_ZERO)))
