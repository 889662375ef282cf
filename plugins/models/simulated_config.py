"""What a call of the simulated model costs, and how its user says so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from batchtui.engine.model import Row
from batchtui.plugins.calibration.store import read_profile
from batchtui.plugins.models.arguments import fitted, pairs_of

MAX_TOKENS_PER_CALL = 64
MAX_COST_US = 1_000_000_000
PROFILE = "profile"
_WHO = "the simulated model"


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
        prefill_us_per_row: for each row that joins with such tokens.
        decode_us_per_gap: for each row but the first whose slot is not next to the one before it;
            llama.cpp, whose slots have their KV cells to themselves, decodes neighbours together.
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
    prefill_us_per_row: float = 0
    decode_us_per_gap: float = 0

    def __post_init__(self) -> None:
        if not 1 <= self.tokens_per_call <= MAX_TOKENS_PER_CALL:
            raise ValueError(
                f"tokens_per_call is {self.tokens_per_call}: want 1 to {MAX_TOKENS_PER_CALL}"
            )
        for name in self.__struct_fields__[1:]:
            value = getattr(self, name)
            if not 0 <= value <= MAX_COST_US:  # false for a nan as well
                raise ValueError(f"{name} is {value}: want a number from 0 to {MAX_COST_US:,}")

    def elapsed_us(
        self, num_rows: int, prefills: Sequence[int], num_context_tokens: int, *, num_gaps: int = 0
    ) -> int:
        """What a call costs, in whole microseconds; ``prefills`` has the tokens of each row that
        joins with some."""
        return round(
            self.base_us
            + self.decode_us_per_row * num_rows
            + self.prefill_us_per_row * len(prefills)
            + self.prefill_us_per_token * sum(prefills)
            + self.kv_us_per_token * num_context_tokens
            + self.decode_us_per_gap * num_gaps
        )

    @classmethod
    def parse(cls, text: str) -> SimulatedConfig:
        """Read ``name=value,name=value``; ``profile=FILE`` is all that a cost profile says.

        Raises:
            InputError: an unknown name, a value that does not fit, or a file that is no profile.
        """
        said: dict[str, object] = {}
        for name, value in pairs_of(text, (*cls.__struct_fields__, PROFILE), _WHO).items():
            said.update(read_profile(str(value)).costs if name == PROFILE else {name: value})
        return fitted(said, cls, _WHO)


def num_gaps(rows: Sequence[Row]) -> int:
    """How many rows but the first sit in a slot that is not next to that of the row before."""
    return sum(row.key[0] != before.key[0] + 1 for before, row in pairwise(rows))
