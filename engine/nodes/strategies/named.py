"""The strategies by their names."""

from __future__ import annotations

import difflib

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.strategies.planned_rounds import PLAN, PlannedRounds
from batchtui.engine.nodes.strategies.strategy import MakeStrategy, Strategy

# Each is imported when it is made: a search uses one, and the others would cost it memory.


def _fewest_tests(board: Board) -> Strategy:
    from batchtui.engine.nodes.strategies.fewest_tests import FewestTests  # noqa: PLC0415

    return FewestTests(board)


def _fewest_rounds(board: Board) -> Strategy:
    from batchtui.engine.nodes.strategies.fewest_rounds import FewestRounds  # noqa: PLC0415

    return FewestRounds(board)


def _fastest(board: Board) -> Strategy:
    from batchtui.engine.nodes.strategies.fastest import Fastest  # noqa: PLC0415

    return Fastest(board)


def _staged(board: Board) -> Strategy:
    from batchtui.engine.nodes.strategies.staged import Staged  # noqa: PLC0415

    return Staged(board)


def _anchor(board: Board) -> Strategy:
    from batchtui.engine.nodes.strategies.anchor import Anchor  # noqa: PLC0415

    return Anchor(board)


STRATEGIES: dict[str, MakeStrategy] = {
    "fewest-tests": _fewest_tests,
    "fewest-rounds": _fewest_rounds,
    "fastest": _fastest,
    "staged": _staged,
    "anchor": _anchor,
}


def strategy_named(name: str) -> MakeStrategy:
    """The strategy of this name; ``plan`` is the one that runs the config's.

    Raises:
        InputError: there is none.
    """
    if name == PLAN:  # not one to be chosen: it needs a plan
        return PlannedRounds
    if name not in STRATEGIES:
        near = difflib.get_close_matches(name, STRATEGIES, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InputError(f"no strategy {name!r}: {hint}want one of {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
