"""A recording as a workload: what had come by its end, its scripts, faults and options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from tests.plugins.recordings.recorded import Case, record
from tests.reference.random_cases import cases

from batchtui.engine.batching.redaction import Redaction, blank
from batchtui.engine.errors import IncomparableError
from batchtui.plugins.recordings.batching.workload import workload_of
from batchtui.plugins.recordings.recording import AnyRecording, open_recording
from batchtui.plugins.runs import RunOptions, prepare

CASE: Case = {
    "slots": 1,
    "policy": "priority",
    "kv": {"block_size": 4, "num_gpu_blocks": 9},
    "faults": [{"call": 2, "kind": "raise"}],
    "requests": [
        {"request_id": "a", "prompt": "p", "calls": [["x"], ["y"], ["z"]], "max_tokens": 3},
        {
            "request_id": "b",
            "prompt": "p",
            "calls": [["u"]] * 4,
            "max_tokens": 4,
            "arrive_at_step": 2,
            "abort_in_call": 2,
        },
        {"request_id": "c", "prompt": "p", "calls": [["v"]], "arrive_at_step": 30},
    ],
}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[AnyRecording]:
    recorded = record(CASE, tmp_path)
    recorded.log.close()
    recording = open_recording(recorded.path)
    yield recording
    recording.close()


def events_of(recording: AnyRecording, options: RunOptions | None = None) -> list[Any]:
    """What a run of the recording's workload decides."""
    workload, said = workload_of(recording)
    run = prepare(workload, options or said, recorded=True)
    return [event for turn in run.simulation for event in turn.events]


def test_the_options_are_those_of_the_recorded_run(opened: AnyRecording) -> None:
    workload, options = workload_of(opened)
    assert (options.slots, options.policy) == (1, "priority")
    assert (options.block_size, options.kv_blocks) == (4, 9)
    assert (workload.name, workload.backend) == ("case.json", "scripted")
    assert [fault.kind for fault in workload.faults] == ["raise"]


def test_its_run_decides_the_same(opened: AnyRecording) -> None:
    recorded = [event for turn in opened.timeline.records() for event in turn.events]
    assert events_of(opened) == recorded


def test_requests_come_back_as_they_were_asked_for(opened: AnyRecording) -> None:
    workload, _ = workload_of(opened)
    requests = list(workload.requests())
    assert [request.request_id for request in requests] == ["a", "b", "c"]
    assert [request.index for request in requests] == [0, 1, 2]
    assert requests[0].params.max_tokens == 3


def test_who_had_not_come_is_not_known_but_his_number_is_his(tmp_path: Path) -> None:
    recorded = record(CASE, tmp_path)
    recorded.log.close()
    lines = recorded.path.read_bytes().splitlines(keepends=True)
    there = next(n for n, line in enumerate(lines) if b'"request_id":"c"' in line and n)
    recorded.path.write_bytes(b"".join(lines[:there]))
    recording = open_recording(recorded.path)
    workload, _ = workload_of(recording)
    assert [request.request_id for request in workload.requests()] == ["a", "b"]
    assert workload.num_requests == 3
    recording.close()


def test_one_without_texts_cannot_be_run_again(tmp_path: Path) -> None:
    recorded = record(CASE, tmp_path, texts="none", redact=Redaction(blank))
    recorded.log.close()
    recording = open_recording(recorded.path)
    with pytest.raises(IncomparableError, match="it can be looked at, not run again"):
        workload_of(recording)
    recording.close()


def test_who_is_aborted_before_a_step_is_so_though_his_script_aborts_him_later(
    tmp_path: Path,
) -> None:
    request = {"request_id": "a", "prompt": "p", "calls": [["x"]] * 9, "abort_in_call": 5}
    recorded = record({"slots": 1, "requests": [request | {"abort_at_step": 2}]}, tmp_path)
    recorded.log.close()
    recording = open_recording(recorded.path)
    wanted = [event for turn in recording.timeline.records() for event in turn.events]
    assert events_of(recording) == wanted
    recording.close()


@settings(max_examples=40)
@given(case=cases())
def test_the_workload_of_any_recording_decides_the_same(case: Case, tmp_path: Path) -> None:
    # A reply that comes while nobody is there, before a step that was jumped to, has no step.
    assume(not any(fault["kind"] in ("duplicate", "late") for fault in case["faults"]))
    recorded = record(case, tmp_path)
    recorded.log.close()
    recording = open_recording(recorded.path)
    wanted = [event for turn in recording.timeline.records() for event in turn.events]
    assert msgspec.json.encode(events_of(recording)) == msgspec.json.encode(wanted)
    recording.close()
