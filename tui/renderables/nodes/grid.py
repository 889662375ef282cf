"""Where each node's letter stands on the map: racks in rows, as many abreast as there is room for.

Where there are more nodes than cells a letter stands for several neighbours of one rack; where even
that is too much, only the first rack of a row has its label.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from batchtui.engine.nodes.inventory import Inventory
from batchtui.tui.renderables.line import cells
from batchtui.tui.renderables.text import plain

GROUP = 8
"""Letters after which there is a gap, where there is room for gaps."""

_BETWEEN = 2
_MOST_LABEL = 8


class _Shape(NamedTuple):
    """Whether letters stand in groups, whether racks stand abreast, and whether all have labels."""

    gap: bool
    is_abreast: bool
    labels: bool = True


_SHAPES = (_Shape(True, False), _Shape(True, True), _Shape(False, True))
"""From the roomiest on."""

_LAST_SHAPE = _Shape(False, True, labels=False)


class Rack(NamedTuple):
    """Nodes that stand together."""

    name: str
    nodes: tuple[int, ...]


class Piece(NamedTuple):
    """A rack on a row, or as much of it as fits.

    Its label, the column of its first letter, before which the label stands, and its cells: of
    each the nodes that its letter stands for.
    """

    label: str
    column: int
    cells: tuple[tuple[int, ...], ...]


class Grid(NamedTuple):
    """The rows of the map.

    ``label`` is how wide labels are, ``gap`` whether there are gaps, ``per`` how many nodes a
    letter stands for.
    """

    rows: tuple[tuple[Piece, ...], ...]
    label: int
    gap: bool
    per: int

    def column_of(self, piece: Piece, place: int) -> int:
        """The column of a cell of a piece."""
        return piece.column + place + (place // GROUP if self.gap else 0)

    def places(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Each cell: its row, its column, its nodes."""
        for row, pieces in enumerate(self.rows):
            for piece in pieces:
                for place, nodes in enumerate(piece.cells):
                    yield row, self.column_of(piece, place), nodes

    def node_at(self, row: int, column: int) -> int | None:
        """The first node of the cell at a place."""
        for piece in self.rows[row] if 0 <= row < len(self.rows) else ():
            for place, nodes in enumerate(piece.cells):
                if self.column_of(piece, place) == column:
                    return nodes[0]
        return None

    def place_of(self, node: int) -> tuple[int, int] | None:
        """The row and the column of a node's cell."""
        for row, column, nodes in self.places():
            if node in nodes:
                return row, column
        return None

    def beside(self, node: int, rows: int) -> int:
        """The node so many rows below, or the nearest there is to it."""
        here = self.place_of(node)
        if here is None:
            return node
        row = min(max(0, here[0] + rows), len(self.rows) - 1)
        there = [
            (abs(column - here[1]), nodes[0]) for r, column, nodes in self.places() if r == row
        ]
        return min(there)[1] if row != here[0] and there else node


def racks_of(inventory: Inventory) -> tuple[Rack, ...]:
    """The racks in the order in which they first come."""
    racks: dict[str, list[int]] = {}
    for index, node in enumerate(inventory.nodes):
        racks.setdefault(node.rack, []).append(index)
    return tuple(Rack(name, tuple(nodes)) for name, nodes in racks.items())


@lru_cache(maxsize=64)
def grid_of(racks: tuple[Rack, ...], width: int, height: int) -> Grid:
    """The roomiest map that fits; where none does, one that is too high."""
    grid = Grid((), 0, True, 1)
    for per, shape in _shapes(max((len(rack.nodes) for rack in racks), default=0)):
        grid = _laid_out(racks, width, per, shape)
        if len(grid.rows) <= height:
            break
    return grid


def _shapes(longest: int) -> Iterator[tuple[int, _Shape]]:
    """From the roomiest on; ``longest`` is how many nodes the largest rack has."""
    yield from ((1, shape) for shape in _SHAPES)
    pers = [1]
    while pers[-1] < longest:
        pers.append(2 * pers[-1])
    yield from ((per, _SHAPES[-1]) for per in pers[1:])
    yield from ((per, _LAST_SHAPE) for per in pers)


def _laid_out(racks: tuple[Rack, ...], width: int, per: int, shape: _Shape) -> Grid:
    label = min(_MOST_LABEL, width // 2, max((cells(plain(r.name)) for r in racks), default=0))
    longest = max(-(-len(rack.nodes) // per) for rack in racks) if racks else 0
    size = _letters_in(width - label - 1, longest, gap=shape.gap)
    piece = size + (max(0, size - 1) // GROUP if shape.gap else 0)
    pitch = piece + (label + 1 + _BETWEEN if shape.labels else 1)
    abreast = 1 + max(0, width - label - 1 - piece) // pitch if shape.is_abreast else 1
    pieces = list(_pieces(racks, size, per))
    rows = [
        tuple(
            Piece(name if shape.labels or not place else "", label + 1 + place * pitch, cells)
            for place, (name, cells) in enumerate(pieces[start : start + abreast])
        )
        for start in range(0, len(pieces), abreast)
    ]
    return Grid(tuple(rows), label, shape.gap, per)


def _letters_in(room: int, longest: int, *, gap: bool) -> int:
    """How many letters of a rack stand on a row: all, or whole groups."""
    most = max(1, room)
    if gap:
        most = max(1, (room + 1) * GROUP // (GROUP + 1))
    if longest <= most:
        return max(1, longest)
    return most // GROUP * GROUP or most


def _pieces(
    racks: tuple[Rack, ...], size: int, per: int
) -> Iterator[tuple[str, tuple[tuple[int, ...], ...]]]:
    for rack in racks:
        sets = [rack.nodes[start : start + per] for start in range(0, len(rack.nodes), per)]
        for start in range(0, len(sets), size):
            yield "" if start else rack.name, tuple(sets[start : start + size])
