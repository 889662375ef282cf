"""A language model without a model: readable text from a seed, and a cost for each call.

The same request gets the same text whatever batch, slot or run it is in: a token depends on the
model's seed, the request and the position alone. What is kept from call to call is work that need
not be done again, never an answer's only source, so a call may be repeated, split or dropped.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from batchtui.engine.batching.request import TokenLogprob
from batchtui.engine.model import Reply, Row
from batchtui.plugins.models.factory import ModelOptions
from batchtui.plugins.models.ngram import Chain, Walk, bundled_chain
from batchtui.plugins.models.odds import Odds
from batchtui.plugins.models.simulated_config import SimulatedConfig, num_gaps
from batchtui.plugins.models.vocabulary import utf8

AHEAD = 16  # tokens that are written before they are asked for
SPARE_WALKS = 64  # that are kept for rows which may be back: those of the other half of a retry


class RowWalk(Walk):
    """The text that is being written for a row, which wants ``num_logprobs`` with each token."""

    __slots__ = ("num_logprobs", "row")

    def __init__(self, chain: Chain, key: bytes, row: Row) -> None:
        super().__init__(chain, key)
        self.row = row
        self.num_logprobs = row.params.logprobs


class Batch(NamedTuple):
    """The rows of a call, their walks, and what of the call's cost stays while they stay.

    ``unread`` are the rows whose prompts the model may have to read: those that have just joined,
    or have no token although they were here before.
    """

    rows: list[Row]
    walks: list[RowWalk]
    unread: list[Row]
    num_prompt_tokens: int
    num_gaps: int

    def next_tokens(self, lengths: list[int]) -> list[list[int]]:
        """The token at each of these positions."""
        try:
            return [[walk.tokens[at]] for walk, at in zip(self.walks, lengths, strict=True)]
        except IndexError:
            # Everybody goes well ahead, so that this happens once in many calls.
            for walk, at in zip(self.walks, lengths, strict=True):
                walk.reach(at + AHEAD)
            return self.next_tokens(lengths)

    def bursts(self, lengths: list[int], most: int) -> list[list[int]]:
        """One to ``most`` tokens from each of these positions."""
        ends = [at + 1 + walk.draw(at) % most for walk, at in zip(self.walks, lengths, strict=True)]
        spans = zip(self.walks, lengths, ends, strict=True)
        return [walk.reach(end)[at:end] for walk, at, end in spans]

    def prefills(self) -> list[int]:
        """The tokens that are new to the model beyond the one that a row decodes from, of each row
        that has some. What the model itself gave in one call it need not read."""
        beyond = [
            row.num_prompt_tokens + len(row.token_ids) - row.num_computed_tokens - 1
            for row in self.unread
            if row.num_computed_tokens < row.num_prompt_tokens
        ]
        return [num_new for num_new in beyond if num_new > 0]


class SimulatedModel:
    """A ``Model`` of n-gram text with a virtual cost.

    Args:
        seed: another seed, other texts.
        config: tokens a call, and costs.
    """

    name = "simulated"
    max_model_len: int | None = None

    def __init__(self, *, seed: int = 0, config: SimulatedConfig | None = None) -> None:
        self.seed = seed
        self.config = SimulatedConfig() if config is None else config
        self._chain = bundled_chain()
        self.eos_token_ids = self._chain.vocabulary.eos_token_ids
        self.encode = self._chain.vocabulary.encode
        self.token_bytes = self._chain.vocabulary.token_bytes
        self._batch = Batch([], [], [], 0, 0)
        self._odds: Odds | None = None  # not before a row asks for logprobs
        # By the identity of the row, which stays its own because the walk holds the row.
        self._known: dict[int, RowWalk] = {}

    @classmethod
    def from_options(cls, options: ModelOptions) -> SimulatedModel:
        """Open it; the argument is ``name=value,...`` of ``SimulatedConfig``."""
        return cls(seed=options.seed, config=SimulatedConfig.parse(options.argument or ""))

    def forward(self, rows: Sequence[Row]) -> Reply:
        """Give each row its next tokens."""
        batch = self._batch_of(rows)
        lengths = [len(row.token_ids) for row in rows]
        if self.config.tokens_per_call == 1:
            tokens = batch.next_tokens(lengths)
        else:
            tokens = batch.bursts(lengths, self.config.tokens_per_call)
        context = batch.num_prompt_tokens + sum(lengths)
        elapsed_us = self.config.elapsed_us(
            len(tokens), batch.prefills(), context, num_gaps=batch.num_gaps
        )
        logprobs = _logprobs(self._odds, batch.walks, lengths, tokens) if self._odds else None
        return Reply([row.key for row in rows], tokens, elapsed_us, logprobs)

    def _batch_of(self, rows: Sequence[Row]) -> Batch:
        """The walks of these rows: the same ones for rows that were here before."""
        if rows == self._batch.rows:
            return self._batch
        # A large batch changes in nearly every call, by a row or two: most of this runs in C.
        found = list(map(self._known.get, map(id, rows)))
        walks = [walk or self._join(row) for row, walk in zip(rows, found, strict=True)]
        unread = [
            row for row, walk in zip(rows, found, strict=True) if walk is None or not row.token_ids
        ]
        num_prompt_tokens = sum([row.num_prompt_tokens for row in rows])
        gaps = num_gaps(rows) if self.config.decode_us_per_gap else 0
        self._batch = Batch(list(rows), walks, unread, num_prompt_tokens, gaps)
        if len(self._known) > 2 * len(walks) + SPARE_WALKS:
            self._known = {id(walk.row): walk for walk in walks}
        return self._batch

    def _join(self, row: Row) -> RowWalk:
        walk = self._known[id(row)] = RowWalk(self._chain, self._key(row), row)
        walk.reach(len(row.token_ids) + AHEAD)
        if walk.num_logprobs is not None and self._odds is None:
            self._odds = Odds(self._chain)
        return walk

    def _key(self, row: Row) -> bytes:
        """What makes a request itself: its prompt, and its seed or else its id."""
        seed = row.params.seed
        who = f"id {row.key[2]}" if seed is None else f"seed {seed}"
        digest = blake2b(utf8(f"{self.seed} {who}\n"), digest_size=32)
        prompt = row.prompt_token_ids
        digest.update(
            b"%d tokens" % row.num_prompt_tokens if prompt is None else array("q", prompt)
        )
        return digest.digest()


def _logprobs(
    odds: Odds, walks: list[RowWalk], lengths: list[int], tokens: list[list[int]]
) -> list[list[TokenLogprob] | None]:
    """How likely each row's tokens were; None for a row that did not ask."""
    return [
        None
        if walk.num_logprobs is None
        else [
            odds.token_logprob(walk.tokens, at, walk.num_logprobs)
            for at in range(length, length + len(new))
        ]
        for walk, length, new in zip(walks, lengths, tokens, strict=True)
    ]
