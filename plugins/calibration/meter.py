"""Calls a model with rows that belong to nobody, and notes what each call was and cost.

A model that has a clock of its own is believed; any other is timed around ``forward``, by the very
code that times it in a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from batchtui.engine.batching.replies import tokens_in_order
from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.errors import PluginError, WorkError
from batchtui.engine.machine import Failure, Work
from batchtui.engine.model import Call, Key, Model, Row
from batchtui.plugins.caller import ModelCaller
from batchtui.plugins.models.simulated_config import num_gaps
from batchtui.plugins.registry import reason

_PARAMS = SamplingParams(max_tokens=1 << 20, ignore_eos=True)
_TEXT = """
The harbour wakes before the town does. Boats come home with their lights still on, and somebody
counts the boxes twice; then the gulls have the quay to themselves until the bakery opens at six.
"""


@dataclass(eq=False)
class Probe:
    """A ``Row`` of no request; whoever holds it says what of it has been computed."""

    slot: int
    generation: int
    prompt_token_ids: Sequence[int]
    num_computed_tokens: int = 0
    params: SamplingParams = _PARAMS
    token_ids: list[int] = field(default_factory=list)

    @property
    def key(self) -> Key:
        """(slot, generation, request id)."""
        return self.slot, self.generation, f"probe-{self.generation}"

    @property
    def index(self) -> int:
        """The place in a workload, had it one."""
        return self.generation

    @property
    def num_prompt_tokens(self) -> int:
        """The prompt's length in tokens."""
        return len(self.prompt_token_ids)

    @property
    def length(self) -> int:
        """How many tokens the prefix has."""
        return len(self.prompt_token_ids) + len(self.token_ids)


class Sample(NamedTuple):
    """One call: what it had to do, and what it cost.

    ``prefill_tokens`` are those new to the model but for the one that a row decodes from, and
    ``prefill_rows`` the rows that had any; ``context_tokens`` are the tokens of all prefixes,
    ``gaps`` the rows whose slot is not next to that of the row before.
    """

    rows: int
    prefill_rows: int
    prefill_tokens: int
    context_tokens: int
    gaps: int
    elapsed_us: int


class Meter:
    """A model, and prompts that it has never seen.

    Args:
        model: what is measured.
        random: draws the prompts.

    Raises:
        PluginError: the model turns no text into tokens.
    """

    def __init__(self, model: Model, random: Random) -> None:
        self.tokens_per_call = 1
        self._caller = ModelCaller(model)
        self._random = random
        self._generation = self._num_calls = 0
        try:
            self._tokens = model.encode(_TEXT)
        except Exception as error:  # whatever a plugin's own code raises
            raise PluginError(f"model {model.name!r} encodes no text: {reason(error)}") from None
        if not self._tokens:
            raise PluginError(f"model {model.name!r} has no tokens for a text: mend its encode")

    @property
    def clock(self) -> str:
        """``measured`` if a call had to be timed, else ``virtual``."""
        return self._caller.clock

    def prompt(self, length: int) -> list[int]:
        """Tokens of an ordinary text in an order of their own, so that nothing of it is cached."""
        return self._random.choices(self._tokens, k=length)

    def seat(self, slot: int, prompt: Sequence[int], num_computed: int = 0) -> Probe:
        """A newcomer in a slot."""
        self._generation += 1
        return Probe(slot, self._generation, prompt, num_computed)

    def call(self, rows: Sequence[Probe]) -> Sample:
        """Run the rows, give each its tokens, and say what that was and cost.

        Raises:
            WorkError: the call failed; names the failure, never a text.
        """
        fresh = [row for row in rows if not row.token_ids]
        beyond = [row.length - row.num_computed_tokens - 1 for row in fresh]
        prefills = [num_new for num_new in beyond if num_new > 0]
        context = sum(row.length for row in rows)
        elapsed_us = self._run(rows)
        return Sample(len(rows), len(prefills), sum(prefills), context, num_gaps(rows), elapsed_us)

    def _run(self, rows: Sequence[Probe]) -> int:
        self._num_calls += 1
        seen: Sequence[Row] = rows
        call = Call(rows=seen, keys=[row.key for row in rows])
        body, elapsed_us = self._caller.call(Work(id=self._num_calls, spec=call))
        tokens = tokens_in_order(body, list(call.keys))
        if isinstance(tokens, Failure):
            raise WorkError(f"a call of {len(rows)} rows failed ({tokens.kind}): {tokens.detail}")
        for row, given in zip(rows, tokens, strict=True):
            row.num_computed_tokens = row.length
            row.token_ids.extend(given)
            self.tokens_per_call = max(self.tokens_per_call, len(given))
        return elapsed_us
