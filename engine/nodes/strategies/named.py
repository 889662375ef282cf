"""The strategies by their names."""

from __future__ import annotations

import difflib

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.strategies.anchor import Anchor
from batchtui.engine.nodes.strategies.fastest import Fastest
from batchtui.engine.nodes.strategies.fewest_rounds import FewestRounds
from batchtui.engine.nodes.strategies.fewest_tests import FewestTests
from batchtui.engine.nodes.strategies.planned_rounds import PLAN, PlannedRounds
from batchtui.engine.nodes.strategies.staged import Staged
from batchtui.engine.nodes.strategies.strategy import MakeStrategy

STRATEGIES: dict[str, MakeStrategy] = {
    "fewest-tests": FewestTests,
    "fewest-rounds": FewestRounds,
    "fastest": Fastest,
    "staged": Staged,
    "anchor": Anchor,
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
