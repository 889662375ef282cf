"""Inventories: JSON Lines or one JSON array of nodes, CSV, or plain text with a host or a hostlist
a line. Which it is, is told by the content: CSV has a first line with a column ``node``, which may
be called ``host``, ``hostname`` or ``name`` as well.

A node has a name, and perhaps a rack, a prior and the number of XID errors in its log. One that
has reported some is suspected the more: its prior is multiplied by ``1 + 4 log2(1 + errors)``, so
one error makes it worth five ordinary nodes and a thousand, which come in bursts, forty-one.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.inventory import MAX_NODES, Inventory, Node, rack_of
from batchtui.plugins.formats.decode import decode
from batchtui.plugins.formats.lines import head, name_of, numbered_lines, place, printable, whole
from batchtui.plugins.hostlists import expanded, is_host, no_host

MAX_PRIOR = 1e6
MAX_RACK = 32
_Prior = Annotated[float, msgspec.Meta(gt=0, le=MAX_PRIOR)]
_Errors = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]


class NodeLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node as it is written.

    Raises:
        ValueError: no host can have such a name, or no rack.
    """

    node: str
    rack: str = ""
    prior: _Prior = 1.0
    xid_errors: _Errors = 0

    def __post_init__(self) -> None:
        if not is_host(self.node):
            raise ValueError(no_host(self.node))
        if not self.rack.isprintable() or len(self.rack) > MAX_RACK:
            raise ValueError(f"rack: want {MAX_RACK} printable characters at most")

    @property
    def weight(self) -> float:
        """How many ordinary nodes it is worth in suspicion."""
        return min(MAX_PRIOR, self.prior * (1 + 4 * math.log2(1 + self.xid_errors)))


class Placed(NamedTuple):
    """A node, and where it was read, for messages."""

    line: NodeLine
    where: str


Reader = Callable[[Path], Iterator[Placed]]
"""Reads the nodes of a file of one kind."""

_COLUMNS = NodeLine.__struct_fields__
_NODE_COLUMNS = ("node", "host", "hostname", "name")
_LINE = msgspec.json.Decoder(NodeLine)
_CELLS = msgspec.json.Decoder(NodeLine, strict=False)
_ARRAY = msgspec.json.Decoder(list[msgspec.Raw])
_BRACKETED = re.compile(r"\[[^\]]*\]")
_LETTERED = re.compile(r".*[-_.]([A-Za-z]{1,2})\d+")


def read_inventory(path: Path) -> Inventory:
    """Read the nodes of a file.

    Raises:
        InputError: it cannot be read, holds no nodes, or a line is wrong; names the place.
    """
    beginning = head(path)
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in beginning:
        raise InputError(f"{name_of(path)} is not text in UTF-8: save it as UTF-8")
    nodes = list(_reader_of(beginning)(path))
    if not nodes:
        raise InputError(f"{name_of(path)} has no nodes: want one or more")
    return inventory_of(nodes)


def inventory_of(nodes: Sequence[Placed]) -> Inventory:
    """The inventory of nodes that were read; those without a rack are given one.

    Raises:
        InputError: one is there twice, or there are too many.
    """
    where = dict[str, str]()
    for line, seen in nodes:
        if line.node in where:
            raise InputError(f"{seen}: {line.node} is there already, at {where[line.node]}")
        where[line.node] = seen
    if len(nodes) > MAX_NODES:
        raise InputError(f"{len(nodes)} nodes: want {MAX_NODES:,} at most")
    racks = _racks([line for line, _ in nodes])
    made = [
        Node(name=line.node, rack=rack, prior=line.weight)
        for (line, _), rack in zip(nodes, racks, strict=True)
    ]
    return Inventory(nodes=tuple(made))


def _racks(lines: Sequence[NodeLine]) -> list[str]:
    """The rack of each: what is said; else, where the names have letters for racks (gpu-d19 stands
    in D), those; else by the place in the file."""
    lettered = [_LETTERED.fullmatch(line.node) for line in lines]
    letters = [found[1].upper() if found else "" for found in lettered]
    if not all(letters) or len(set(letters)) == 1:
        letters = [rack_of(index, len(lines)) for index in range(len(lines))]
    return [line.rack or letter for line, letter in zip(lines, letters, strict=True)]


def _reader_of(beginning: bytes) -> Reader:
    start = beginning.lstrip()
    if re.match(rb'\[\s*["{\]]', start):
        return _array
    if start.startswith(b"{"):
        return _json_lines
    return _csv if has_columns(_first_line(start)) else _text


def has_columns(line: str) -> bool:
    """Whether a first line names columns, one of them that of the nodes."""
    return "node" in _columns(line)


def _json_lines(path: Path) -> Iterator[Placed]:
    for number, line in numbered_lines(path):
        where = place(path, number)
        yield Placed(decode(_LINE, line, where), where)


def _array(path: Path) -> Iterator[Placed]:
    name = name_of(path)
    written = decode(_ARRAY, whole(path), name)
    for index, raw in enumerate(written):
        yield node_of(raw, f"{name} [{index}]")


def node_of(raw: msgspec.Raw, where: str) -> Placed:
    """A node that is written as an object or as a name alone.

    Raises:
        InputError: it is neither; begins with ``where``.
    """
    if bytes(raw).lstrip().startswith(b'"'):
        raw = msgspec.Raw(msgspec.json.encode({"node": msgspec.json.decode(raw)}))
    return Placed(decode(_LINE, raw, where), where)


def _csv(path: Path) -> Iterator[Placed]:
    lines = ((number, _decoded(path, number, line)) for number, line in numbered_lines(path))
    rows = [(number, line) for number, line in lines if not line.startswith("#")]
    comma = _comma_of(rows[0][1])
    columns = _columns(rows[0][1])
    where = place(path, rows[0][0])
    for column in columns:
        if column not in _COLUMNS:
            raise InputError(
                f'{where}: unknown column "{printable(column)}": known are {", ".join(_COLUMNS)}'
            )
    if len(set(columns)) < len(columns):
        raise InputError(f"{where}: a column is there twice")
    for number, line in rows[1:]:
        where = place(path, number)
        cells = _cells(line, comma)
        if len(cells) != len(columns):
            raise InputError(f"{where} has {len(cells)} cells: want {len(columns)}")
        said = {column: cell for column, cell in zip(columns, cells, strict=True) if cell}
        yield Placed(decode(_CELLS, msgspec.json.encode(said), where), where)


def _text(path: Path) -> Iterator[Placed]:
    lines = [
        (place(path, number), text)
        for number, line in numbered_lines(path)
        if (text := _decoded(path, number, line).partition("#")[0].strip())
    ]
    _refuse_a_table(lines)
    for where, text in lines:
        try:
            names = expanded(text)
        except InputError as error:
            raise InputError(f"{where}: {error}") from error
        for name in names:
            yield Placed(NodeLine(name), where)


def _refuse_a_table(lines: Sequence[tuple[str, str]]) -> None:
    """A table without our columns would be taken for hosts, its header and its racks among them.

    Raises:
        InputError: there are several lines, and all have as many commas, one or more.
    """
    counts = {_BRACKETED.sub("", text).count(",") for _, text in lines}
    if len(lines) > 1 and len(counts) == 1 and counts != {0}:
        raise InputError(
            f'{lines[0][0]}: a table without a column "node": name one so in the first line, '
            "or write a host a line"
        )


def _first_line(start: bytes) -> str:
    """The first that is not a comment, whatever is wrong with it."""
    lines = start.decode("utf-8", "replace").splitlines()
    return next((line for line in lines if line.strip() and not line.startswith("#")), "")


def _comma_of(header: str) -> str:
    return max(",;\t", key=header.count)


def _columns(header: str) -> list[str]:
    """The columns that a line names, by our names."""
    cells = [cell.lower() for cell in _cells(header, _comma_of(header))]
    return ["node" if cell in _NODE_COLUMNS else cell for cell in cells]


def _cells(line: str, comma: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=comma), [])]


def _decoded(path: Path, number: int, line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise InputError(f"{place(path, number)} is not UTF-8: save it as UTF-8") from None
