from __future__ import annotations

from batchtui.engine.batching.latency import Latency, Spread
from batchtui.engine.batching.request import Result


def result(
    arrival: int,
    admitted: int | None,
    first: int | None,
    finish: int,
    tokens: int = 1,
    reason: str = "stop",
) -> Result:
    return Result(
        request_id="r",
        index=0,
        text="",
        token_ids=[1] * tokens,
        deltas=[],
        finish_reason=reason,
        stop_reason=None,
        prompt_tokens=3,
        slot=None,
        generation=None,
        arrival_us=arrival,
        admitted_us=admitted,
        first_token_us=first,
        finish_us=finish,
        retries=0,
        error=None,
    )


def test_without_requests_there_is_nothing_to_measure() -> None:
    latency = Latency()
    assert set(latency.spreads().values()) == {Spread(None, None, None, None)}
    assert (latency.duration_s, latency.tokens_per_s) == (0.0, 0.0)


def test_each_latency_counts_the_requests_that_it_is_defined_for() -> None:
    latency = Latency()
    latency.fold(result(0, 1_000, 3_000, 9_000, tokens=4))
    latency.fold(result(2_000, 4_000, 5_000, 5_000))
    latency.fold(result(0, 5_000, 6_000, 20_000, tokens=9, reason="abort"))
    latency.fold(result(0, None, None, 1_000_000, tokens=0, reason="error"))
    spreads = latency.spreads()
    assert spreads["wait_ms"] == Spread(8 / 3, 2.0, 5.0, 5.0)
    assert spreads["ttft_ms"] == Spread(4.0, 3.0, 6.0, 6.0)
    assert spreads["e2e_ms"] == Spread(6.0, 3.0, 9.0, 9.0)
    assert spreads["tpot_ms"] == Spread(2.0, 2.0, 2.0, 2.0)
    assert latency.output_tokens == 14
    assert latency.prompt_tokens == 12
    assert (latency.duration_s, latency.tokens_per_s) == (1.0, 14.0)
