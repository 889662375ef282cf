"""How likely each next token of a chain is: the odds that a walk really draws by."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from batchtui.engine.batching.request import TokenLogprob
from batchtui.plugins.models.ngram import Chain
from batchtui.plugins.models.vocabulary import EOS

NUM_DRAWS = 256  # a walk takes each step by a byte

_Context = tuple[int, int]


class Odds:
    """The log probabilities of a chain's next tokens, worked out when they are first asked for.

    Of n places that may follow, the first 256 % n are taken a little more often than the others,
    and none beyond the 256th is: that is in the figures.
    """

    def __init__(self, chain: Chain) -> None:
        before, self._following = EOS, {}
        for token, places in zip(chain.tokens, chain.following, strict=True):
            self._following[_context(before, token)] = places
            before = token
        self._tokens = chain.tokens
        self._known: dict[_Context, dict[int, float]] = {}

    def token_logprob(self, output: Sequence[int], at: int, num_top: int) -> TokenLogprob:
        """How likely the token at a place of a walk was, and which ``num_top`` were the likeliest
        there."""
        before, last = ([EOS, EOS, *output[max(0, at - 2) : at]])[-2:]
        logprobs = self._logprobs(_context(before, last))
        return TokenLogprob(
            output[at], logprobs[output[at]], tuple(islice(logprobs.items(), num_top))
        )

    def _logprobs(self, context: _Context) -> dict[int, float]:
        """By token, the likeliest first."""
        if context not in self._known:
            counts = self._num_draws(self._following[context])
            ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            known = {token: math.log(count / NUM_DRAWS) for token, count in ordered}
            self._known[context] = known
        return self._known[context]

    def _num_draws(self, places: Sequence[int]) -> Counter[int]:
        """Of all values of a byte, how many lead to each token."""
        return Counter(self._tokens[places[byte % len(places)]] for byte in range(NUM_DRAWS))


def _context(before: int, last: int) -> _Context:
    """What a step depends on: the last two tokens, but what came before EOS counts for nothing."""
    return (EOS, EOS) if last == EOS else (before, last)
