from __future__ import annotations

from itertools import product

import pytest

from batchtui.engine.batching.state import TRANSITIONS, RequestState, advance
from batchtui.engine.errors import InvariantError


@pytest.mark.parametrize(("old", "new"), product(RequestState, RequestState))
def test_a_move_is_made_if_and_only_if_the_table_has_it(
    old: RequestState, new: RequestState
) -> None:
    if new in TRANSITIONS[old]:
        assert advance(old, new) is new
    else:
        with pytest.raises(InvariantError, match=f"from {old.value} to {new.value}"):
            advance(old, new)


def test_every_state_is_in_the_table_and_can_be_reached() -> None:
    assert set(TRANSITIONS) == set(RequestState)
    reached = {RequestState.SUBMITTED}
    for _ in RequestState:
        reached |= {new for old in reached for new in TRANSITIONS[old]}
    assert reached == set(RequestState)


def test_ends_are_final_and_nothing_else_is() -> None:
    assert [state.value for state in RequestState if state.finished] == [
        "stop",
        "length",
        "abort",
        "error",
    ]
