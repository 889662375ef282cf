"""Columns and borders: the rows of a panel, and the rules that join one panel to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from batchtui.tui.renderables.glyphs import Glyphs
from batchtui.tui.renderables.line import Line, clip, fit, width_of


@dataclass(frozen=True)
class Column:
    """A column: what stands over it, its width in cells, and on which side its text stands."""

    title: str
    width: int
    right: bool = False

    def cell(self, content: Line) -> Line:
        """``content`` in this column's width."""
        cut = clip(content, self.width)
        gap: Line = [(" " * (self.width - width_of(cut)), "")]
        return [*gap, *cut] if self.right else [*cut, *gap]


def row(columns: Sequence[Column], cells: Sequence[Line]) -> Line:
    """Cells in their columns, a space between them."""
    line: Line = []
    for column, cell in zip(columns, cells, strict=True):
        if line:
            line.append((" ", ""))
        line.extend(column.cell(cell))
    return line


def heads(columns: Sequence[Column]) -> Line:
    """The titles of the columns."""
    return row(columns, [[(column.title, "dim")] for column in columns])


def table_width(columns: Sequence[Column]) -> int:
    """The cells that a row of these columns takes."""
    return sum(column.width for column in columns) + max(0, len(columns) - 1)


def framed(glyphs: Glyphs, content: Line, width: int) -> Line:
    """A line between the two sides of a panel."""
    if width < 2:
        return fit(content, width)
    return [
        (glyphs.down, "border"),
        *fit(clip(content, width - 2), width - 2),
        (glyphs.down, "border"),
    ]


def facts(pieces: Sequence[Line], separator: str, room: int) -> Line:
    """The first piece and as many of the others as there is room for; none is cut but the first."""
    line: Line = []
    for piece in pieces:
        gap: Line = [(f" {separator} ", "border")] if line else []
        if line and width_of(line) + width_of(gap) + width_of(piece) + 1 > room:
            break
        line += [*gap, *piece]
    return clip([*line, (" ", "")], room) if width_of(line) < room else clip(line, room)


def rule(
    glyphs: Glyphs,
    width: int,
    corners: tuple[str, str],
    title: Line,
    *,
    right: Line | None = None,
    joints: dict[int, str] | None = None,
) -> Line:
    """A horizontal border with a title at its left, perhaps one at its right, and joints.

    ``joints`` are columns at which another border meets this one; a title that reaches there wins.
    """
    if width < 2:
        return fit([(corners[0], "border")], width)
    inner = width - 2
    body = clip(title, inner)
    tip = right if right and width_of(body) + width_of(right) + 2 <= inner else []
    across = [glyphs.across] * (inner - width_of(body) - width_of(tip))
    for column, joint in (joints or {}).items():
        if 0 <= (place := column - 1 - width_of(body)) < len(across):
            across[place] = joint
    line = [*body, ("".join(across), "border"), *tip]
    return [(corners[0], "border"), *line, (corners[1], "border")]
