"""The cells on a context that is not llama.cpp, but just as sensitive to how it is called.

In floating point a position's value depends on the tokens before it and on how many were computed
in its call. The fake keeps just that of each position, so that a sequence that was computed in
other pieces than alone is seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtui.engine.errors import InputError
from batchtui.plugins.models.llama_cells import LlamaCells, RowTokens
from batchtui.plugins.models.llama_context import Given

NUM_SLOTS = 3
BLOCK_SIZE = 4
VOCABULARY = 1000

Value = int
"""Stands for a key and a value: what it was computed from."""


@dataclass
class FakeContext:
    """``sequences`` has the values of each; ``outputs`` those of the last call that were wanted."""

    sequences: dict[int, list[Value]] = field(default_factory=lambda: defaultdict(list))
    outputs: list[Value] = field(default_factory=list)
    num_calls: int = 0
    num_given: int = 0
    failing: set[int] = field(default_factory=set)

    def decode(self, tokens: Iterable[Given]) -> None:
        call = list(tokens)
        self.num_calls += 1
        self.num_given += len(call)
        self.outputs = []
        lengths: dict[int, int] = defaultdict(int)
        for each in call:
            lengths[each.sequence] += 1
        assert len(lengths) == 1 or set(lengths.values()) == {1}, "a prefill in others' call"
        for at, each in enumerate(call):
            if self.num_calls in self.failing and at == len(call) // 2:
                raise RuntimeError("half a call")
            values = self.sequences[each.sequence]
            assert each.position == len(values), "a hole in a sequence"
            values.append(hash((tuple(values), each.token, lengths[each.sequence])))
            if each.wanted:
                self.outputs.append(values[-1])

    def cut(self, sequence: int, length: int) -> None:
        del self.sequences[sequence][length:]

    def copy(self, source: int, target: int, length: int) -> None:
        assert source != target
        self.sequences[target] = self.sequences[source][:length]


def cells() -> tuple[FakeContext, LlamaCells]:
    context = FakeContext()
    return context, LlamaCells(context, NUM_SLOTS, VOCABULARY, BLOCK_SIZE)


def output_alone(prefix: RowTokens) -> Value:
    """What a prefix comes to when it is decoded from its prompt on, with nobody else."""
    context, own = cells()
    for length in range(prefix.num_prompt_tokens, len(prefix.token_ids) + 1):
        own.compute([prefix._replace(token_ids=prefix.token_ids[:length])])
    return context.outputs[0]


def row(slot: int, name: str, prompt: list[int], output: list[int] | None = None) -> RowTokens:
    return RowTokens((slot, 1, name), [*prompt, *(output or [])], len(prompt))


def test_nothing_is_called_for_no_rows() -> None:
    context, own = cells()
    own.compute([])
    assert context.num_calls == 0


def test_a_newcomer_is_prefilled_apart_and_all_are_decoded_together() -> None:
    context, own = cells()
    own.compute([row(0, "a", [1, 2, 3]), row(1, "b", [4])])
    assert (context.num_calls, context.num_given) == (2, 4)  # two tokens of a, then a's and b's
    own.compute([row(0, "a", [1, 2, 3], [5]), row(1, "b", [4], [6])])
    assert (context.num_calls, context.num_given) == (3, 6)


def test_a_shared_beginning_is_computed_once() -> None:
    context, own = cells()
    prompt = [*range(BLOCK_SIZE + 3)]
    own.compute([row(0, "a", prompt)])
    before = context.num_given
    own.compute([row(1, "b", [*prompt[:-1], 500])])
    assert context.num_given - before == 3  # the rest of the prompt
    assert context.outputs == [output_alone(row(1, "b", [*prompt[:-1], 500]))]


def test_a_token_that_there_is_not_costs_no_call() -> None:
    context, own = cells()
    for token in (-1, VOCABULARY):
        with pytest.raises(InputError, match="not from 0 to 999"):
            own.compute([row(0, "a", [1, token, 2])])
    assert context.num_calls == 0


def test_a_failed_call_is_made_good_by_the_next() -> None:
    context, own = cells()
    rows = [row(0, "a", [1, 2, 3]), row(1, "b", [4, 5])]
    context.failing = {3}
    with pytest.raises(RuntimeError):
        own.compute(rows)
    own.compute(rows)
    assert context.outputs == [output_alone(each) for each in rows]


# Prompts and outputs are made of one token mostly, so that much is shared.
_PROMPTS = st.tuples(
    st.integers(1, 3 * BLOCK_SIZE + 2), st.lists(st.integers(7, 8), max_size=2)
).map(lambda drawn: [*([7] * drawn[0]), *drawn[1]])
_STEPS = st.lists(
    st.tuples(
        st.integers(0, NUM_SLOTS - 1),
        st.sampled_from(["join", "step", "drop", "fail", "some"]),
        _PROMPTS,
    ),
    max_size=40,
)


@given(_STEPS)
def test_a_sequence_never_depends_on_neighbours_slots_or_faults(
    steps: list[tuple[int, str, list[int]]],
) -> None:
    context, own = cells()
    rows: dict[int, RowTokens] = {}
    for number, (slot, what, prompt) in enumerate(steps):
        if what == "join":
            rows[slot] = RowTokens((slot, number, f"r{number}"), prompt, len(prompt))
        called = [each for at, each in sorted(rows.items()) if what != "some" or at != slot]
        if what == "fail":
            context.failing = {context.num_calls + 1 + slot}
        try:
            own.compute(called)
        except RuntimeError:
            continue
        assert not called or context.outputs == [output_alone(each) for each in called]
        if what == "drop":
            continue  # the reply was lost: the same rows come again
        for each in called:
            rows[each.slot] = each._replace(token_ids=[*each.token_ids, 7 + (number % 11 == 0)])
