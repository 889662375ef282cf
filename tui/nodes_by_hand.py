"""What a person types to change a search, made into an input."""

from __future__ import annotations

from collections.abc import Mapping

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.strategies.named import STRATEGIES, strategy_named
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.screens.form import Field

MOST_PARALLEL = 100_000


def option_fields(session: NodesSession) -> list[Field]:
    """The options of a search as they are."""
    view = session.view
    choices = tuple(name for name in STRATEGIES if name != "plan")
    strategy = view.strategy if view.strategy in choices else choices[0]
    return [
        Field("strategy", "strategy", strategy, choices=choices),
        Field("max_parallel", "at once", str(view.max_parallel), "tests that may run at once"),
    ]


def options_of(answers: Mapping[str, str]) -> NodesOptions:
    """The options that were typed.

    Raises:
        ValueError: something is wrong with them; the message says what.
    """
    try:
        strategy_named(answers["strategy"])
    except InputError as error:
        raise ValueError(str(error)) from error
    text = answers["max_parallel"].strip()
    if not text.isdecimal() or not 1 <= int(text) <= MOST_PARALLEL:
        raise ValueError(f"at once is not a number from 1 to {MOST_PARALLEL:,}")
    return NodesOptions(strategy=answers["strategy"], max_parallel=int(text))
