"""What nodes are called: from an index into the inventory to a name, and back."""

from __future__ import annotations

from collections.abc import Iterable

from batchtui.engine.nodes.inventory import Inventory


class Names:
    """The names of an inventory; the way back is made when it is first wanted."""

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self._index: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self.inventory)

    def of(self, node: int) -> str:
        """The name of a node; of one that there is not, its number."""
        nodes = self.inventory.nodes
        return nodes[node].name if 0 <= node < len(nodes) else str(node)

    def all(self, nodes: Iterable[int]) -> list[str]:
        """The names of some nodes."""
        return [self.of(node) for node in nodes]

    def find(self, text: str) -> int | None:
        """The node that is called so, or else has this number; None where there is none."""
        if self._index is None:
            self._index = {node.name: i for i, node in enumerate(self.inventory.nodes)}
        if (found := self._index.get(text)) is not None:
            return found
        is_number = text.isascii() and text.isdigit() and len(text) < 10
        return int(text) if is_number and int(text) < len(self) else None
