"""Finding what can be searched: a nodes case by a bundled name or by path, or an inventory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from batchtui.engine.errors import BatchtuiError
from batchtui.plugins.formats.lines import HEAD_BYTES, head

if TYPE_CHECKING:
    from batchtui.plugins.formats.nodes_case import NodesCase

# Readers are imported where they read: whoever only asks what a file is, needs none of them.

BUNDLED = Path(__file__).parent.parent / "assets" / "searches"

_LINES = 20
"""Lines of a plain text that must be hosts before it is taken for a list of them."""


def case_names() -> list[str]:
    """The names of the nodes cases that come with the package."""
    return sorted(path.stem for path in BUNDLED.glob("*.json"))


def open_case(name_or_path: str) -> NodesCase:
    """Open a bundled case by its name, or any other by its path.

    A bundled name wins over a file of that name in the working directory; ``./gpus`` is the file.

    Raises:
        InputError: there is no such thing, or something in it is wrong.
    """
    from batchtui.plugins.formats import nodes_case  # noqa: PLC0415

    if name_or_path in case_names():
        return nodes_case.read_nodes_case(BUNDLED / f"{name_or_path}.json")
    return nodes_case.open_nodes_case(name_or_path)


def is_case(name_or_path: str) -> bool:
    """Whether it is a bundled case, or a file that holds one: a JSON object that has ``nodes`` and
    no ``requests``."""
    if name_or_path in case_names():
        return True
    beginning = _head(name_or_path).lstrip()
    if not beginning.startswith(b"{") or b'"nodes"' not in beginning or b'"requests"' in beginning:
        return False
    if len(beginning) >= HEAD_BYTES // 2:  # a long list of nodes: it need not be read to its end
        return True
    try:
        document = msgspec.json.decode(beginning)
    except ValueError:  # JSON Lines, or broken: its own reader says how
        return False
    return isinstance(document, dict) and "nodes" in document


def is_inventory(name_or_path: str) -> bool:
    """Whether it is a file that lists hosts: JSON of ``node``s, CSV with a column of them, or lines
    with a host or a hostlist each."""
    beginning = _head(name_or_path).strip()
    if not beginning:
        return False
    if beginning[:1] in (b"{", b"["):
        return b'"node"' in beginning and b'"prompt' not in beginning
    try:
        lines = beginning.decode("utf-8", "ignore").splitlines()[:_LINES]
    except ValueError:
        return False
    from batchtui.plugins.formats.inventory import has_columns  # noqa: PLC0415

    hosts = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    if hosts and has_columns(hosts[0]):
        return True
    return bool(hosts) and all(map(_is_list, hosts))


def _is_list(line: str) -> bool:
    from batchtui.plugins.hostlists import expanded  # noqa: PLC0415

    try:
        return bool(expanded(line))
    except BatchtuiError:
        return False


def _head(name_or_path: str) -> bytes:
    path = Path(name_or_path)
    try:
        return head(path) if path.is_file() else b""
    except (OSError, ValueError, BatchtuiError):
        return b""
