"""A language model without a model: readable text from a seed, and a cost for each call.

The same request gets the same text whatever batch, slot or run it is in: a token depends on the
model's seed, the request and the position alone. What is kept from call to call is work that need
not be done again, never an answer's only source, so a call may be repeated, split or dropped.
"""

from __future__ import annotations

import difflib
from array import array
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from batchtui.engine.errors import InputError
from batchtui.engine.model import Reply, Row
from batchtui.plugins.models.factory import ModelOptions
from batchtui.plugins.models.ngram import Chain, Walk, bundled_chain
from batchtui.plugins.models.vocabulary import utf8

MAX_TOKENS_PER_CALL = 64
AHEAD = 16  # tokens that are written before they are asked for
SPARE_WALKS = 64  # that are kept for rows which may be back: those of the other half of a retry
MAX_COST_US = 1_000_000_000


class SimulatedConfig(msgspec.Struct, frozen=True, kw_only=True):
    """How many tokens a call gives, and what it costs.

    The defaults are an 8B model in bfloat16 on one A100 80GB: its 16 GB of weights are read once a
    call (2.0 TB/s: 8 ms), a prompt token takes 16 GFLOP at 60 % of 312 TFLOP/s (85 us), a token of
    context is 128 KiB of KV cache (0.065 us), a row some 20 us of sampling and launches. So
    decoding costs little more for many rows than for one: what a batch is for.

    Attributes:
        tokens_per_call: the most tokens that a row gets in a call; above 1 each gets one to so
            many, as a speculative decoder would give.
        base_us: what every call costs.
        prefill_us_per_token: for each token that a row joins with, but the one it decodes from.
        decode_us_per_row: for each row.
        kv_us_per_token: for each token of every row's context.

    Raises:
        ValueError: a value is out of its range.
    """

    tokens_per_call: int = 1
    base_us: float = 8000
    prefill_us_per_token: float = 85
    decode_us_per_row: float = 20
    kv_us_per_token: float = 0.065

    def __post_init__(self) -> None:
        if not 1 <= self.tokens_per_call <= MAX_TOKENS_PER_CALL:
            raise ValueError(
                f"tokens_per_call is {self.tokens_per_call}: want 1 to {MAX_TOKENS_PER_CALL}"
            )
        for name in self.__struct_fields__[1:]:
            value = getattr(self, name)
            if not 0 <= value <= MAX_COST_US:  # false for a nan as well
                raise ValueError(f"{name} is {value}: want a number from 0 to {MAX_COST_US:,}")

    def elapsed_us(self, num_rows: int, num_prefill_tokens: int, num_context_tokens: int) -> int:
        """What a call costs, in whole microseconds."""
        return round(
            self.base_us
            + self.decode_us_per_row * num_rows
            + self.prefill_us_per_token * num_prefill_tokens
            + self.kv_us_per_token * num_context_tokens
        )

    @classmethod
    def parse(cls, text: str) -> SimulatedConfig:
        """Read ``name=value,name=value``.

        Raises:
            InputError: an unknown name, or a value that does not fit.
        """
        pairs = [part.partition("=") for part in text.split(",") if part]
        for name, _, _ in pairs:
            _check_name(name, cls.__struct_fields__)
        try:
            return msgspec.convert({name: value for name, _, value in pairs}, cls, strict=False)
        except msgspec.ValidationError as error:
            raise InputError(f"the simulated model was given {text!r}: {error}") from error


def _check_name(name: str, fields: tuple[str, ...]) -> None:
    if name not in fields:
        near = difflib.get_close_matches(name, fields, 1)
        hint = f"did you mean {near[0]}?" if near else f"want {', '.join(fields)}"
        raise InputError(f"the simulated model has no option {name!r}: {hint}")


class RowWalk(Walk):
    """The text that is being written for a row."""

    __slots__ = ("row",)

    def __init__(self, chain: Chain, key: bytes, row: Row) -> None:
        super().__init__(chain, key)
        self.row = row


class Batch(NamedTuple):
    """The rows of a call, their walks, and what of the call's cost stays while they stay.

    ``unread`` are the rows whose prompts the model may have to read: those that have just joined,
    or have no token although they were here before.
    """

    rows: list[Row]
    walks: list[RowWalk]
    unread: list[Row]
    num_prompt_tokens: int

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

    def num_prefill_tokens(self) -> int:
        """The tokens that are new to the model beyond the one that a row decodes from."""
        prefixes = [
            row.num_prompt_tokens + len(row.token_ids) - row.num_computed_tokens
            for row in self.unread
        ]
        return sum(num_new - 1 for num_new in prefixes if num_new > 1)


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
        self._batch = Batch([], [], [], 0)
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
        elapsed_us = self.config.elapsed_us(len(tokens), batch.num_prefill_tokens(), context)
        return Reply([row.key for row in rows], tokens, elapsed_us)

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
        self._batch = Batch(list(rows), walks, unread, num_prompt_tokens)
        if len(self._known) > 2 * len(walks) + SPARE_WALKS:
            self._known = {id(walk.row): walk for walk in walks}
        return self._batch

    def _join(self, row: Row) -> RowWalk:
        walk = self._known[id(row)] = RowWalk(self._chain, self._key(row), row)
        walk.reach(len(row.token_ids) + AHEAD)
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
