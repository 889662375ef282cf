from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.batching.table import Letters
from tests.engine.batching.told import Told

from batchtui.engine.batching.explain.dead_stops import UNKNOWN, Tokens, dead_stops, lints_of_stops
from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.batching.trie import Trie

KNOWN = Tokens.of(Letters())


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"stop": ("END",)}, []),
        ({"stop": ("EN", "END")}, ['stop "END" never matches: "EN" in it ends first']),
        ({"stop": ("xay", "a")}, ['stop "xay" never matches: "a" in it ends first']),
        # Of two that end on one byte the longest wins.
        ({"stop": ("END", "D")}, []),
        # A match put off by min_tokens does not end the output, so the longer one may come.
        ({"stop": ("EN", "END"), "min_tokens": 1}, []),
        ({"stop": ("a", "a")}, ['stop "a" is listed twice']),
        ({"stop_token_ids": (3, 3)}, ["stop token 3 is listed twice"]),
        ({"stop_token_ids": (0,)}, ["stop token 0 is EOS, which ends the output anyway"]),
        ({"stop_token_ids": (0,), "ignore_eos": True}, []),
        ({"stop_token_ids": (99,)}, ["stop token 99 is not in the vocabulary"]),
        (
            {"stop": ("a",), "min_tokens": 8},
            ['min_tokens 8 lets no stop count before the output ends at token 8: "a"'],
        ),
        # EOS and stop tokens count at the min_tokens-th token itself.
        ({"stop_token_ids": (3,), "min_tokens": 8}, []),
        ({"min_tokens": 8}, []),
    ],
)
def test_stops_that_can_never_end_anything(fields: dict[str, Any], found: list[str]) -> None:
    assert list(dead_stops(SamplingParams(max_tokens=8, **fields), 8, KNOWN)) == found


def test_a_limit_that_was_cut_below_min_tokens_lets_not_even_eos_count() -> None:
    params = SamplingParams(max_tokens=8, min_tokens=6, stop_token_ids=(3,), stop=("a",))
    assert list(dead_stops(params, 5)) == [
        'min_tokens 6 lets no stop count before the output ends at token 5: "a" token 3 EOS'
    ]


def test_where_nothing_is_known_of_the_vocabulary_nothing_is_said_of_tokens() -> None:
    assert dead_stops(SamplingParams(stop_token_ids=(0, 99)), 8, UNKNOWN) == ()


@given(st.lists(st.text("ab", min_size=1, max_size=4), max_size=4))
def test_a_stop_is_dead_exactly_if_the_matcher_cannot_reach_its_end(stops: list[str]) -> None:
    params = SamplingParams(stop=tuple(stops))
    said = dead_stops(params, 8)
    trie = Trie(tuple(stops))
    for stop in set(stops):
        node, ended = 0, ""
        for count, byte in enumerate(stop.encode(), 1):
            node = trie.step(node, byte)
            if trie.match[node] is not None and not ended:
                ended = stop[:count]
        is_dead = any(words.startswith(f'stop "{stop}" never') for words in said)
        assert is_dead == (ended != stop)


def test_each_cause_is_found_once_and_names_who_has_it() -> None:
    told = Told(max_num_seqs=1)
    for index in range(8):
        told.submit(f"r{index}", index=index, stop=("a", "ab"))
    told.submit("r8", index=8, stop=("c", "c"))
    told.step()
    stories = [told.history.stories(name)[0] for name in told.history.request_ids]
    first, second = lints_of_stops(stories)
    assert first.words == (
        'stop "ab" never matches: "a" in it ends first (r0 r1 r2 r3 r4 and 3 more)'
    )
    assert (first.request_id, first.others) == ("r0", tuple(f"r{n}" for n in range(1, 8)))
    assert (second.kind, second.request_id) == ("dead-stop", "r8")


@pytest.mark.parametrize(
    ("fields", "options", "tokens", "ended"),
    [
        ({"stop": ("b",), "min_tokens": 2}, {}, "ab", "length"),
        ({"min_tokens": 2}, {}, "a.", "stop"),
        ({"stop_token_ids": (2,), "min_tokens": 2}, {}, "ab", "stop"),
        ({"min_tokens": 2}, {"max_model_len": 1}, ".", "length"),
        ({"stop_token_ids": (2,), "min_tokens": 2}, {"max_model_len": 1}, "b", "length"),
    ],
)
def test_the_decoder_ends_as_is_said_of_min_tokens(
    fields: dict[str, Any], options: dict[str, Any], tokens: str, ended: str
) -> None:
    told = Told(max_num_seqs=1, **options)
    told.submit("r0", max_tokens=2, **fields)
    told.step({"r0": tokens})
    assert told.desk.result("r0").finish_reason == ended
    (story,) = told.history.stories("r0")
    assert bool(lints_of_stops([story])) == (ended == "length")
