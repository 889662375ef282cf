"""What a run prints: one JSON document whose rows are streamed, or a table for a person."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, NamedTuple, Protocol

import msgspec

from batchtui.engine.batching.counters import Counters
from batchtui.engine.batching.latency import Latency
from batchtui.engine.batching.request import Result, TokenLogprob
from batchtui.engine.errors import BatchtuiError
from batchtui.tui.cli.faults import Fault, Told, fault_of
from batchtui.tui.cli.output import Output, aligned, one_line, uninterrupted

_SPOOLED = 1 << 20


class Summary(NamedTuple):
    """What a whole run came to."""

    counters: Counters
    max_resident: int
    latency: Latency
    clock: str


class Report(Protocol):
    """Takes what a run brings, as it comes."""

    wants_admissions: bool

    def admitted(self, request_id: str) -> None:
        """Note a first admission."""

    def row(self, result: Result) -> None:
        """Note how a request ended."""

    def finish(self, summary: Summary, failure: BatchtuiError | None = None) -> None:
        """The run is over; ``failure`` is what beside it could not be done, and is raised."""


@contextmanager
def report_to(output: Output, *, as_json: bool) -> Iterator[Report]:
    """A report on a run; a fault on the way becomes the last key of a document already begun."""
    if not as_json:
        yield TableReport(output)
        return
    report = JsonReport(output)
    try:
        yield report
    except (BrokenPipeError, Told):
        raise  # nobody reads any more, or it has been told
    except BaseException as error:
        if not report.begun:
            raise
        fault = fault_of(error)
        report.fail(fault)
        raise Told(fault) from error
    finally:
        report.close()


class JsonReport:
    """``{"requests": [...], "run": {...}}``, written as the requests end.

    Rows come in the order of the input, so one that ends before its predecessors is kept as bytes
    until they have ended. ``begun`` says whether a document has been opened on the stream.
    """

    wants_admissions = True

    def __init__(self, output: Output) -> None:
        self.begun = False
        self._output = output
        self._pending: dict[int, bytes] = {}
        self._next = 0
        self._admitted: IO[bytes] | None = None

    @property
    def num_pending(self) -> int:
        """How many rows wait for their turn."""
        return len(self._pending)

    def admitted(self, request_id: str) -> None:
        """Note a first admission; the list is spooled, since a run may have millions."""
        if self._admitted is None:
            self._admitted = tempfile.SpooledTemporaryFile(max_size=_SPOOLED)  # noqa: SIM115
        else:
            self._admitted.write(b",")
        self._admitted.write(msgspec.json.encode(request_id))

    def row(self, result: Result) -> None:
        """Write a row, or keep it until its turn."""
        self._pending[result.index] = msgspec.json.encode(_row(result))
        with uninterrupted():
            while (encoded := self._pending.pop(self._next, None)) is not None:
                self._write_row(encoded)
                self._next += 1

    def finish(self, summary: Summary, failure: BatchtuiError | None = None) -> None:
        """Write what the whole run came to, and close the document."""
        fault = None if failure is None else fault_of(failure)
        with uninterrupted():
            self._close_rows()
            run = _run(summary) | {"admission_order": []}
            head, tail = msgspec.json.encode(run).split(b"[]")
            self._output.json(b',"run":' + head + b"[")
            if self._admitted is not None:
                self._admitted.seek(0)
                while chunk := self._admitted.read(_SPOOLED):
                    self._output.json(chunk)
            self._output.json(b"]" + tail)
            if fault is not None:
                self._output.json(b',"error":' + msgspec.json.encode(fault.document))
            self._output.json(b"}\n")
            self._output.flush()
        if fault is not None:
            raise Told(fault)

    def fail(self, fault: Fault) -> None:
        """Close the document with the reason why it ends here; what has ended is in it."""
        with uninterrupted():
            for _, encoded in sorted(self._pending.items()):
                self._write_row(encoded)
            self._pending.clear()
            self._close_rows()
            self._output.json(b',"error":' + msgspec.json.encode(fault.document) + b"}\n")
            self._output.flush()

    def close(self) -> None:
        """Forget what was spooled."""
        if self._admitted is not None:
            self._admitted.close()

    def _write_row(self, encoded: bytes) -> None:
        self._output.json((b",\n" if self.begun else b'{"requests":[\n') + encoded)
        self.begun = True

    def _close_rows(self) -> None:
        self._output.json(b"\n]" if self.begun else b'{"requests":[]')
        self.begun = True


class TableReport:
    """The latencies as a table, and the rest in a few lines."""

    wants_admissions = False

    def __init__(self, output: Output) -> None:
        self._output = output
        self._endings: Counter[str] = Counter()
        self._first_error: Result | None = None

    def admitted(self, request_id: str) -> None:
        """The table does not name requests."""

    def row(self, result: Result) -> None:
        """Count how it ended."""
        self._endings[result.finish_reason] += 1
        if self._first_error is None and result.error is not None:
            self._first_error = result

    def finish(self, summary: Summary, failure: BatchtuiError | None = None) -> None:
        """Print it."""
        for line in (*aligned(_latencies(summary.latency), numbers=True), "", *self._rest(summary)):
            self._output.line(line)
        if failure is not None:
            self._output.flush()
            raise failure

    def _rest(self, summary: Summary) -> Iterator[str]:
        counters, max_resident, latency, clock = summary
        endings = ", ".join(
            f"{count:,} {reason}" for reason, count in sorted(self._endings.items())
        )
        yield f"requests   {latency.num_requests:,} ({endings or 'none'})"
        yield (
            f"tokens     {latency.prompt_tokens:,} in, {latency.output_tokens:,} out, "
            f"{latency.tokens_per_s:,.1f} out a second"
        )
        yield (
            f"steps      {counters.steps:,} in {latency.duration_s:,.3f} s ({clock} clock), "
            f"at most {max_resident} resident"
        )
        yield (
            f"faults     {counters.refused:,} refused, {counters.retried:,} calls made again, "
            f"{counters.stale_rows:,} rows discarded"
        )
        if self._first_error is not None:
            first = self._first_error
            yield f"error      {one_line(f'{first.request_id}: {first.error}')}"


def _latencies(latency: Latency) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("ms", "mean", "p50", "p95", "p99")]
    for name, spread in latency.spreads().items():
        title = name.removesuffix("_ms")
        title = title if title == "wait" else title.upper()
        rows.append((title, *map(_milliseconds, msgspec.structs.astuple(spread))))
    return rows


def _milliseconds(value: float | None) -> str:
    return "n/a" if value is None else f"{value:,.1f}"


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1e6


def _row(result: Result) -> dict[str, object]:
    row: dict[str, object] = {
        "request_id": result.request_id,
        "text": result.text,
        "token_ids": result.token_ids,
        "deltas": result.deltas,
        "finish_reason": result.finish_reason,
        "stop_reason": result.stop_reason,
        "output_tokens": result.output_tokens,
        "prompt_tokens": result.prompt_tokens,
        "slot": result.slot,
        "generation": result.generation,
        "arrival_s": _seconds(result.arrival_us),
        "first_token_s": _seconds(result.first_token_us),
        "finish_s": _seconds(result.finish_us),
        "retries": result.retries,
        "error": result.error,
    }
    if result.wants_logprobs:
        row["logprobs"] = result.logprobs and list(map(_logprob, result.logprobs))
    return row


def _logprob(entry: TokenLogprob) -> dict[str, object]:
    top = [{"token_id": token, "logprob": logprob} for token, logprob in entry.top]
    return {"token_id": entry.token_id, "logprob": entry.logprob, "top_logprobs": top}


def _run(summary: Summary) -> dict[str, object]:
    counters, max_resident, latency, clock = summary
    return {
        "steps": counters.steps,
        "max_resident": max_resident,
        "stale_discarded": counters.stale_rows,
        "model_retried": counters.retried,
        "refused": counters.refused,
        "preempted": 0,
        **latency.spreads(),
        "tokens_per_s": latency.tokens_per_s,
        "clock": clock,
    }
