"""``batchtui bench scheduler``: what a sequence costs a step, beside the floor.

The model is a canned reply, so only ``schedule + apply`` is timed: the machine's turns and nothing
else.

    bare_ratio     one token a row, 10,000 waiting, no stop strings, nobody watching
    full_ratio     the same with stop strings, bytes to text, deltas, events and a listener
    queue_growth   the cost a step with 100,000 waiting over the cost with none
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.request import Request, Result, SamplingParams
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Replied, Submitted
from batchtui.engine.model import Reply
from batchtui.plugins.benches.figures import Figure
from batchtui.plugins.benches.floor import EOS, NUM_ROWS, floor_us, one_token_reply

NUM_STEPS = 200
WARM_UP = 100
ROUNDS = 7
OUTPUTS = range(50, 100)
STOPS = ("END", "\n\nUser:", "</answer>")


class _Words:
    """A vocabulary of words, none of which begins a stop."""

    eos_token_ids = frozenset({EOS})

    def encode(self, text: str) -> list[int]:
        return [1] * len(text.split())

    def token_bytes(self, token: int) -> bytes:
        return b"" if token == EOS else b" w%d" % token


class _Sink:
    """A listener that does nothing with what it is given."""

    def text(self, request_id: str, delta: str) -> None:
        """Text was decoded."""

    def finished(self, result: Result) -> None:
        """A request ended."""


def _requests(stop: tuple[str, ...]) -> Iterator[Request]:
    params = [SamplingParams(max_tokens=length, stop=stop) for length in OUTPUTS]
    index = 0
    while True:
        yield Request(
            request_id=f"r{index}",
            index=index,
            prompt=100,
            arrival_us=index,
            params=params[index * 7 % len(params)],
        )
        index += 1


class _Bench:
    """A decoder with a queue, stepped with a canned reply."""

    def __init__(self, num_waiting: int, *, full: bool, keep_length: bool) -> None:
        self._decoder = Decoder(
            BatchingConfig(max_num_seqs=NUM_ROWS),
            _Words(),
            Fcfs(),
            listener=_Sink() if full else None,
            observed=full,
        )
        self._requests = _requests(STOPS if full else ())
        self._reply = one_token_reply()
        self._keep_length = keep_length
        self._submit(num_waiting + NUM_ROWS)
        self._length = num_waiting
        self._decoder.turn(0)

    def _submit(self, count: int) -> None:
        for _ in range(count):
            self._decoder.take(Submitted(body=next(self._requests)))

    def step_us(self) -> float:
        """Microseconds that one step takes; what is outside of the machine is not counted."""
        decoder = self._decoder
        if self._keep_length and decoder.step:
            self._submit(NUM_ROWS - decoder.scheduler.num_resident)
        began = time.perf_counter()
        turn = decoder.turn(decoder.step)
        while not turn.start:
            turn = decoder.turn(decoder.step)
        spent = time.perf_counter() - began
        work = turn.start[0]
        keys = [row.key for row in work.spec.rows]
        replied = Replied(work=work.id, body=Reply(keys, self._reply[: len(keys)]))
        began = time.perf_counter()
        decoder.take(replied)
        decoder.turn(decoder.step)
        decoder.turn(decoder.step)
        return (spent + time.perf_counter() - began) * 1e6

    def mean_step_us(self) -> float:
        """The mean over the measured steps, after a warm-up."""
        for _ in range(WARM_UP):
            self.step_us()
        return statistics.fmean(self.step_us() for _ in range(NUM_STEPS))


def _row_us(num_waiting: int, *, full: bool) -> float:
    return _Bench(num_waiting, full=full, keep_length=False).mean_step_us() / NUM_ROWS


def _step_us(num_waiting: int) -> float:
    return _Bench(num_waiting, full=False, keep_length=True).mean_step_us()


class _Round(NamedTuple):
    """What was measured one after the other; the machine's pace may differ from round to round."""

    floor_us: float
    bare_us: float
    full_us: float
    growth: float

    @classmethod
    def measure(cls) -> _Round:
        """Time the floor before and after ours, and a short queue beside a long one."""
        before = floor_us(NUM_STEPS)
        bare, full = _row_us(10_000, full=False), _row_us(10_000, full=True)
        floor = (before + floor_us(NUM_STEPS)) / 2
        growth = _step_us(100_000) / _step_us(0)
        return cls(floor, bare, full, growth)


def run(file: str | None, repeat: int | None) -> list[Figure]:
    """Measure in rounds; of each ratio within a round the median counts."""
    if file is not None:
        raise InputError("bench scheduler reads no file: leave it out, or say `bench trace FILE`")
    rounds = [_Round.measure() for _ in range(repeat or ROUNDS)]
    bare = statistics.median(each.bare_us / each.floor_us for each in rounds)
    full = statistics.median(each.full_us / each.floor_us for each in rounds)
    growth = statistics.median(each.growth for each in rounds)
    return [
        Figure("floor_us", statistics.median(each.floor_us for each in rounds), "us", None),
        Figure("bare_us", statistics.median(each.bare_us for each in rounds), "us", None),
        Figure("full_us", statistics.median(each.full_us for each in rounds), "us", None),
        Figure("bare_ratio", bare, "x the floor", 2.5),
        Figure("full_ratio", full, "x the floor", 7.0),
        Figure("queue_growth", growth, "x the cost with none", 1.2),
    ]
