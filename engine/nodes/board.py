"""What a strategy sees: what is known of the nodes, which are free, and what may be spent."""

from __future__ import annotations

from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.ledger import GOOD, UNKNOWN, Ledger


class Board:
    """The state of a search. Only the search changes it.

    Attributes:
        config: how the search is set up.
        ledger: what is known.
        busy: a byte for each node: whether it is in a test that runs or is about to.
        closed: a byte for each node: whether it must not be touched, or was given up.
        last_round: of each node, that of its last test; 0 before the first.
        rounds: the highest round in which a test has ended.
        max_parallel: how many tests may run at once.
        num_running: how many do, those that are about to included.
        abandoned: nodes that were given up, since they cannot be tested.
    """

    def __init__(self, config: NodesConfig) -> None:
        count = len(config.inventory)
        self.config = config
        self.ledger = Ledger(count)
        self.busy = bytearray(count)
        self.closed = bytearray(count)
        self.last_round = [0] * count
        self.rounds = 0
        self.max_parallel = config.lanes
        self.num_running = 0
        self.abandoned: list[int] = []
        for node in config.inventory.excluded:
            self.closed[node] = 1
        self.priors = [node.prior for node in config.inventory.nodes]

    @property
    def num_nodes(self) -> int:
        """How many there are, those that must not be touched included."""
        return len(self.busy)

    @property
    def status(self) -> bytearray:
        """What is known of each node."""
        return self.ledger.status

    @property
    def has_anchor(self) -> bool:
        """Whether anybody is known to be good that may be tested, now or later."""
        if not self.ledger.num_good or 1 not in self.closed:
            return self.ledger.num_good > 0
        marks = zip(self.status, self.closed, strict=True)
        return any(known == GOOD and not closed for known, closed in marks)

    @property
    def excluded(self) -> list[int]:
        """The nodes that must not be touched, in order; those that were given up are not among
        them."""
        abandoned = set(self.abandoned)
        return [n for n, closed in enumerate(self.closed) if closed and n not in abandoned]

    def candidates(self) -> list[int]:
        """The nodes that may be tested."""
        return [node for node, closed in enumerate(self.closed) if not closed]

    def is_open(self, node: int) -> bool:
        """Whether it is still to be found out about."""
        return self.status[node] == UNKNOWN and not self.closed[node]

    def is_free(self, node: int) -> bool:
        """Whether it can be in a test now."""
        return not self.busy[node] and not self.closed[node]

    def free_of(self, status: int) -> list[int]:
        """The nodes that can be in a test now and of which that is known, in order."""
        marks = zip(self.status, self.busy, self.closed, strict=True)
        return [
            node
            for node, (known, busy, closed) in enumerate(marks)
            if known == status and not busy and not closed
        ]

    @property
    def num_open(self) -> int:
        """How many nodes are still to be found out about."""
        return sum(self.is_open(node) for node in range(self.num_nodes))

    def pairs_left(self) -> int:
        """Pairs that are still to be tested before it is sure that at most one node is good."""
        here = self.candidates()
        return len(here) * (len(here) - 1) // 2 - self.ledger.failed_pairs(here)
