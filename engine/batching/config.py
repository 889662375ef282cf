"""The options of a batching machine, each with its default, in vLLM's names."""

from __future__ import annotations

import msgspec

# Slots are made at the start, 140 bytes each: a slip of the keyboard must not take all memory.
MAX_NUM_SEQS = 1 << 20


class BatchingConfig(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a decoder runs.

    Attributes:
        max_num_seqs: the slots, up to ``MAX_NUM_SEQS``.
        block_size: tokens in a KV block.
        num_gpu_blocks: KV blocks in all; None is unlimited.
        max_model_len: the most tokens of prompt and output together; None is unlimited.
        max_retries: how often a failed call is made again whole before it is halved; counted for
            each request from its last progress, so that a newcomer does not inherit what others
            used up.
        max_empty_replies: after so many replies in a row without a token a request ends in
            ``error``.
        call_timeout_us: when a call is given up; None waits for ever.

    Raises:
        ValueError: a value is out of its range; the message names the option and the value.
    """

    max_num_seqs: int = 8
    block_size: int = 16
    num_gpu_blocks: int | None = None
    max_model_len: int | None = None
    max_retries: int = 1
    max_empty_replies: int = 64
    call_timeout_us: int | None = None

    def __post_init__(self) -> None:
        for name in ("max_num_seqs", "block_size", "max_empty_replies"):
            self._check(name, 1)
        for name in ("num_gpu_blocks", "max_model_len", "call_timeout_us"):
            if getattr(self, name) is not None:
                self._check(name, 1)
        self._check("max_retries", 0)
        if self.max_num_seqs > MAX_NUM_SEQS:
            raise ValueError(f"max_num_seqs is {self.max_num_seqs}: want {MAX_NUM_SEQS} or less")

    def _check(self, name: str, least: int) -> None:
        value = getattr(self, name)
        if value < least:
            raise ValueError(f"{name} is {value}: want {least} or more")

    @property
    def max_tokens_resident(self) -> int | None:
        """The most tokens that prompt and output of one request may have together."""
        pool = None if self.num_gpu_blocks is None else self.num_gpu_blocks * self.block_size
        bounds = [bound for bound in (pool, self.max_model_len) if bound is not None]
        return min(bounds) if bounds else None
