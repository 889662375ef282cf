"""``batchtui bench debugger``: what recording costs a run, and what looking back costs.

The recordings are made first, in a temporary folder.

    record_8, record_256   a free run that is recorded, over the same that is not
    indexed_8              the same where nobody looks on, so that keyframes are found alone
    open_tokens_s          a recording of a million tokens in 256 slots, until all can be looked at
    open_events_s          one of a million events in 8 slots
    seek_ms                the worst of 200 moments anywhere in either, from nothing but the file

The cost of a recorder is told in time of the processor, the least of many short runs by turns:
whatever else goes on in a machine only adds to it. Seconds and milliseconds are those of a clock.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from batchtui.engine.batching.events import TokensApplied
from batchtui.engine.batching.request import Request, SamplingParams
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Turn
from batchtui.plugins.benches.figures import Figure
from batchtui.plugins.formats.workload import Workload
from batchtui.plugins.recordings.batching.header import header_of
from batchtui.plugins.recordings.batching.indexer import Indexer
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.recording import AnyRecording, open_recording
from batchtui.plugins.runs import Run, RunOptions, policy_named, prepare

ROUNDS = 5
MILLION = 1_000_000
TOKENS_TO_TIME = 20_000
RUNS_A_ROUND = 5
SEEKS = 200
OUTPUTS = range(50, 100)


class _Sizes(NamedTuple):
    """How many slots, and up to how many tokens or events a run goes."""

    slots: int
    tokens: int | None = None
    events: int | None = None


def run(file: str | None, repeat: int | None) -> list[Figure]:
    """Measure in rounds; the median counts, of seeking the worst."""
    if file is not None:
        raise InputError("bench debugger reads no file: leave it out")
    rounds = repeat or ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        ratios = [_ratio(slots, Path(folder), rounds) for slots in (8, 256)]
        indexed = _ratio(8, Path(folder), rounds, alone=True)
        wide, narrow = Path(folder) / "tokens.jsonl", Path(folder) / "events.jsonl"
        _say(f"recording a million tokens and a million events into {folder}")
        _write(wide, _Sizes(256, tokens=MILLION))
        _write(narrow, _Sizes(8, events=MILLION))
        opened = [_opened(path, rounds) for path in (wide, narrow)]
        worst = max(_worst_seek(path) for path in (wide, narrow))
    return [
        Figure("record_8", ratios[0], "x without a recorder", 1.3),
        Figure("record_256", ratios[1], "x without a recorder", 1.3),
        Figure("indexed_8", indexed, "x without a recorder", None),
        Figure("open_tokens_s", opened[0], "s", 2.0),
        Figure("open_events_s", opened[1], "s", 3.0),
        Figure("seek_ms", worst * 1e3, "ms", 20.0),
    ]


def _say(text: str) -> None:
    print(f"bench debugger: {text}", file=sys.stderr)


def _workload() -> Workload:
    """As many requests as it takes, each with its share of text."""
    params = [SamplingParams(max_tokens=length, ignore_eos=True) for length in OUTPUTS]

    def requests() -> Iterator[Request]:
        for index in range(MILLION):
            yield Request(
                request_id=f"r{index}",
                index=index,
                prompt=100,
                arrival_us=index * 1_000,
                params=params[index * 7 % len(params)],
            )

    return Workload(
        name="bench", format="bench", num_requests=MILLION, requests=requests, can_wait_in_file=True
    )


def _prepared(slots: int, *, recorded: bool) -> Run:
    options = RunOptions(slots=slots)
    return prepare(_workload(), options, whole_queue=False, recorded=recorded)


def _ratio(slots: int, folder: Path, rounds: int, *, alone: bool = False) -> float:
    """A free run with its view folded: recorded over not recorded, one beside the other."""
    bare, recorded = [], []
    for number in range(rounds * RUNS_A_ROUND):
        bare.append(_free_run_s(slots, None))
        path = folder / f"{slots}-{number}.jsonl"
        recorded.append(_free_run_s(slots, path, alone=alone))
        path.unlink()
    return min(recorded) / min(bare)


def _free_run_s(slots: int, path: Path | None, *, alone: bool = False) -> float:
    """Seconds of the processor."""
    run = _prepared(slots, recorded=path is not None)
    config = run.decoder.config
    view = BatchView.empty(config.max_num_seqs, config.num_gpu_blocks, run.policy)
    driver = Driver(run.simulation, view)
    if path is not None and run.recorder is not None:
        run.recorder.log = FileLog.create(path, header_of(run), None, _indexer(run, alone=alone))
    totals = view.totals
    gc.collect()
    began = time.process_time()
    driver.run_until(lambda: totals.kept >= TOKENS_TO_TIME)
    if run.recorder is not None and isinstance(run.recorder.log, FileLog):
        run.recorder.log.close()
    return time.process_time() - began


def _indexer(run: Run, *, alone: bool) -> Indexer | None:
    return Indexer(run.decoder.config, run.policy, policy_named) if alone else None


def _write(path: Path, sizes: _Sizes) -> None:
    run = _prepared(sizes.slots, recorded=True)
    assert run.recorder is not None
    num_tokens = num_events = 0
    with closing(FileLog.create(path, header_of(run), None, _indexer(run, alone=True))) as log:
        run.recorder.log = log
        for turn in run.simulation:
            num_events += len(turn.events)
            num_tokens += _tokens_of(turn)
            if num_tokens >= (sizes.tokens or num_tokens + 1):
                return
            if num_events >= (sizes.events or num_events + 1):
                return


def _tokens_of(turn: Turn) -> int:
    return sum(len(each.tokens) for each in turn.events if isinstance(each, TokensApplied))


def _opened(path: Path, rounds: int) -> float:
    """Seconds until a recording stands open; the median."""
    spent = []
    for _ in range(rounds):
        began = time.perf_counter()
        with closing(open_recording(path)):
            spent.append(time.perf_counter() - began)
    return statistics.median(spent)


def _worst_seek(path: Path) -> float:
    with closing(open_recording(path)) as recording:
        gc.freeze()  # as the dashboard does it
        draw = random.Random(0)
        turns = [draw.randrange(recording.timeline.num_turns) for _ in range(SEEKS)]
        return max(_seek_s(recording, turn) for turn in turns)


def _seek_s(recording: AnyRecording, turn: int) -> float:
    recording.timeline.forget()
    began = time.perf_counter()
    recording.timeline.view_at(turn)
    return time.perf_counter() - began
