"""What the readers of traces share: a row of a trace is a request known by its lengths alone.

The prompt is a count of tokens, so it costs no memory; the output is forced to the length that it
had, EOS or not. Columns that say nothing of this are passed over: a trace is somebody else's
format, and later releases of it have more of them.
"""

from __future__ import annotations

from batchtui.engine.batching.request import Request
from batchtui.plugins.formats.workload import shared_params


def trace_request(
    index: int,
    *,
    arrival_us: int,
    prompt_tokens: int,
    output_tokens: int,
    prefix: tuple[int, ...] = (),
) -> Request:
    """The request of a row, named by its place in the file from 1: ``row-1``."""
    return Request(
        request_id=f"row-{index + 1}",
        params=shared_params(max_tokens=output_tokens, ignore_eos=True),
        index=index,
        prompt=prompt_tokens,
        arrival_us=arrival_us,
        prefix=prefix,
    )


def no_output(field: str) -> str:
    """What is said of a row without output.

    Such rows are requests that failed where the trace was taken. Passing them over would change the
    load in silence, and an output of 0 tokens cannot be forced, so whoever replays it has to
    decide.
    """
    return f"{field} is 0, a request that failed in its day: delete the row to replay the others"
