"""Finding the nodes that a command names: in a file, by hostlist, by number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.inventory import Inventory
from batchtui.plugins.formats.inventory import read_inventory
from batchtui.plugins.formats.lines import printable
from batchtui.plugins.hostlists import expanded, parts_of

_NUMBERS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")

NodeRef = int | str
"""A node as somebody names it: by its place in the inventory, or by its name."""


def open_inventory(given: str) -> Inventory:
    """Read the inventory of a path.

    Raises:
        InputError: there is no such file, or something in it is wrong.
    """
    return read_inventory(file_at(given, "inventory"))


def file_at(given: str, what: str) -> Path:
    """The path of a file that can be read twice.

    Raises:
        InputError: there is none; ``what`` was wanted.
    """
    shown, path = printable(given, 80), Path(given)
    try:
        exists, is_file = path.exists(), path.is_file()
    except (OSError, ValueError) as error:  # a name too long, or a NUL in it
        raise InputError(f"{shown} is not a path of this system") from error
    if not given or not exists:
        raise InputError(f'no {what} "{shown}": want the path of a file')
    if not is_file:
        raise InputError(f"{shown} is not a regular file: the {what} is read twice, save it to one")
    return path


def places_of(inventory: Inventory) -> dict[str, int]:
    """The place of each node by its name."""
    return {node.name: index for index, node in enumerate(inventory.nodes)}


def place_of(ref: NodeRef, places: Mapping[str, int], where: str) -> int:
    """The place of one node.

    Raises:
        InputError: there is none; begins with ``where``, and its code is ``unknown_node``.
    """
    if isinstance(ref, str):
        if ref in places:
            return places[ref]
        raise InputError(f'{where}: there is no node "{printable(ref)}"', code="unknown_node")
    if not 0 <= ref < len(places):
        raise InputError(
            f"{where}: there is no node {ref}: want 0 to {len(places) - 1}", code="unknown_node"
        )
    return ref


def selected(text: str, inventory: Inventory, where: str) -> tuple[int, ...]:
    """The places of the nodes of a hostlist, or of numbers such as ``17,44`` or ``3-9``, in order.

    A node of which the name is a number is found by its name.

    Raises:
        InputError: it is no list, or one of them is not there; begins with ``where``.
    """
    places = places_of(inventory)
    found = set[int]()
    try:
        parts = parts_of(text) if text.strip() else []
        refs = [ref for part in parts for ref in _refs(part, places)]
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    for ref in refs:
        found.add(place_of(ref, places, where))
    return tuple(sorted(found))


def _refs(part: str, places: Mapping[str, int]) -> Iterable[NodeRef]:
    numbers = None if part in places else _NUMBERS.fullmatch(part)
    if numbers is None:
        return expanded(part)
    low, high = int(numbers[1]), int(numbers[2] or numbers[1])
    if low > high:
        raise InputError(f'"{part}" is no range: want the lower number first')
    return range(low, min(high, max(low, len(places))) + 1)
