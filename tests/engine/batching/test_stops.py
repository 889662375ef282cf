from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.matcher import Rules, Seen
from tests.engine.batching.table import EOS, Letters

from batchtui.engine.batching import stops as stops_module
from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.batching.stops import (
    HELD,
    MAX_AUTOMATA,
    Automata,
    Automaton,
    Gate,
    State,
    Verdict,
)

LETTERS = "abé😀"
PIECES: list[bytes] = [
    b"",
    *(letter.encode() for letter in LETTERS),
    b"ab",
    b"ba",
    b"aab",
    *("é".encode()[:1], "é".encode()[1:]),
    *("😀".encode()[:2], "😀".encode()[2:]),
    "b😀".encode()[:3],
    b"\xff",
]
TOKENS = dict(enumerate(PIECES, 1)) | {EOS: b""}

stop_sets = st.lists(
    st.text("ab", min_size=1, max_size=4) | st.text(LETTERS, min_size=1), max_size=4
)
outputs = st.lists(st.sampled_from(sorted(TOKENS)), max_size=12)


def walk(automata: Automata, params: SamplingParams, tokens: list[int]) -> Iterator[Seen]:
    """What the decoder sees, with the gates moved as it moves them."""
    state = automata.start(params)
    for count, token in enumerate(tokens, 1):
        state, text, note = state[token]
        if isinstance(note, Verdict):
            yield Seen(text, "", (note.finish_reason, note.stop_reason))
            return
        yield Seen(text, state.held if note == HELD else "", None)
        left = params.min_tokens - count
        state = state.through(Gate.OPEN if left <= 0 else Gate(left == 1))


def rules_of(params: SamplingParams) -> Rules:
    return Rules(
        params.stops,
        frozenset(params.stop_token_ids or ()),
        frozenset() if params.ignore_eos else frozenset({EOS}),
        params.min_tokens,
        params.include_stop_str_in_output,
    )


params_of_any_kind = st.builds(
    SamplingParams,
    stop=stop_sets.map(tuple),
    min_tokens=st.integers(0, 5),
    include_stop_str_in_output=st.booleans(),
    ignore_eos=st.booleans(),
    stop_token_ids=st.lists(st.sampled_from(sorted(TOKENS)), max_size=2).map(tuple),
)
AUTOMATA = Automata(Letters(TOKENS), mute=False)  # shared, so that learnt transitions are used


@settings(max_examples=1500)
@given(params=params_of_any_kind, tokens=outputs)
def test_text_held_text_and_verdict_are_those_of_a_plain_matcher(
    params: SamplingParams, tokens: list[int]
) -> None:
    plain = rules_of(params).watch([(token, TOKENS[token]) for token in tokens])
    assert list(walk(AUTOMATA, params, tokens)) == plain


@settings(max_examples=300)
@given(params=params_of_any_kind, tokens=outputs, splits=st.randoms(use_true_random=False))
def test_a_stop_is_found_wherever_the_tokens_break(
    params: SamplingParams, tokens: list[int], splits: random.Random
) -> None:
    data = b"".join(TOKENS[token] for token in tokens)
    cuts = sorted({0, len(data), *(splits.randint(0, len(data)) for _ in range(4))})
    pieces = [data[start:end] for start, end in pairwise(cuts)]
    vocabulary = Letters(dict(enumerate(pieces, 100)))
    automata = Automata(vocabulary, mute=False)
    numbers = list(range(100, 100 + len(pieces)))
    params = SamplingParams(
        stop=params.stop, include_stop_str_in_output=params.include_stop_str_in_output
    )
    whole = rules_of(params).watch(list(enumerate(pieces, 100)))
    assert list(walk(automata, params, numbers)) == whole


@settings(max_examples=300)
@given(params=params_of_any_kind, tokens=outputs)
def test_forgetting_transitions_changes_nothing(params: SamplingParams, tokens: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stops_module, "MAX_TRANSITIONS", 2)
        forgetful = list(walk(Automata(Letters(TOKENS), mute=False), params, tokens * 3))
    assert forgetful == list(walk(AUTOMATA, params, tokens * 3))


def test_transitions_are_given_back_at_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stops_module, "MAX_TRANSITIONS", 50)
    vocabulary = Letters({token: b"w%d" % token for token in range(1000)})
    automaton = Automaton(vocabulary, ("w7w", "w12w13w14"))
    state = automaton.start(Gate.SHUT)
    for token in range(1000):
        state = state[token][0]
        learnt = sum(len(known) for known in automaton._states.values())
        assert learnt <= 51
        assert len(automaton._states) <= 52


def test_what_a_start_state_leads_to_is_bounded_however_much_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stops_module, "MAX_TRANSITIONS", 50)
    automata = Automata(Letters({token: b"w%d" % token for token in range(40)}), mute=False)
    params = SamplingParams(stop=tuple(f"w{token}w{token}w" for token in range(40)))
    for first, second, third in product(range(0, 40, 2), range(1, 40, 3), range(0, 40, 7)):
        state = automata.start(params)
        for token in (first, second, third):
            state = state[token][0]
    assert num_reachable(automata.start(params)) <= 60


def num_reachable(start: State) -> int:
    """How many states a start state keeps alive."""
    seen, to_see = {id(start): start}, [start]
    while to_see:
        for after, _, _ in to_see.pop().values():
            if id(after) not in seen:
                seen[id(after)] = after
                to_see.append(after)
    return len(seen)


def test_with_include_nothing_is_ever_held() -> None:
    params = SamplingParams(stop="aaab", include_stop_str_in_output=True)
    tokens = [2, 2, 2, 3]
    assert [seen.held for seen in walk(AUTOMATA, params, tokens)] == [""] * 4
    assert [seen.text for seen in walk(AUTOMATA, params, tokens)] == ["a", "a", "a", "b"]


def test_a_token_that_nobody_knows_ends_in_error_and_releases_what_was_held() -> None:
    automaton = Automaton(Letters(), ("ab",))
    held = automaton.start(Gate.OPEN)[1][0]
    state, text, note = held[99]
    assert text == "a"
    assert note == Verdict("error", None, "the model returned token 99: no such token")
    assert state.automaton is automaton


def test_requests_with_the_same_stops_share_one_automaton_and_others_do_not() -> None:
    automata = Automata(Letters(), mute=False)
    one = automata.start(SamplingParams(stop="x"))
    assert automata.start(SamplingParams(stop=("x",), max_tokens=99, seed=4)) is one
    assert automata.start(SamplingParams(stop="x", min_tokens=1)).automaton is one.automaton
    assert automata.start(SamplingParams(stop="y")).automaton is not one.automaton
    assert automata.start(SamplingParams(stop="x", ignore_eos=True)).automaton is not one.automaton


def test_automata_least_recently_asked_for_are_forgotten() -> None:
    automata = Automata(Letters(), mute=False)
    kept = automata.start(SamplingParams(stop="keep"))
    for number in range(2 * MAX_AUTOMATA):
        automata.start(SamplingParams(stop=f"s{number}"))
        assert automata.start(SamplingParams(stop="keep")) is kept
    assert len(automata._known) <= MAX_AUTOMATA * len(Gate)


def test_a_long_stop_costs_no_more_memory_than_its_length() -> None:
    automaton = Automaton(Letters(), ("a" * 20_000,))
    state: State = automaton.start(Gate.OPEN)
    for _ in range(100):
        state = state[1][0]
    assert state.held == "a" * 100


def test_a_mute_automaton_releases_nothing_but_still_stops_at_eos() -> None:
    automaton = Automaton(Letters(), mute=True)
    state = automaton.start(Gate.OPEN)
    assert state[1] == (state, "", None)
    assert state[EOS][2] == Verdict("stop", None)


def test_a_mute_run_is_not_mute_where_there_are_stops() -> None:
    automata = Automata(Letters(), mute=True)
    state = automata.start(SamplingParams(stop="ab"))
    assert state[1][0][2][2] == Verdict("stop", "ab")


def test_all_automata_of_a_run_share_one_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stops_module, "MAX_TRANSITIONS", 50)
    vocabulary = Letters({token: b"w%d" % token for token in range(100)})
    automata = Automata(vocabulary, mute=False)
    for number in range(30):
        state = automata.start(SamplingParams(stop=f"stop {number}"))
        for token in range(1, 20):
            state = state[token][0]
    learnt = sum(
        len(known)
        for automaton in automata._memory.automata
        for known in automaton._states.values()
    )
    assert learnt <= 51


@pytest.mark.parametrize("answer", [OverflowError("secret"), TypeError("secret"), "text", None])
def test_a_vocabulary_that_breaks_over_a_token_ends_that_request_alone(answer: object) -> None:
    class Odd(Letters):
        def token_bytes(self, token: int) -> bytes:
            if token != 9:
                return super().token_bytes(token)
            if isinstance(answer, Exception):
                raise answer
            return answer  # type: ignore[return-value]  # that is what is wrong with it

    state = Automaton(Odd(), ("ab",)).start(Gate.OPEN)[1][0]
    _, text, verdict = state[9]
    assert text == "a"
    assert isinstance(verdict, Verdict)
    assert (verdict.finish_reason, verdict.error) == (
        "error",
        "the model returned token 9: no such token",
    )
