"""KV capacity in blocks: how many a request needs, how many are left.

Blocks are reserved at admission for the prompt and the longest output, so that an admitted request
can always run to its end: there is no preemption that could make room for it later.
"""

from __future__ import annotations

from batchtui.engine.errors import InvariantError


class BlockPool:
    """A count of KV blocks. Without a bound (``num_gpu_blocks`` None) everything fits."""

    def __init__(self, num_gpu_blocks: int | None, block_size: int) -> None:
        self.num_gpu_blocks = num_gpu_blocks
        self.block_size = block_size
        self.num_used = 0

    @property
    def num_free(self) -> int | None:
        """Blocks left; None where there is no bound."""
        return None if self.num_gpu_blocks is None else self.num_gpu_blocks - self.num_used

    def needed(self, num_tokens: int) -> int:
        """The blocks that so many tokens take."""
        return -(-num_tokens // self.block_size)

    def fits(self, num_blocks: int) -> bool:
        """Whether so many blocks are left."""
        return self.num_gpu_blocks is None or self.num_used + num_blocks <= self.num_gpu_blocks

    def reserve(self, num_blocks: int) -> None:
        """Take blocks out of the pool."""
        if not self.fits(num_blocks):
            raise InvariantError(f"{num_blocks} blocks reserved where {self.num_free} are free")
        self.num_used += num_blocks

    def release(self, num_blocks: int) -> None:
        """Give blocks back."""
        if num_blocks > self.num_used:
            raise InvariantError(f"{num_blocks} blocks released where {self.num_used} are used")
        self.num_used -= num_blocks
