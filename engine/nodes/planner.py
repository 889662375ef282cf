"""The planner: tries each strategy on the virtual clock before a node-minute is spent.

Nobody knows who is bad, so worlds are drawn from what is thought likely, and each strategy is run
in all of them under the lanes and the times of the search. It is told nothing but what its board
says. All meet the same worlds, so what differs between them is the strategy and not luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.forecast import Forecast, draws_within, forecast_from
from batchtui.engine.nodes.state import StrategyNamed
from batchtui.engine.nodes.strategies.fastest import Fastest
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.engine.nodes.strategies.strategy import MakeStrategy

BUDGET = 5_120
"""What the draws for one strategy may cost, a node in a draw costing 1."""


def forecast(
    config: NodesConfig,
    strategies: Sequence[str],
    *,
    draws: int,
    rng: Random,
    named: StrategyNamed = strategy_named,
) -> list[Forecast]:
    """What a search would take by each strategy, before its first test.

    Args:
        config: of the search; its strategy does not matter.
        strategies: their names.
        draws: how many worlds to try, at the most: with more than some hundred nodes it is fewer,
            and each forecast says how many.
        rng: draws them.
        named: gives the strategies.

    Raises:
        InputError: there is no such strategy.
    """
    board = Board(config)
    makers = [(name, _settled(named(name), board)) for name in strategies]
    count = draws_within(BUDGET, len(board.candidates()), draws)
    return forecast_from(board, config, makers, draws=count, rng=rng)


def _settled(make: MakeStrategy, board: Board) -> MakeStrategy:
    """``fastest`` chooses by what is known at the beginning, which is the same in every world: so
    it need choose only once."""
    made = make(board)
    return made.make if isinstance(made, Fastest) else make
