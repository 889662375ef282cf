from __future__ import annotations

import math
from collections import Counter

import pytest

from batchtui.engine.batching.request import TokenLogprob
from batchtui.plugins.models.ngram import Chain, Walk, bundled_chain
from batchtui.plugins.models.odds import Odds
from batchtui.plugins.models.vocabulary import EOS

CORPUS = ("one two", "one two", "one three", "four")


def likelihoods(chain: Chain, output: list[int], at: int) -> dict[int, float]:
    """The probability of every token that a place may have."""
    return {
        token: math.exp(logprob)
        for token, logprob in Odds(chain).token_logprob(output, at, 1000).top
    }


def test_a_token_is_as_likely_as_the_corpus_has_it_there() -> None:
    chain = Chain(CORPUS)
    one, two, three, _, four = chain.vocabulary.encode("one two three\nfour")
    assert likelihoods(chain, [one], 0) == pytest.approx({one: 192 / 256, four: 64 / 256})
    assert likelihoods(chain, [one, two], 1) == pytest.approx({two: 171 / 256, three: 85 / 256})
    assert likelihoods(chain, [one, two, EOS], 2) == {EOS: 1}
    assert likelihoods(chain, [one, two, EOS, four], 3) == likelihoods(chain, [four], 0)


def test_the_top_is_cut_to_what_was_asked_for_and_the_token_has_its_own_figure() -> None:
    chain = Chain(CORPUS)
    one, four = chain.vocabulary.encode("one")[0], chain.vocabulary.encode("four")[0]
    assert Odds(chain).token_logprob([four], 0, 1) == TokenLogprob(
        four, math.log(64 / 256), ((one, math.log(192 / 256)),)
    )
    assert Odds(chain).token_logprob([four], 0, 0).top == ()


def test_walks_draw_by_these_odds() -> None:
    chain = bundled_chain()
    firsts = Counter(Walk(chain, b"%d" % key).reach(1)[0] for key in range(4000))
    expected = likelihoods(chain, [next(iter(firsts))], 0)
    assert set(firsts) <= set(expected)
    for token, likelihood in expected.items():
        assert firsts[token] / 4000 == pytest.approx(likelihood, abs=0.03)


def test_every_token_of_a_walk_has_odds_that_add_up_to_one() -> None:
    chain, odds = bundled_chain(), Odds(bundled_chain())
    tokens = Walk(chain, b"a key").reach(2000)
    for at, token in enumerate(tokens):
        entry = odds.token_logprob(tokens, at, 1000)
        assert (entry.token_id, dict(entry.top)[token]) == (token, entry.logprob)
        assert sum(math.exp(logprob) for _, logprob in entry.top) == pytest.approx(1)
