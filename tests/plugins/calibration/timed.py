"""A backend without a clock of its own, and a clock for whoever times it: nobody sleeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from batchtui.engine.model import Reply, Row
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.models.simulated_config import SimulatedConfig


class Clock:
    """Stands in for the module ``time`` where calls are timed; moves only when it is told to."""

    def __init__(self) -> None:
        self.now_ns = 0

    def perf_counter_ns(self) -> int:
        return self.now_ns


class TimedModel(SimulatedModel):
    """Costs what it is told, times a pace that changes, and says nothing of it.

    ``seen`` has the rows of every call as (slot, length, computed) and ``prompts`` all prompts.
    """

    name = "timed"

    def __init__(
        self,
        clock: Clock,
        costs: SimulatedConfig,
        pace: Callable[[], float] = lambda: 1.0,
        max_model_len: int | None = None,
    ) -> None:
        super().__init__(config=costs)
        self.max_model_len = max_model_len
        self.seen: list[list[tuple[int, int, int]]] = []
        self.prompts: list[tuple[int, ...]] = []
        self._clock, self._pace = clock, pace

    def forward(self, rows: Sequence[Row]) -> Reply:
        self.seen.append(
            [
                (row.key[0], row.num_prompt_tokens + len(row.token_ids), row.num_computed_tokens)
                for row in rows
            ]
        )
        self.prompts += [tuple(row.prompt_token_ids or ()) for row in rows if not row.token_ids]
        reply = super().forward(rows)
        self._clock.now_ns += round((reply.elapsed_us or 0) * 1000 * self._pace())
        return msgspec.structs.replace(reply, elapsed_us=None)
