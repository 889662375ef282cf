"""Options of a search that are typed."""

from __future__ import annotations

import pytest

from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.strategies.named import STRATEGIES
from batchtui.tui.nodes_by_hand import option_fields, options_of
from batchtui.tui.nodes_session import NodesSession


def test_the_fields_are_the_options_as_they_are(gpus: NodesSession) -> None:
    strategy, at_once = option_fields(gpus)
    assert strategy.value == "fewest-tests"
    assert set(strategy.choices) == set(STRATEGIES) - {"plan"}
    assert at_once.value == "8"
    answers = {strategy.name: strategy.value, at_once.name: at_once.value}
    assert options_of(answers) == NodesOptions(strategy="fewest-tests", max_parallel=8)


@pytest.mark.parametrize("text", ["0", "-1", "", "x", "1.5", "100001", "٣x", "²"])
def test_a_number_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="at once is not a number from 1 to 100,000"):
        options_of({"strategy": "anchor", "max_parallel": text})


def test_a_strategy_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="fewest"):
        options_of({"strategy": "quickest", "max_parallel": "3"})


def test_blanks_around_a_number_do_not_matter() -> None:
    assert options_of({"strategy": "anchor", "max_parallel": " 12 "}).max_parallel == 12
