"""A recording comes out the same when it is run again, and whatever was changed in it is seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.plugins.recordings.recorded import Case, record
from tests.reference.random_cases import cases

from batchtui.engine.batching.options import Options
from batchtui.engine.batching.redaction import Redaction, blank
from batchtui.engine.debugger.replay import Replayed
from batchtui.engine.errors import IncomparableError
from batchtui.engine.machine import Configured, Injected
from batchtui.plugins.recordings.again import verify
from batchtui.plugins.recordings.batching.header import header_of
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.recording import open_recording
from batchtui.plugins.runs import RunOptions, prepare
from batchtui.plugins.workloads import open_workload

Line = dict[str, Any]  # Any: JSON

DEADLINES = "".join(
    json.dumps(
        {
            "request_id": f"r{n}",
            "prompt": f"tell me of {n}",
            "max_tokens": 30,
            "arrival_s": n / 100,
            "deadline_s": 0.2 + n / 50,
            "stop": ["e t"],
        }
    )
    + "\n"
    for n in range(24)
)


def verified(path: Path) -> Replayed:
    with closing(open_recording(path)) as recording:
        return verify(recording)


def changed(path: Path, change: Callable[[list[Line]], None]) -> Path:
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    change(lines)
    other = path.with_name("changed.jsonl")
    other.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return other


def first(lines: list[Line], kind: str, skip: int = 0) -> Line:
    return [line for line in lines if line["type"] == kind][skip]


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    made = record("demo", tmp_path)
    made.log.close()
    return made.path


@settings(max_examples=80)
@given(case=cases())
def test_a_random_run_comes_out_the_same(tmp_path: Path, case: Case) -> None:
    made = record(case, tmp_path)
    made.log.close()
    replayed = verified(made.path)
    assert replayed.difference is None
    assert replayed.num_turns == made.timeline.num_turns
    assert replayed.num_events == sum(len(each.events) for each in _turns(made.path))


def _turns(path: Path) -> list[Any]:
    with closing(open_recording(path)) as recording:
        return list(recording.turns())


def test_deadlines_that_pass_come_out_the_same(tmp_path: Path) -> None:
    path = tmp_path / "deadlines.jsonl"
    path.write_text(DEADLINES)
    made = record(str(path), tmp_path, options=RunOptions(slots=4))
    made.log.close()
    assert made.timeline.view.totals.reasons["abort"] > 2
    assert verified(made.path).difference is None


def test_what_was_changed_by_hand_comes_out_the_same(tmp_path: Path) -> None:
    run = prepare(open_workload("demo"), RunOptions(), recorded=True)
    log = FileLog.create(tmp_path / "r.jsonl", header_of(run))
    assert run.recorder is not None
    run.recorder.log = log
    by_hand = [
        Configured(body=Options(max_num_seqs=3), by_hand=True),
        Injected(body="raise", by_hand=True),
        Configured(body=Options(max_num_seqs=9, policy="priority"), by_hand=True),
    ]
    for number, _ in enumerate(run.simulation):
        if number % 20 == 10 and by_hand:
            run.recorder.take(by_hand.pop(0))
    log.close()
    assert not by_hand
    replayed = verified(tmp_path / "r.jsonl")
    assert replayed.difference is None


def test_a_changed_decision_is_found_where_it_was_made(demo: Path) -> None:
    def change(lines: list[Line]) -> None:
        first(lines, "RequestAdmitted", 3)["waited_us"] += 1

    difference = verified(changed(demo, change)).difference
    assert difference is not None
    assert difference.phase == "admit"
    assert difference.fields == ("waited_us",)
    assert type(difference.recorded) is type(difference.came)


def test_a_changed_reply_is_found(demo: Path) -> None:
    def change(lines: list[Line]) -> None:
        replied = first(lines, "Replied", 4)
        replied["body"]["tokens"][0] = [replied["body"]["tokens"][1][0]]

    difference = verified(changed(demo, change)).difference
    assert difference is not None
    assert difference.phase == "apply"
    assert "tokens" in difference.fields


@pytest.mark.parametrize("kind", ["TextDelivered", "RequestFinished", "ResultsDelivered"])
def test_a_decision_that_was_taken_out_is_found(demo: Path, kind: str) -> None:
    def change(lines: list[Line]) -> None:
        lines.remove(first(lines, kind))

    difference = verified(changed(demo, change)).difference
    assert difference is not None


@pytest.mark.parametrize("kind", ["Submitted", "Replied", "PromptEncoded", "TokenSpelled"])
def test_what_came_from_outside_and_was_taken_out_is_found(demo: Path, kind: str) -> None:
    def change(lines: list[Line]) -> None:
        lines.remove(first(lines, kind))

    assert verified(changed(demo, change)).difference is not None


@pytest.mark.parametrize(
    ("field", "value"), [("config", {"max_num_seqs": 3}), ("policy", "priority")]
)
def test_another_setting_makes_another_run(tmp_path: Path, field: str, value: Any) -> None:
    case = {
        "slots": 2,
        "requests": [
            {"request_id": f"r{n}", "prompt_tokens": 3, "priority": -n, "max_tokens": 4}
            for n in range(6)
        ],
    }
    made = record(case, tmp_path)
    made.log.close()

    def change(lines: list[Line]) -> None:
        lines[0][field] = value

    assert verified(made.path).difference is None
    assert verified(changed(made.path, change)).difference is not None


def test_a_recording_that_was_cut_off_is_verified_as_far_as_it_goes(demo: Path) -> None:
    data = demo.read_bytes()
    whole = verified(demo).num_turns
    for cut in range(len(data) // 2, len(data), 4_999):
        path = demo.with_name("cut.jsonl")
        path.write_bytes(data[:cut])
        replayed = verified(path)
        assert replayed.difference is None
        assert 0 < replayed.num_turns < whole


def test_one_that_ends_between_two_events_of_a_turn_is_not_blamed_for_it(demo: Path) -> None:
    lines = demo.read_bytes().splitlines(keepends=True)
    kinds = [json.loads(line)["type"] for line in lines]
    at = kinds.index("ResultsDelivered")
    assert kinds[at - 1] == "TextDelivered"
    demo.write_bytes(b"".join(lines[:at]))
    assert verified(demo).difference is None


def test_without_texts_nothing_can_be_run_again(tmp_path: Path) -> None:
    made = record("demo", tmp_path, texts="none", redact=Redaction(blank))
    made.log.close()
    with pytest.raises(IncomparableError, match="keeps no texts") as refused:
        verified(made.path)
    assert refused.value.exit_code == 7
