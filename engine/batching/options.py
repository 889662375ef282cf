"""What can be changed of a batching machine while it runs."""

from __future__ import annotations

import msgspec

from batchtui.engine.batching.config import MAX_NUM_SEQS


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of a ``Configured``: None leaves a thing as it is.

    ``max_num_seqs`` is the number of slots, ``policy`` the name of the queue's order. A slot that
    is no longer wanted is given up when its resident leaves.
    """

    max_num_seqs: int | None = None
    policy: str | None = None

    def __post_init__(self) -> None:
        if self.max_num_seqs is not None and not 1 <= self.max_num_seqs <= MAX_NUM_SEQS:
            raise ValueError(f"max_num_seqs is {self.max_num_seqs}: want 1 to {MAX_NUM_SEQS}")
