"""What a search has in hand: its board, its strategy, and the tests that are planned and run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.confirm import Confirmation
from batchtui.engine.nodes.events import Ended
from batchtui.engine.nodes.posterior import Posterior
from batchtui.engine.nodes.running import Lanes, Running
from batchtui.engine.nodes.strategies.strategy import MakeStrategy, Strategy
from batchtui.engine.nodes.trial import Trial

StrategyNamed = Callable[[str], MakeStrategy]
"""Gives strategies by their names."""


@dataclass
class SearchState:
    """Changed by the phases alone.

    Attributes:
        named: gives other strategies.
        again: tests that proved nothing and will be made once more.
        num_tests: different sets that were tested or are about to be; repetitions are not counted.
        num_made: tests that have ended, repetitions included.
        node_us: how long nodes were in tests, all of them together.
        ended: why the search is over, once it is.
        now: the time, in microseconds.
        confirmation: what tests again what the search came to, while it does.
        num_confirmations: how often that was begun.
        is_overruled: whether the last one contradicted the ledger.
        votes: the sets of its tests, by their ids.
        trial: what proved nothing, and whether anything can be tested.
    """

    config: NodesConfig
    named: StrategyNamed
    board: Board
    strategy: Strategy
    strategy_name: str
    posterior: Posterior
    trial: Trial
    lanes: Lanes = field(default_factory=Lanes)
    planned: list[Running] = field(default_factory=list)
    running: dict[int, Running] = field(default_factory=dict)
    again: deque[Running] = field(default_factory=deque)
    num_tests: int = 0
    num_made: int = 0
    num_inconclusive: int = 0
    num_discarded: int = 0
    node_us: int = 0
    ended: Ended | None = None
    now: int = 0
    confirmation: Confirmation | None = None
    num_confirmations: int = 0
    is_overruled: bool = False
    votes: dict[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def begin(cls, config: NodesConfig, named: StrategyNamed) -> SearchState:
        """Before the first test."""
        board = Board(config)
        strategy = named(config.strategy)(board)
        posterior = Posterior(board.priors)
        return cls(config, named, board, strategy, config.strategy, posterior, Trial(board))

    @property
    def room(self) -> int:
        """How many more tests may be begun now: none that might outlast the time budget."""
        return 0 if self.is_late else self.board.max_parallel - len(self.running)

    @property
    def is_late(self) -> bool:
        """Whether a test that began now might outlast the time budget."""
        budget = self.config.time_budget_us
        return budget is not None and self.now + self.config.timeout_us > budget

    @property
    def is_barren(self) -> bool:
        """Whether no test has said anything so far."""
        return self.num_inconclusive == self.num_made

    @property
    def outcome(self) -> Ended:
        """What a search that stopped now has come to."""
        board = self.board
        here = board.candidates()
        if all(board.status[node] for node in here) and not board.abandoned:
            return "identified"
        if not board.ledger.num_good and not board.pairs_left():
            return "at_most_one_good"
        if self.is_late:
            return "time_budget"
        return "inconclusive" if self.is_barren and self.num_made else "exhausted"
