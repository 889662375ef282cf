"""Which calls are measured: prefill by tokens, rows and context, decoding by rows, gaps and
context.

Each piece of the grid sets up what it needs by itself, so that they can be gone through in any
order. Where prefill is measured no two prompts are alike; where contexts are only wanted to be
there all rows share one, which a backend with a prefix cache computes once.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

from batchtui.engine.errors import InputError
from batchtui.plugins.calibration.meter import Meter, Sample

MIN_MODEL_LEN = 64
REPEATS = 2
LENGTHS = (1, 8, 16, 32, 64, 256)
CONTEXTS = (1, 64, 256)  # whole blocks of the usual sizes, but for the short one
CACHED = (128,)
CROWD = 4


class Named(NamedTuple):
    """A sample, and which point of the grid it is one of."""

    name: str
    sample: Sample


class Piece(Protocol):
    """A part of the grid that is measured in one go."""

    def measure(self, meter: Meter, random: Random) -> list[Named]:
        """Measure it once."""


class Prefill(NamedTuple):
    """Newcomers that each bring so many tokens, on top of ``cached`` ones that are there."""

    num_rows: int
    length: int
    cached: int = 0

    @property
    def name(self) -> str:
        """What a person would call it."""
        many = f"{self.num_rows} x " if self.num_rows > 1 else ""
        return f"prefill {many}{self.length}" + (f" after {self.cached}" if self.cached else "")

    def measure(self, meter: Meter, random: Random) -> list[Named]:
        """Call the newcomers once."""
        prompts = [meter.prompt(self.cached + self.length + 1) for _ in range(self.num_rows)]
        if self.cached:
            known = [prompt[: self.cached + 1] for prompt in prompts]
            meter.call([meter.seat(slot, prompt) for slot, prompt in enumerate(known)])
        rows = [meter.seat(slot, prompt, self.cached) for slot, prompt in enumerate(prompts)]
        return [Named(self.name, meter.call(rows))]


class Decode(NamedTuple):
    """Rows that hold so much context, and decode in batches of these slots."""

    context: int
    batches: Sequence[Sequence[int]]

    def measure(self, meter: Meter, random: Random) -> list[Named]:
        """Fill every slot that is wanted, then call the batches, each several times."""
        prompt = meter.prompt(self.context + 1)
        count = 1 + max(map(max, self.batches))
        rows = [meter.seat(slot, prompt) for slot in range(count)]
        for newcomers in (rows[:1], rows):  # the others find the context of the first
            meter.call(newcomers)
        order = [batch for batch in self.batches for _ in range(REPEATS)]
        random.shuffle(order)
        return [self._named(meter.call([rows[slot] for slot in batch])) for batch in order]

    def _named(self, sample: Sample) -> Named:
        apart = f" with {sample.gaps} gaps" if sample.gaps else ""
        return Named(f"decode {sample.rows} at {self.context}{apart}", sample)


def grid(num_slots: int, max_model_len: int | None) -> list[Piece]:
    """All that is measured of a model with these slots and this bound.

    Raises:
        InputError: the bound leaves no room.
    """
    room = 1 << 30 if max_model_len is None else max_model_len
    if room < MIN_MODEL_LEN:
        raise InputError(
            f"the backend takes {room} tokens at most: calibration wants {MIN_MODEL_LEN} or more"
        )
    batches = _batches(num_slots)
    spare = len(batches) * REPEATS + 4  # tokens that the decoding rows are given on the way
    lengths = [length for length in LENGTHS if length + 2 <= room]
    pieces: list[Piece] = [Prefill(1, length) for length in lengths]
    pieces += [Prefill(min(CROWD, num_slots), length) for length in lengths[1:3]]
    pieces += [Prefill(1, 32, at) for at in CACHED if at + 34 <= room]
    pieces += [Decode(at, batches) for at in CONTEXTS if at + spare <= room]
    return pieces


def _batches(num_slots: int) -> list[Sequence[int]]:
    """The first 1, 2, 4, ... and all the slots; the same with gaps, as when others have left."""
    sizes = [size for size in (1 << power for power in range(20)) if size < num_slots]
    together: list[Sequence[int]] = [range(size) for size in [*sizes, num_slots]]
    apart = [range(0, 2 * size, 2) for size in sizes[1:] if 2 * size <= num_slots]
    mostly = [slot for slot in range(num_slots) if slot % 4 != 3]
    return [*together, *apart, *([mostly] if num_slots > 4 else [])]
