"""What a run prints: one JSON document whose rows are streamed, or a table for a person."""

from __future__ import annotations

import re
import sys
import tempfile
from typing import IO, Any

import msgspec

from batchtui.engine.batching.counters import Counters
from batchtui.engine.batching.latency import Latency, Spread
from batchtui.engine.batching.request import Result

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_CONTROL_IN_JSON = re.compile(rb"\x7f|\xc2[\x80-\x9f]")
_SPOOLED = 1 << 20


def one_line(text: str) -> str:
    """A message as one line without control characters, whatever a file's name had in it."""
    return _CONTROL.sub(" ", text).strip()


class JsonReport:
    """``{"requests": [...], "run": {...}}``, written as the requests end.

    Rows come in the order of the input, so one that ends before its predecessors is kept as bytes
    until they have ended. ``begun`` says whether a document has been opened on the stream.
    """

    def __init__(self, out: IO[bytes], *, is_terminal: bool) -> None:
        self.begun = False
        self._out = out
        self._is_terminal = is_terminal
        self._pending: dict[int, bytes] = {}
        self._next = 0
        self._admitted: IO[bytes] | None = None

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
        while (encoded := self._pending.pop(self._next, None)) is not None:
            self._write(b",\n" if self._next else b'{"requests":[\n')
            self._write(encoded)
            self._next += 1

    def finish(self, run: dict[str, Any]) -> None:
        """Write what the whole run came to, and close the document.

        ``run`` is what ``run_row`` makes: strings, numbers and spreads, hence ``Any``.
        """
        self._close_rows()
        head, tail = msgspec.json.encode(run | {"admission_order": []}).split(b"[]")
        self._write(b',"run":' + head + b"[")
        if self._admitted is not None:
            self._admitted.seek(0)
            while chunk := self._admitted.read(_SPOOLED):
                self._write(chunk)
        self._write(b"]" + tail + b"}\n")
        self._out.flush()

    def close(self) -> None:
        """Forget what was spooled; the stream stays open, it belongs to the caller."""
        if self._admitted is not None:
            self._admitted.close()

    def fail(self, code: str, message: str) -> None:
        """Close a document that was begun with the reason why it ends here."""
        if self.begun:
            self._close_rows()
            error = msgspec.json.encode({"code": code, "message": message})
            self._write(b',"error":' + error + b"}\n")
            self._out.flush()

    def _close_rows(self) -> None:
        self._write(b"\n]" if self._next else b'{"requests":[]')
        self._next = 0

    def _write(self, data: bytes) -> None:
        self.begun = True
        if self._is_terminal:
            # JSON leaves DEL and the C1 controls as they are; a terminal may obey them.
            data = _CONTROL_IN_JSON.sub(lambda found: b"\\u00%02x" % found[0][-1], data)
        self._out.write(data)


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1e6


def _row(result: Result) -> dict[str, object]:
    return {
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


def run_row(
    counters: Counters, max_resident: int, latency: Latency, clock: str
) -> dict[str, object]:
    """What a whole run came to."""
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


def print_table(run: dict[str, object], latency: Latency, endings: dict[str, int]) -> None:
    """Print the latencies as a table, and the rest in a few lines."""
    from rich.console import Console  # noqa: PLC0415 - not needed with --json
    from rich.table import Table  # noqa: PLC0415

    console = Console(file=sys.stdout, highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("ms", "mean", "p50", "p95", "p99"):
        table.add_column(name, justify="left" if name == "ms" else "right")
    for name, spread in latency.spreads().items():
        title = {"wait_ms": "wait"}.get(name, name.removesuffix("_ms").upper())
        table.add_row(title, *map(_milliseconds, msgspec.structs.astuple(spread)))
    console.print(table)
    ended = ", ".join(f"{count:,} {reason}" for reason, count in sorted(endings.items()))
    console.print(
        f"\nrequests   {latency.num_requests:,} ({ended})\n"
        f"tokens     {latency.prompt_tokens:,} in, {latency.output_tokens:,} out, "
        f"{latency.tokens_per_s:,.1f} out a second\n"
        f"steps      {run['steps']:,} in {latency.duration_s:,.3f} s ({run['clock']} clock), "
        f"at most {run['max_resident']} resident\n"
        f"faults     {run['refused']} refused, {run['model_retried']} calls made again, "
        f"{run['stale_discarded']} rows discarded",
        markup=False,
    )


def _milliseconds(value: float | None) -> str:
    return "n/a" if value is None else f"{value:,.1f}"


__all__ = ["JsonReport", "Spread", "one_line", "print_table", "run_row"]
