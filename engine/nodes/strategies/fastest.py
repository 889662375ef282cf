"""``fastest``: tries the other strategies on the virtual clock, and goes on as the quickest.

Which one that is depends on the lanes, on how much longer a failing test takes than a passing one,
and on how many are thought to be bad: with a lane for every pair two rounds of pairs win, with one
lane whatever needs few tests, and in between a few stages. So it is worked out, not laid down: each
is run in the same worlds, drawn from what the board says, and the one with the least expected time
is chosen, once; among equals the one that takes fewer node-seconds.
"""

from __future__ import annotations

from functools import partial
from random import Random

import msgspec

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.forecast import draws_within, forecast_from
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.strategies.fewest_rounds import FewestRounds
from batchtui.engine.nodes.strategies.fewest_tests import FewestTests
from batchtui.engine.nodes.strategies.staged import Staged
from batchtui.engine.nodes.strategies.stages import best_pass
from batchtui.engine.nodes.strategies.strategy import Estimate, MakeStrategy, Proposal

DRAWS, BUDGET = 16, 4_096

FEW_LANES = 4
"""Only with so few is it worth trying tests that pass more often than not: they take less time one
after the other, and fewer of them are in the making at once."""


class Fastest:
    """The quickest of the others, from this board on.

    Attributes:
        chosen: its name.
        forecasts: of each of them, the quickest first.
        make: makes the chosen one.
    """

    def __init__(self, board: Board) -> None:
        makers = candidates(board)
        count = sum(map(board.is_open, board.candidates()))
        forecasts = forecast_from(
            board,
            msgspec.structs.replace(board.config, confirms=False),  # the same for all
            makers.items(),
            draws=draws_within(BUDGET, count, DRAWS),
            rng=Random(board.config.seed),
        )
        self.forecasts = sorted(
            forecasts, key=lambda each: (each.makespan_s.mean, each.node_seconds.mean)
        )
        self.chosen = self.forecasts[0].strategy
        self.make = makers[self.chosen]
        self._strategy = self.make(board)

    def __str__(self) -> str:
        """As in "staged, 3.4 min expected (fewest-rounds 5.1, fewest-tests 4.9)"."""
        first, *others = self.forecasts
        unit, scale = ("min", 60) if first.makespan_s.mean >= 60 else ("s", 1)
        rest = ", ".join(f"{each.strategy} {each.makespan_s.mean / scale:.1f}" for each in others)
        return f"{first.strategy}, {first.makespan_s.mean / scale:.1f} {unit} expected ({rest})"

    def propose(self, room: int) -> list[Proposal]:
        """What the chosen one proposes."""
        return self._strategy.propose(room)

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> None:
        """Tell the chosen one."""
        self._strategy.heard(test, nodes, verdict)

    def left(self) -> Estimate:
        """What the chosen one expects."""
        return self._strategy.left()


def candidates(board: Board) -> dict[str, MakeStrategy]:
    """Those there are to choose from; with few lanes also ``fewest-tests`` with tests that pass as
    often as is best where a failing one takes longer."""
    makers: dict[str, MakeStrategy] = {
        "fewest-tests": FewestTests,
        "fewest-rounds": FewestRounds,
        "staged": Staged,
    }
    target = best_pass(board.config.fail_ratio)
    if board.config.fail_ratio > 1 and board.max_parallel <= FEW_LANES:
        makers[f"fewest-tests at {target:.0%}"] = partial(FewestTests, target=target)
    return makers
