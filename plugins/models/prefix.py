"""A row that belongs to nobody, for whoever calls a model without a decoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.model import Key


@dataclass(frozen=True)
class Prefix:
    """A ``Row`` of which nothing has been computed yet."""

    slot: int
    request_id: str
    prompt_token_ids: Sequence[int] | None
    num_prompt_tokens: int
    token_ids: list[int] = field(default_factory=list)
    params: SamplingParams = SamplingParams()  # noqa: RUF009 - frozen
    num_computed_tokens: int = 0

    @property
    def key(self) -> Key:
        """(slot, generation, request id)."""
        return self.slot, 1, self.request_id

    @property
    def index(self) -> int:
        """The place in the workload."""
        return self.slot
