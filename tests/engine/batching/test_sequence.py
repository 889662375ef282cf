from __future__ import annotations

import gc
import sys

import pytest
from tests.engine.batching.table import Letters, request

from batchtui.engine.batching.request import TokenLogprob
from batchtui.engine.batching.sequence import Entry, Sequence, unrun_result
from batchtui.engine.batching.state import RequestState, advance
from batchtui.engine.batching.stops import Automata, Gate, Verdict
from batchtui.engine.errors import InvariantError

AUTOMATA = Automata(Letters(), mute=False)


def sequence(
    *, min_tokens: int = 0, seed: int | None = None, logprobs: int | None = None
) -> Sequence:
    asked = request("r", max_tokens=8, min_tokens=min_tokens, seed=seed, logprobs=logprobs)
    entry = Entry(asked, None, 5, 8, 1)
    return Sequence(entry, 2, 7, AUTOMATA.start(asked.params), now=30)


def test_an_entry_is_small_and_no_work_for_the_garbage_collector() -> None:
    entry = Entry(request("r"), None, 5, 8, 1)
    assert sys.getsizeof(entry) <= 64
    assert not gc.is_tracked(entry)


def crossings(row: Sequence) -> dict[int, Gate | None]:
    """The gate set at each length at which something is due, until the limit."""
    found: dict[int, Gate | None] = {}
    while len(row.token_ids) + 1 < row.limit:
        row.token_ids.append(1)
        if len(row.token_ids) == row.threshold:
            found[len(row.token_ids)] = row.cross()
    assert row.threshold == row.limit
    return found


@pytest.mark.parametrize(
    ("min_tokens", "expected"),
    [
        (0, {1: None}),
        (1, {1: Gate.OPEN}),
        (2, {1: Gate.TOKENS, 2: Gate.OPEN}),
        (3, {1: Gate.SHUT, 2: Gate.TOKENS, 3: Gate.OPEN}),
        (6, {1: Gate.SHUT, 5: Gate.TOKENS, 6: Gate.OPEN}),
        (8, {1: Gate.SHUT, 7: Gate.TOKENS}),
    ],
)
def test_gates_open_at_the_token_that_min_tokens_says(
    min_tokens: int, expected: dict[int, Gate | None]
) -> None:
    assert crossings(sequence(min_tokens=min_tokens)) == expected


def test_it_is_prefilling_until_its_first_token_and_then_decodes() -> None:
    row = sequence()
    states = [row.status]
    row.token_ids.append(1)
    row.cross()
    states.append(row.status)
    assert states == [RequestState.PREFILL, RequestState.DECODE]


def test_it_cannot_go_on_after_its_end() -> None:
    row = sequence()
    row.status = advance(row.status, RequestState.STOPPED)
    with pytest.raises(InvariantError):
        advance(row.status, RequestState.DECODE)


def test_it_is_the_row_that_a_model_sees() -> None:
    row = sequence(seed=11)
    assert (row.key, row.index, row.params.seed) == ((2, 7, "r"), 0, 11)
    assert (row.num_prompt_tokens, row.prompt_token_ids, row.num_computed_tokens) == (5, None, 0)


def test_a_result_says_what_came_of_it() -> None:
    row = sequence()
    row.token_ids += [1, 2]
    row.deltas += ["a", "b"]
    result = row.result(90, Verdict("stop", "x"))
    assert (result.text, result.output_tokens, result.stop_reason) == ("ab", 2, "x")
    assert (result.slot, result.generation, result.admitted_us, result.finish_us) == (2, 7, 30, 90)


@pytest.mark.parametrize(
    ("asked", "counts", "kept"),
    [(None, [1, 2], None), (0, [], []), (0, [2, 1], [-1, -2, -1]), (0, [1, 3], None)],
)
def test_a_result_has_the_logprobs_of_all_tokens_or_none(
    asked: int | None, counts: list[int], kept: list[float] | None
) -> None:
    row = sequence(logprobs=asked)
    for count in counts:
        row.token_ids += [5] * count
        row.keep_logprobs([TokenLogprob(5, -1), TokenLogprob(5, -2)], count)
    result = row.result(90, Verdict("length"))
    found = None if result.logprobs is None else [entry.logprob for entry in result.logprobs]
    assert (found, result.wants_logprobs) == (kept, asked is not None)


def test_one_that_never_ran_has_no_slot_and_no_tokens() -> None:
    result = unrun_result(request("r", arrival_us=4), 9, 50, Verdict("error", None, "no room"))
    assert (result.slot, result.generation, result.admitted_us) == (None, None, None)
    assert (result.output_tokens, result.prompt_tokens, result.error) == (0, 9, "no room")
    assert (result.arrival_us, result.finish_us) == (4, 50)
