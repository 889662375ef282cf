"""The KV cells of a llama.cpp context, kept up to date with the rows that are to be run.

What ``prefix_cache.py`` decides is done here. After a call that failed, what its sequences hold is
not known: they are emptied, and computed anew in the same pieces as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from batchtui.engine.errors import InputError
from batchtui.engine.model import Key
from batchtui.plugins.models.llama_context import Given
from batchtui.plugins.models.prefix_cache import BLOCK_SIZE, PrefixCache


class RowTokens(NamedTuple):
    """A row's tokens: a prompt of ``num_prompt_tokens``, and what was decoded."""

    key: Key
    token_ids: list[int]
    num_prompt_tokens: int

    @property
    def slot(self) -> int:
        """The slot, which is the number of its sequence."""
        return self.key[0]


class Cells(Protocol):
    """What is asked of a ``LlamaContext``."""

    def decode(self, tokens: Iterable[Given]) -> None:
        """One call."""

    def cut(self, sequence: int, length: int) -> None:
        """Remove what a sequence holds from this position on."""

    def copy(self, source: int, target: int, length: int) -> None:
        """Give a sequence the first tokens of another one."""


class LlamaCells:
    """A context and what its sequences hold.

    Args:
        context: empty; a call of it must have room for a block and for every slot.
        num_slots: its sequences.
        num_tokens: the size of the vocabulary.
        block_size: tokens of a prefill call.
    """

    def __init__(
        self, context: Cells, num_slots: int, num_tokens: int, block_size: int = BLOCK_SIZE
    ) -> None:
        self._context = context
        self._cache = PrefixCache(num_slots, block_size)
        self._num_tokens = num_tokens

    def compute(self, prefixes: Sequence[RowTokens]) -> None:
        """Run every prefix; the context's n-th output is that of the n-th.

        Raises:
            InputError: a token is not in the vocabulary.
            InterruptedError, ValueError or RuntimeError: as ``LlamaContext.decode``.
        """
        for prefix in prefixes:
            self._catch_up(prefix)
        if prefixes:
            self._decode_last(prefixes)

    def _catch_up(self, prefix: RowTokens) -> None:
        """Bring a slot's cells up to all but the last token."""
        tokens, slot = prefix.token_ids, prefix.slot
        kept = self._place(prefix)
        unseen = tokens[kept:]
        if not 0 <= min(unseen) <= max(unseen) < self._num_tokens:
            raise InputError(
                f"a token id is not from 0 to {self._num_tokens - 1}, as the model has"
            )
        end = prefix.num_prompt_tokens - 1
        for first, last in self._cache.blocks(kept, end):
            with self._or_forgotten([slot]):
                self._context.decode(
                    Given(tokens[at], at, slot, False) for at in range(first, last)
                )
            self._cache.prefilled(slot, tokens[first:last])
        for at in range(max(kept, end, 0), len(tokens) - 1):
            with self._or_forgotten([slot]):
                self._context.decode([Given(tokens[at], at, slot, False)])
            self._cache.decoded(slot, tokens[at])

    def _place(self, prefix: RowTokens) -> int:
        """Keep what the slot has of it, or take it from another one; how many tokens that is."""
        source, num_kept = placement = self._cache.place(*prefix)
        if source == prefix.slot:
            if num_kept < self._cache.length(source):
                self._context.cut(source, num_kept)
        else:
            self._context.copy(source, prefix.slot, num_kept)
        self._cache.keep(prefix.key, placement)
        return num_kept

    def _decode_last(self, prefixes: Sequence[RowTokens]) -> None:
        """Give every row its last token, in one call."""
        with self._or_forgotten([prefix.slot for prefix in prefixes]):
            self._context.decode(
                Given(tokens[-1], len(tokens) - 1, key[0], True) for key, tokens, _ in prefixes
            )
        for prefix in prefixes:
            self._cache.decoded(prefix.slot, prefix.token_ids[-1])

    @contextmanager
    def _or_forgotten(self, slots: Sequence[int]) -> Iterator[None]:
        try:
            yield
        except BaseException:
            for slot in slots:
                self._cache.forget(slot)
                self._context.cut(slot, 0)
            raise
