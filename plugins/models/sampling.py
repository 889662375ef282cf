"""How the next token of a row is drawn, by llama.cpp's samplers.

A draw depends on the row's seed and the position alone, not on draws before it, so a call may be
repeated. The order is vLLM's: what may not end yet is masked, temperature, top-p, the draw.
"""

from __future__ import annotations

import math
from hashlib import blake2b

# Any: cyllama has no types.
from typing import Any

from batchtui.engine.batching.request import TokenLogprob
from batchtui.engine.model import Row
from batchtui.plugins.models.llama_context import LlamaContext
from batchtui.plugins.models.vocabulary import utf8

_LEAST_TEMPERATURE = 1e-5  # below it vLLM takes the likeliest too; the division would overflow
_NUM_SEEDS = 2**32 - 1  # the last one means a random seed to llama.cpp


class Samplers:
    """Makes the sampler that a row's next token wants.

    Args:
        library: the native module.
        num_tokens: the size of the vocabulary.
        eos_token_ids: what ends a sequence.
        seed: the run's, for requests without one.
    """

    def __init__(
        self, library: Any, num_tokens: int, eos_token_ids: frozenset[int], seed: int
    ) -> None:
        self._library = library
        self._num_tokens = num_tokens
        self._eos_token_ids = eos_token_ids
        self._seed = seed
        self._greedy = self._chain()
        self._greedy.add_greedy()

    def sample(self, context: LlamaContext, output: int, row: Row) -> int:
        """Draw a row's next token from the n-th output of the last call."""
        return int(self._sampler(row).sample(context.native, output))

    def _sampler(self, row: Row) -> Any:
        """The sampler for a row as it is now."""
        params, masked = row.params, self._masked(row)
        is_greedy = params.temperature < _LEAST_TEMPERATURE
        if is_greedy and not masked:
            return self._greedy
        chain = self._chain()
        if masked:
            chain.add_logit_bias(self._num_tokens, [(token, -math.inf) for token in masked])
        if is_greedy:
            chain.add_greedy()
            return chain
        chain.add_temp(params.temperature)
        if params.top_p < 1:
            chain.add_top_p(params.top_p, 1)
        chain.add_dist(self._seed_of(row))
        return chain

    def _chain(self) -> Any:
        return self._library.LlamaSampler(self._library.LlamaSamplerChainParams())

    def _masked(self, row: Row) -> set[int]:
        """The tokens that would end a row before ``min_tokens``, as vLLM masks them."""
        params = row.params
        if len(row.token_ids) >= params.min_tokens:
            return set()
        stops = {token for token in params.stop_token_ids or () if token < self._num_tokens}
        return stops if params.ignore_eos else stops | self._eos_token_ids

    def _seed_of(self, row: Row) -> int:
        """The seed of one draw: the row's own, or else the run's with its id, and its position."""
        seed = row.params.seed
        who = f"run {self._seed} id {row.key[2]}" if seed is None else f"seed {seed}"
        digest = blake2b(utf8(f"{who} at {len(row.token_ids)}"), digest_size=8).digest()
        return int.from_bytes(digest) % _NUM_SEEDS


def token_logprob(logits: list[float], token: int, num_top: int) -> TokenLogprob:
    """How likely a token was by these logits, and which ``num_top`` were the likeliest."""
    import numpy as np  # noqa: PLC0415 - of the extra

    scores = np.asarray(logits, np.float64)
    peak = scores.max()
    logprobs = scores - peak - np.log(np.exp(scores - peak).sum())
    likeliest = np.argsort(-scores, kind="stable")[:num_top]  # of equals the lower id first
    top = tuple((int(each), float(logprobs[each])) for each in likeliest)
    return TokenLogprob(token, float(logprobs[token]), top)
