"""The strategies by their names."""

from __future__ import annotations

import difflib

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.strategies.anchor import Anchor
from batchtui.engine.nodes.strategies.fewest_rounds import FewestRounds
from batchtui.engine.nodes.strategies.strategy import MakeStrategy

STRATEGIES: dict[str, MakeStrategy] = {
    "fewest-rounds": FewestRounds,
    "anchor": Anchor,
}


def strategy_named(name: str) -> MakeStrategy:
    """The strategy of this name.

    Raises:
        InputError: there is none.
    """
    if name not in STRATEGIES:
        near = difflib.get_close_matches(name, STRATEGIES, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InputError(f"no strategy {name!r}: {hint}want one of {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
