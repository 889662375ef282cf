"""Runs that are recorded to a file and looked at while they go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recording import Texts, TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline
from batchtui.plugins.formats.case import CaseFormat
from batchtui.plugins.formats.workload import Workload
from batchtui.plugins.recordings.batching.header import header_of
from batchtui.plugins.recordings.batching.indexer import Indexer
from batchtui.plugins.recordings.log import FileLog, Redact
from batchtui.plugins.runs import Run, RunOptions, policy_named, prepare
from batchtui.plugins.workloads import open_workload

Case = dict[str, Any]  # Any: JSON

CHUNK = 40
"""What a chunk weighs in tests: so that short runs have several."""


Indexed = Literal["not", "told", "found"]
"""Whether there are keyframes in the file: those of the timeline, or those of an indexer."""


class Recorded(NamedTuple):
    """A run that was recorded: its file, its timeline over the file's log, and every view of it."""

    path: Path
    run: Run
    log: FileLog
    timeline: Timeline[BatchView]
    seen: list[bytes]


def workload_of(case: Case | str, folder: Path) -> Workload:
    if isinstance(case, str):
        return open_workload(case)
    path = folder / "case.json"
    path.write_bytes(msgspec.json.encode(case))
    return CaseFormat().read(path)


def record(
    case: Case | str,
    folder: Path,
    *,
    name: str = "run.jsonl",
    texts: Texts = "full",
    redact: Redact | None = None,
    options: RunOptions | None = None,
    chunk: int = CHUNK,
    indexed: Indexed = "not",
) -> Recorded:
    """Record a run to a new file, whole."""
    said = options or RunOptions()
    run = prepare(workload_of(case, folder), said, recorded=True)
    path = folder / name
    path.unlink(missing_ok=True)
    config = run.decoder.config
    indexer = Indexer(config, run.policy, policy_named, Chunker(chunk))
    log = FileLog.create(
        path, header_of(run, said, texts), redact, indexer if indexed == "found" else None
    )
    log._chunker = Chunker(chunk)
    history = BatchHistory(config.max_num_seqs, config.num_gpu_blocks, run.policy, policy_named)
    tell = log.index if indexed == "told" else None
    timeline = Timeline(history, log, Chunker(chunk), tell)
    seen = [encoded(timeline.view)]

    def watch(record: TurnRecord) -> None:
        timeline.add(record)
        seen.append(encoded(timeline.view))

    assert run.recorder is not None
    run.recorder.log, run.recorder.watch = log, watch
    for _ in run.simulation:
        pass
    log.flush()
    return Recorded(path, run, log, timeline, seen)


def encoded(view: BatchView) -> bytes:
    return msgspec.json.encode(view)


def views(timeline: Timeline[BatchView]) -> list[bytes]:
    return [encoded(timeline.view_at(turn)) for turn in range(timeline.num_turns + 1)]
