"""What the KV cells of each slot hold, and how much of a newcomer's prefix need not be computed.

Pure bookkeeping over token ids; whoever owns the cells acts on it. One rule keeps a sequence's
tokens independent of its neighbours, of retries and of what happens to be cached: a position is
always computed by the same call. A prompt but for its last token is prefilled in blocks that begin
at multiples of ``block_size``; every later token is decoded alone. Sums in floating point depend on
how many tokens a call has, so only whole blocks of a prefill may be shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from batchtui.engine.model import Key

BLOCK_SIZE = 64
"""Tokens in a prefill call: as fast as longer ones on a CPU, and ended soon when interrupted."""


class Placement(NamedTuple):
    """Where a row's prefix is already computed.

    Its first ``num_kept`` tokens are in the cells of slot ``source``, which is the row's own slot
    or one to be copied from.
    """

    source: int
    num_kept: int


class Held:
    """The tokens whose keys and values are in a slot's cells; the first ``num_prefilled`` of them
    were computed in blocks."""

    __slots__ = ("key", "num_prefilled", "token_ids")

    def __init__(self) -> None:
        self.key: Key | None = None
        self.token_ids: list[int] = []
        self.num_prefilled = 0

    @property
    def prompt(self) -> list[int]:
        """What was computed in blocks."""
        return self.token_ids[: self.num_prefilled]


class PrefixCache:
    """The cells of every slot."""

    def __init__(self, num_slots: int, block_size: int = BLOCK_SIZE) -> None:
        self.block_size = block_size
        self._slots = [Held() for _ in range(num_slots)]

    def length(self, slot: int) -> int:
        """How many tokens a slot holds."""
        return len(self._slots[slot].token_ids)

    def place(self, key: Key, prefix: Sequence[int], num_prompt_tokens: int) -> Placement:
        """Say what of a row's prefix but its last token is there.

        A row that was in its slot before goes on from wherever it stands, even behind a token that
        it was given and that was dropped. A newcomer takes whole blocks, from whoever has most.
        """
        slot = key[0]
        cells = self._slots[slot]
        wanted = prefix[: num_prompt_tokens - 1]
        if cells.key == key and cells.prompt == wanted:
            return Placement(slot, _num_common(cells.token_ids, prefix[:-1]))
        best = Placement(slot, self._num_whole(cells, wanted))
        for source, other in enumerate(self._slots):
            if len(other.token_ids) > best.num_kept:
                best = max(best, Placement(source, self._num_whole(other, wanted)), key=_kept)
        return best

    def _num_whole(self, cells: Held, wanted: Sequence[int]) -> int:
        """How many tokens of whole prefilled blocks both begin with."""
        common = _num_common(cells.prompt, wanted)
        return common - common % self.block_size

    def keep(self, key: Key, placement: Placement) -> None:
        """The row's slot now holds what was placed, and nothing behind it."""
        source, cells = self._slots[placement.source], self._slots[key[0]]
        cells.key = key
        cells.token_ids = source.token_ids[: placement.num_kept]
        cells.num_prefilled = min(source.num_prefilled, placement.num_kept)

    def prefilled(self, slot: int, token_ids: Sequence[int]) -> None:
        """A slot's prefill went on by these tokens."""
        cells = self._slots[slot]
        cells.token_ids.extend(token_ids)
        cells.num_prefilled = len(cells.token_ids)

    def decoded(self, slot: int, token_id: int) -> None:
        """A slot was given one token."""
        self._slots[slot].token_ids.append(token_id)

    def forget(self, slot: int) -> None:
        """What a slot holds is not known any more."""
        self._slots[slot] = Held()

    def blocks(self, start: int, end: int) -> list[tuple[int, int]]:
        """Cut the positions from ``start`` up to ``end`` where blocks begin."""
        size = self.block_size
        cuts = [start, *range(start - start % size + size, end, size), end]
        return list(pairwise(cuts)) if start < end else []


def _num_common(some: Sequence[int], others: Sequence[int]) -> int:
    """The length of the common beginning."""
    if some[: len(others)] == others[: len(some)]:
        return min(len(some), len(others))
    return next(at for at, (a, b) in enumerate(zip(some, others, strict=False)) if a != b)


def _kept(placement: Placement) -> int:
    return placement.num_kept
