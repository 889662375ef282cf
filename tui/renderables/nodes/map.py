"""The map: a letter for each node, by rack; that of its test for one that is in a test."""

from __future__ import annotations

from itertools import groupby

from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, clip, fit, width_of
from batchtui.tui.renderables.nodes.grid import GROUP, Grid, Piece, Rack, grid_of
from batchtui.tui.renderables.nodes.letters import RUNNING_STYLE, STYLES, legend, name_of, ranks_of
from batchtui.tui.renderables.nodes.verdict import counts
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.table import facts
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import counted


def map_panel(scene: NodesScene, frame: Frame, top: int = 0, *, focused: bool) -> list[Line]:
    """The panel's lines: its title, the map from row ``top`` on, the legend."""
    grid = grid_in(scene, frame)
    rows: list[Line] = [[(" ", ""), *line] for line in map_lines(scene, grid)]
    room = map_rows(scene.racks, frame)
    body = rows[top : top + room]
    if frame.room > room:
        body += [[]] * (room - len(body))
        body.append([(" ", ""), *_bottom(scene, grid, frame.inner - 2)])
    return frame.panel(scene, _title(scene, frame, focused=focused), body)


def map_rows(racks: tuple[Rack, ...], frame: Frame) -> int:
    """How many rows of the map are seen at once: the last one is the legend's, if there is room."""
    if frame.room >= 4:
        return frame.room - 1
    return frame.room - (len(grid_of(racks, _width(frame), frame.room).rows) < frame.room)


def grid_in(scene: NodesScene, frame: Frame) -> Grid:
    """Where the letters stand in a panel."""
    return grid_of(scene.racks, _width(frame), max(1, map_rows(scene.racks, frame)))


def _width(frame: Frame) -> int:
    return max(1, frame.inner - 2)


def map_lines(scene: NodesScene, grid: Grid) -> list[Line]:
    """Every row of the map."""
    letters = scene.view.drawn()
    ranks, fresh = ranks_of(letters), scene.view.fresh if scene.marks else {}
    return [_row(scene, grid, row, letters, ranks, fresh) for row in grid.rows]


def _row(
    scene: NodesScene,
    grid: Grid,
    row: tuple[Piece, ...],
    letters: str,
    ranks: bytes,
    fresh: dict[int, str],
) -> Line:
    line: Line = []
    at = 0
    for piece in row:
        start = piece.column - grid.label - 1 if piece.label or not at else piece.column
        line.append((" " * (start - at), ""))
        if start < piece.column:
            label = plain(piece.label, ascii_only=scene.glyphs.ascii)
            line += [*fit(clip([(label, "dim")], grid.label), grid.label), (" ", "")]
        spans = _spans(scene, grid, piece, letters, ranks, fresh)
        line += spans
        at = piece.column + sum(len(text) for text, _ in spans)
    return line


def _spans(
    scene: NodesScene,
    grid: Grid,
    piece: Piece,
    letters: str,
    ranks: bytes,
    fresh: dict[int, str],
) -> Line:
    """The letters of a rack, as few spans as there are changes of style: a map may have thousands
    of letters, and most of them look alike."""
    if grid.per == 1:
        cells = [letters[nodes[0]] for nodes in piece.cells]
    else:
        rank = ranks.__getitem__
        cells = [letters[min(nodes, key=rank)] for nodes in piece.cells]
    styles = [STYLES.get(letter, RUNNING_STYLE) for letter in cells]
    for place, nodes in enumerate(piece.cells) if fresh or scene.choice.node is not None else ():
        if scene.choice.node in nodes:
            styles[place] = "picked"
        elif len(nodes) == 1 and nodes[0] in fresh and styles[place] == "decode":
            styles[place] = "entered"
    if grid.gap:
        for place in range((len(cells) - 1) // GROUP * GROUP, 0, -GROUP):
            cells.insert(place, " ")
            styles.insert(place, "")
    text = "".join(cells)
    spans, start = list[tuple[str, str]](), 0
    for style, run in groupby(styles):
        end = start + sum(1 for _ in run)
        spans.append((text[start:end], style))
        start = end
    return spans


def _title(scene: NodesScene, frame: Frame, *, focused: bool) -> Line:
    pieces: list[Line] = [
        [(" ", ""), ("1 ", "digit"), ("MAP", "focused" if focused else "title")],
        [(counted(scene.view.num_nodes, "node"), "")],
        counts(scene),
    ]
    return facts(pieces, frame.across(scene), frame.inner)


def _bottom(scene: NodesScene, grid: Grid, width: int) -> Line:
    """What the letters mean; of a picked node first its name."""
    line: Line = []
    node = scene.choice.node
    if node is not None:
        line = [(name_of(scene, node), "picked"), ("  ", "")]
    if grid.per > 1:
        line += [(f"{grid.per} nodes a letter: the worst  ", "hint")]
    return clip([*line, *legend(width - width_of(line))], width)
