"""What ``batchtui open`` does with nodes: a case or an inventory becomes a session of a search.

It stands apart, so that the other verbs do not load it.
"""

from __future__ import annotations

from pathlib import Path

from batchtui.engine.errors import InputError
from batchtui.plugins.formats.nodes_case import NodesCase
from batchtui.plugins.inventories import open_inventory
from batchtui.plugins.nodes_cases import is_case, is_inventory, open_case
from batchtui.plugins.searches import SearchOptions, case_of
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.nodes_sessions import open_search


def case_named(name: str) -> NodesCase:
    """The case, or one that says nothing but which nodes there are.

    Raises:
        InputError: there is no such thing, or something in it is wrong.
    """
    if is_case(name) or not is_inventory(name):
        return open_case(name)
    return case_of(open_inventory(name), Path(name).name)


def searched(
    case: NodesCase,
    options: SearchOptions | None = None,
    *,
    command: str = "",
    record: Path | None = None,
) -> NodesSession:
    """A session of a search that has not begun.

    Raises:
        InputError: the case is a ledger, in which nothing is tested, or an option is wrong.
    """
    if case.ledger is not None:
        raise InputError(f"{case.name} is a ledger, nothing is tested: `batchtui nodes` reads it")
    asked = command or f"batchtui nodes {case.name}"
    return open_search(case, options or SearchOptions(), command=asked, record=record)
