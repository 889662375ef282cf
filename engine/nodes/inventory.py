"""The nodes that are to be tested: names, racks, and how suspicious each one is from the start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from batchtui.engine.errors import InputError

MAX_NODES = 100_000


class Node(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One host.

    Attributes:
        name: what the operator calls it.
        rack: where it stands; nodes of one rack stand together on the screen.
        prior: how many ordinary nodes it is worth in suspicion, above 0: a node with prior 5 is
            as likely to be bad as five ordinary ones are to have a bad one among them.
    """

    name: str
    rack: str = ""
    prior: float = 1.0

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a node without a name")
        if not 0 < self.prior <= 1e6:
            raise ValueError(f"prior of {self.name} is {self.prior:g}: want above 0, to 1,000,000")


class Inventory(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The nodes of a search, in order; a node is an index into them.

    ``numbered`` says that nobody gave them names: reports then give their numbers. ``excluded``
    are never touched.
    """

    nodes: tuple[Node, ...]
    numbered: bool = False
    excluded: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if len(self.nodes) > MAX_NODES:
            raise ValueError(f"{len(self.nodes)} nodes: want {MAX_NODES:,} at most")
        if len({node.name for node in self.nodes}) < len(self.nodes):
            raise ValueError(f"two nodes are called {self._twin()}")
        wrong = next((node for node in self.excluded if not 0 <= node < len(self.nodes)), None)
        if wrong is not None:
            raise ValueError(f"there is no node {wrong} to be excluded")

    def _twin(self) -> str:
        names = Counter(node.name for node in self.nodes)
        return names.most_common(1)[0][0]

    def __len__(self) -> int:
        return len(self.nodes)

    def names(self, nodes: Iterable[int]) -> list[str]:
        """The names of some nodes."""
        return [self.nodes[node].name for node in nodes]


PER_RACK, LARGE_RACK = 16, 32
"""Nodes a rack where nobody says in which they stand: of up to 128 nodes, and of more."""


def numbered(count: int) -> Inventory:
    """An inventory of nodes that are known by their number alone.

    Raises:
        InputError: so many nodes cannot be.
    """
    if not 1 <= count <= MAX_NODES:
        raise InputError(f"{count} nodes: want 1 to {MAX_NODES:,}")
    width = max(3, len(str(count - 1)))
    nodes = (Node(name=f"gpu-{i:0{width}}", rack=rack_of(i, count)) for i in range(count))
    return Inventory(nodes=tuple(nodes), numbered=True)


def rack_of(node: int, count: int) -> str:
    """The rack of a node among so many, where nobody says in which it stands."""
    return _letters(node // (PER_RACK if count <= 128 else LARGE_RACK))


def _letters(number: int) -> str:
    """0 is A, 25 is Z, 26 is AA."""
    word = ""
    while number >= 0:
        word = chr(ord("A") + number % 26) + word
        number = number // 26 - 1
    return word
