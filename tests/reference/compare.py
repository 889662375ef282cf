"""What of a case's outcome is compared, from the engine and from the reference, as plain rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from tests.reference.decoder import ReferenceDecoder
from tests.reference.row import Case, has_no_logprobs, logprob

from batchtui.engine.batching.counters import Counters
from batchtui.engine.batching.events import RequestAdmitted
from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.batching.request import Result, TokenLogprob
from batchtui.engine.model import Reply, Row
from batchtui.plugins.formats.case import CaseFormat
from batchtui.plugins.models.scripted import ScriptedModel
from batchtui.plugins.runs import Run, RunOptions, prepare

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


class Telling(ScriptedModel):
    """A scripted model that says how likely its tokens were, as ``row.py`` has it."""

    def forward(self, rows: Sequence[Row]) -> Reply:
        calls = [self.next_call(row) for row in rows]
        reply = super().forward(rows)
        logprobs = list(map(self._told, rows, reply.tokens, calls))
        is_mute = logprobs.count(None) == len(logprobs)
        return Reply(reply.keys, reply.tokens, reply.elapsed_us, None if is_mute else logprobs)

    @staticmethod
    def _told(row: Row, new: list[int], call: int) -> list[TokenLogprob] | None:
        params, at = row.params, len(row.token_ids)
        if params.logprobs is None or has_no_logprobs({"seed": params.seed}, call):
            return None
        figures = (logprob(row.index, at + place) for place in range(len(new)))
        return [TokenLogprob(token, each) for token, each in zip(new, figures, strict=True)]


def _told_run(run: Run) -> Run:
    # The decoder keeps its own: both give the tokens of a case the same ids.
    run.caller.model = Telling(run.workload.scripts)
    return run


def of_engine(case: Case, folder: Path, *, max_retries: int = 1) -> Outcome:
    """Run a case with every invariant checked after every turn."""
    path = folder / "case.json"
    path.write_bytes(msgspec.json.encode(case))
    heard = Heard({}, [], {})
    workload = CaseFormat().read(path)
    run = _told_run(prepare(workload, RunOptions(retries=max_retries), listener=heard))
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
    entries = result.logprobs
    assert entries is None or [entry.token_id for entry in entries] == result.token_ids
    return {
        "request_id": result.request_id,
        "text": result.text,
        "deltas": result.deltas,
        "finish_reason": result.finish_reason,
        "stop_reason": result.stop_reason,
        "output_tokens": result.output_tokens,
        "prompt_tokens": result.prompt_tokens,
        "slot": result.slot,
        "generation": result.generation,
        "retries": result.retries,
        "logprobs": None if entries is None else [entry.logprob for entry in entries],
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
            "prompt_tokens": row.prompt_tokens,
            "slot": row.slot,
            "generation": row.generation,
            "retries": row.retries,
            "logprobs": row.logprobs,
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
