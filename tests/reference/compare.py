"""What of a case's outcome is compared, from the engine and from the reference, as plain rows."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
from tests.reference.decoder import ReferenceDecoder
from tests.reference.row import Case

from batchtui.engine.batching.counters import Counters
from batchtui.engine.batching.events import RequestAdmitted
from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.batching.request import Result
from batchtui.plugins.formats.case import CaseFormat
from batchtui.plugins.runs import RunOptions, prepare

Outcome = list[dict[str, object]]
"""A row for each request in the order of the case, then one for the run."""


class Heard(NamedTuple):
    """A listener that keeps all it is given."""

    texts: dict[int, list[str]]
    results: list[Result]
    indices: dict[str, int]

    def text(self, request_id: str, delta: str) -> None:
        self.texts.setdefault(self.indices[request_id], []).append(delta)

    def finished(self, result: Result) -> None:
        self.results.append(result)


def of_engine(case: Case, folder: Path, *, max_retries: int = 1) -> Outcome:
    """Run a case with every invariant checked after every turn."""
    path = folder / "case.json"
    path.write_bytes(msgspec.json.encode(case))
    heard = Heard({}, [], {})
    workload = CaseFormat().read(path)
    run = prepare(workload, RunOptions(retries=max_retries), listener=heard)
    invariants, order = Invariants(run.decoder), []
    for turn in run.simulation:
        invariants.check()
        admitted = [event for event in turn.events if isinstance(event, RequestAdmitted)]
        order += [event.request_id for event in admitted]
        heard.indices.update((event.request_id, event.index) for event in admitted)
    rows = [_row(result, heard) for result in sorted(heard.results, key=lambda row: row.index)]
    counters, scheduler = run.decoder.counters, run.decoder.scheduler
    assert run.decoder.status == "done"
    totals = {
        "admission_order": order,
        "refused": counters.refused,
        "stale_discarded": counters.stale_rows,
        "max_resident": scheduler.max_resident,
        "model_retried": counters.retried,
    }
    return [*rows, totals]


def _row(result: Result, heard: Heard) -> dict[str, object]:
    assert heard.texts.get(result.index, []) == result.deltas
    return {
        "request_id": result.request_id,
        "text": result.text,
        "deltas": result.deltas,
        "finish_reason": result.finish_reason,
        "stop_reason": result.stop_reason,
        "output_tokens": result.output_tokens,
        "slot": result.slot,
        "generation": result.generation,
        "retries": result.retries,
    }


def of_reference(case: Case, *, max_retries: int = 1) -> Outcome:
    """Work a case out by the rules."""
    reference = ReferenceDecoder(case, max_retries=max_retries).run()
    rows: Outcome = [
        {
            "request_id": row.request_id,
            "text": row.text,
            "deltas": row.deltas,
            "finish_reason": row.finish_reason,
            "stop_reason": row.stop_reason,
            "output_tokens": len(row.tokens),
            "slot": row.slot,
            "generation": row.generation,
            "retries": row.retries,
        }
        for row in reference.rows
    ]
    totals = ("admission_order", "refused", "stale_discarded", "max_resident", "model_retried")
    return [*rows, {name: getattr(reference, name) for name in totals}]


def counted(case: Case, folder: Path, *, observed: bool) -> Counters:
    """What a run counts, where somebody watches it or nobody does."""
    path = folder / "case.json"
    path.write_bytes(msgspec.json.encode(case))
    run = prepare(CaseFormat().read(path), RunOptions(), observed=observed)
    invariants = Invariants(run.decoder)
    for _ in run.simulation:
        invariants.check()
    return run.decoder.counters
