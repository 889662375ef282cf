"""Inputs of every kind at any moment: nothing may raise, be lost, or happen twice."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.matcher import Rules
from tests.engine.batching.play import ACTS, EXTRA, OPTIONS, Act, Play, filmed
from tests.engine.batching.table import EOS, Letters

from batchtui.engine.batching.request import Request, Result


def check_logprobs(asked: Request, result: Result) -> None:
    """Whoever asked has those of the tokens that were kept, and all are its own."""
    if asked.params.logprobs is None:
        assert result.logprobs is None
        return
    assert result.logprobs is not None
    assert [entry.token_id for entry in result.logprobs] == result.token_ids
    for entry in result.logprobs:
        assert (entry.logprob, entry.top[0][0]) == (-(result.slot or 0), result.generation)


def expected_text(asked: Request, result: Result) -> str:
    """What a plain matcher shows of the tokens that were kept."""
    params = asked.params
    include = params.include_stop_str_in_output
    rules = Rules(params.stops, frozenset(), frozenset({EOS}), params.min_tokens, include)
    known = [token for token in result.token_ids if token != 99]
    data = [(token, Letters(EXTRA).token_bytes(token)) for token in known]
    seen = rules.watch(data)
    if seen and seen[-1].ended:
        assert result.finish_reason == "stop"
        return "".join(each.text for each in seen)
    assert result.finish_reason != "stop"
    return b"".join(each for _, each in data).decode("utf-8", "replace")


def check_ends(play: Play) -> None:
    desk = play.desk
    ended = Counter(result.index for result in desk.heard.results)
    assert ended == Counter(range(len(play.requests)))
    shown: dict[str, str] = dict.fromkeys((asked.request_id for asked in play.requests), "")
    for result in desk.heard.results:
        assert result.text == expected_text(play.requests[result.index], result)
        check_logprobs(play.requests[result.index], result)
        assert "".join(result.deltas) == result.text
        shown[result.request_id] += result.text
    heard: Counter[str] = Counter()
    for request_id, delta in desk.heard.texts:
        assert delta
        heard[request_id] += len(delta)
    assert heard == {name: len(text) for name, text in shown.items() if text}


def play_out(acts: list[Act], *, by_priority: bool, options: dict[str, int]) -> None:
    play = Play(by_priority=by_priority, **options)
    for act in acts:
        play.act(act)
    play.finish()
    check_ends(play)
    assert play.desk.decoder.intake.living == {}
    assert (play.view.num_resident, len(play.view.waiting), play.view.kv_used) == (0, 0, 0)
    assert play.view.totals.dropped_rows == play.desk.decoder.counters.stale_rows


@settings(max_examples=300)
@given(acts=ACTS, by_priority=st.booleans(), options=OPTIONS)
def test_every_request_ends_once_with_the_text_of_its_own_tokens(
    acts: list[Act], by_priority: bool, options: dict[str, int]
) -> None:
    play_out(acts, by_priority=by_priority, options=options)


@settings(max_examples=60)
@given(acts=ACTS, by_priority=st.booleans(), options=OPTIONS)
def test_every_moment_of_a_run_can_be_shown_again(
    acts: list[Act], by_priority: bool, options: dict[str, int]
) -> None:
    filmed(Play(by_priority=by_priority, **options), acts).check_walks()


@pytest.mark.soak
@settings(max_examples=20_000, derandomize=False)
@given(acts=ACTS, by_priority=st.booleans(), options=OPTIONS)
def test_thousands_of_random_runs_end_every_request_once(
    acts: list[Act], by_priority: bool, options: dict[str, int]
) -> None:
    play_out(acts, by_priority=by_priority, options=options)
