"""What can be changed of a search while it runs."""

from __future__ import annotations

import msgspec


class NodesOptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of a ``Configured``: None leaves a thing as it is.

    ``exclude`` are nodes that must not be touched any more; a test that runs is not broken off.
    """

    strategy: str | None = None
    max_parallel: int | None = None
    exclude: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.max_parallel is not None and self.max_parallel < 1:
            raise ValueError(f"max_parallel is {self.max_parallel}: want 1 or more")
