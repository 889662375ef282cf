from __future__ import annotations

from math import ceil, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.batching.table import Table, letters, table

from batchtui.engine.machine import Failure, Replied
from batchtui.engine.model import Reply


def run(num_rows: int, poisoned: set[int], *, max_retries: int) -> Table:
    """Run one step in which every call with a poisoned row fails."""
    desk = table(max_num_seqs=num_rows, max_retries=max_retries)
    for index in range(num_rows):
        desk.submit(f"r{index}", index=index, max_tokens=1)
    while desk.decoder.status != "done":
        for work in desk.turn().start:
            keys = list(work.spec.keys)
            is_bad = any(slot in poisoned for slot, _, _ in keys)
            body = Failure(kind="raise") if is_bad else Reply(keys, [letters("x") for _ in keys])
            desk.decoder.take(Replied(work=work.id, body=body))
    return desk


@pytest.mark.parametrize("num_rows", [1, 2, 3, 8, 64, 200])
@pytest.mark.parametrize("max_retries", [0, 1, 2])
def test_one_poisoned_request_costs_a_number_of_calls_that_is_logarithmic(
    num_rows: int, max_retries: int
) -> None:
    for poisoned in {0, num_rows // 2, num_rows - 1}:
        desk = run(num_rows, {poisoned}, max_retries=max_retries)
        halvings = ceil(log2(num_rows)) if num_rows > 1 else 0
        assert desk.decoder.counters.calls <= 1 + max_retries + 2 * halvings
        assert desk.result(f"r{poisoned}").finish_reason == "error"


@given(num_rows=st.integers(1, 24), poisoned=st.sets(st.integers(0, 23)), budget=st.integers(0, 2))
def test_the_innocent_get_their_token_and_only_the_poisoned_end_in_error(
    num_rows: int, poisoned: set[int], budget: int
) -> None:
    desk = run(num_rows, poisoned, max_retries=budget)
    ends = {result.index: (result.text, result.finish_reason) for result in desk.heard.results}
    assert ends == {
        index: ("", "error") if index in poisoned else ("x", "length") for index in range(num_rows)
    }
    assert desk.decoder.step == 1


def test_the_budget_is_spent_on_the_whole_before_it_is_halved() -> None:
    desk = run(4, {2}, max_retries=2)
    assert [len(work.spec.keys) for work in desk.works] == [4, 4, 4, 2, 2, 1, 1]
    assert [desk.result(f"r{index}").retries for index in range(4)] == [3, 3, 4, 4]
