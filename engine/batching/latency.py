"""How long requests took: a fold over results, then means and nearest-rank percentiles.

    wait   arrival to admission, of every request that got a slot
    TTFT   arrival to first token, of every request that got one
    TPOT   first token to end, divided by the other tokens, of completed requests of two or more
    E2E    arrival to end, of completed requests

Completed are those that ended by ``stop`` or ``length``. The percentile of rank p is the value of
rank ceil(p n) in ascending order; without any value everything is None.
"""

from __future__ import annotations

import msgspec

from batchtui.engine.batching.request import Result
from batchtui.engine.batching.sample import Sample

PERCENTILES = (50, 95, 99)


class Spread(msgspec.Struct, frozen=True):
    """A mean and three percentiles, in milliseconds; None where there was nothing to measure."""

    mean: float | None
    p50: float | None
    p95: float | None
    p99: float | None


class Latency:
    """Times of the requests of a run, and its tokens."""

    def __init__(self) -> None:
        self._wait_us = Sample()
        self._ttft_us = Sample()
        self._tpot_ns = Sample()
        self._e2e_us = Sample()
        self.num_requests = 0
        self.output_tokens = 0
        self.prompt_tokens = 0
        self._first_us: int | None = None
        self._last_us = 0

    def fold(self, result: Result) -> None:
        """Take one result in."""
        self.num_requests += 1
        self.output_tokens += result.output_tokens
        self.prompt_tokens += result.prompt_tokens
        arrival = result.arrival_us
        self._first_us = arrival if self._first_us is None else min(self._first_us, arrival)
        self._last_us = max(self._last_us, result.finish_us)
        if result.admitted_us is not None:
            self._wait_us.add(result.admitted_us - arrival)
        if result.first_token_us is None:
            return
        self._ttft_us.add(result.first_token_us - arrival)
        if result.finish_reason in ("stop", "length"):
            self._e2e_us.add(result.finish_us - arrival)
            if result.output_tokens > 1:
                decoding_us = result.finish_us - result.first_token_us
                self._tpot_ns.add(decoding_us * 1000 // (result.output_tokens - 1))

    @property
    def duration_s(self) -> float:
        """From the first arrival to the last end."""
        return 0.0 if self._first_us is None else (self._last_us - self._first_us) / 1e6

    @property
    def tokens_per_s(self) -> float:
        """Output tokens a second over the whole duration; 0.0 where that is nothing."""
        return self.output_tokens / self.duration_s if self.duration_s else 0.0

    def spreads(self) -> dict[str, Spread]:
        """The four latencies by their names in the output."""
        return {
            "ttft_ms": _spread(self._ttft_us, 1e3),
            "tpot_ms": _spread(self._tpot_ns, 1e6),
            "e2e_ms": _spread(self._e2e_us, 1e3),
            "wait_ms": _spread(self._wait_us, 1e3),
        }


def _spread(sample: Sample, a_millisecond: float) -> Spread:
    if not len(sample):
        return Spread(None, None, None, None)
    p50, p95, p99 = (sample.nearest_rank(percent) / a_millisecond for percent in PERCENTILES)
    return Spread(sample.mean() / a_millisecond, p50, p95, p99)
