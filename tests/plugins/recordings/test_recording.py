"""A recording opens as it was, whatever became of its file; what is no recording is refused in one
line."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.recordings.recorded import CHUNK, Case, record, views
from tests.reference.random_cases import cases

from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.debugger import timeline as timelines
from batchtui.engine.errors import BatchtuiError, InputError
from batchtui.plugins.recordings.again import verify
from batchtui.plugins.recordings.recording import AnyRecording, is_recording, open_recording
from batchtui.plugins.recordings.target import part_of

SMALL: Case = {
    "slots": 2,
    "requests": [
        {"request_id": "a", "prompt": "one", "calls": [["x"], ["y", "z"]], "max_tokens": 3},
        {"request_id": "b", "prompt": "two", "calls": [["p"], ["q"]], "stop": ["q!"]},
        {"request_id": "c", "prompt_tokens": 4, "calls": [["k"]], "arrive_at_step": 1},
    ],
    "faults": [{"kind": "late", "call": 2}],
}

# Looks at every moment of a recording, as the test does, in a process of its own.
FRESH = """
import hashlib, sys, msgspec
from batchtui.plugins.recordings.recording import open_recording
timeline = open_recording(sys.argv[1]).timeline
for turn in range(timeline.num_turns + 1):
    view = msgspec.json.encode(timeline.view_at(turn))
    print(hashlib.sha256(view).hexdigest())
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    made = record(SMALL, tmp_path)
    made.log.close()
    return made.path


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timelines.Chunker.__init__, "__defaults__", (CHUNK,))


def given_as(data: bytes, folder: Path) -> Path:
    path = folder / "given.jsonl"
    path.write_bytes(data)
    return path


def opened(data: bytes, folder: Path) -> closing[AnyRecording]:
    return closing(open_recording(given_as(data, folder)))


def views_of(path: Path) -> list[bytes]:
    with closing(open_recording(path)) as recording:
        return views(recording.timeline)


def refusal(data: bytes, folder: Path) -> str:
    with pytest.raises(InputError) as refused:
        open_recording(given_as(data, folder))
    return str(refused.value)


@settings(max_examples=60)
@given(case=cases())
def test_every_moment_of_a_random_run_is_there_again(tmp_path: Path, case: Case) -> None:
    made = record(case, tmp_path)
    with closing(open_recording(made.path)) as again:
        assert again.torn == ""
        assert again.header == made.log.header
        assert views(again.timeline) == made.seen
        history = made.timeline.history
        assert isinstance(history, BatchHistory)
        assert again.history.marks == history.marks
        assert again.history.queue_lengths == history.queue_lengths
        assert list(again.turns()) == list(made.timeline.records())
    made.log.close()


@settings(max_examples=20)
@given(case=cases())
def test_every_moment_is_there_while_it_is_written(tmp_path: Path, case: Case) -> None:
    made = record(case, tmp_path)
    assert views(made.timeline) == made.seen
    made.log.close()


def test_a_fresh_process_sees_the_same(tmp_path: Path) -> None:
    made = record("demo", tmp_path, chunk=timelines.MAX_CHUNK)
    made.log.close()
    ran = subprocess.run(
        [sys.executable, "-c", FRESH, str(made.path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == [hashlib.sha256(view).hexdigest() for view in made.seen]


def test_the_same_run_makes_the_same_bytes(tmp_path: Path) -> None:
    first, second = (record("demo", tmp_path, name=name) for name in ("a.jsonl", "b.jsonl"))
    first.log.close()
    second.log.close()
    assert first.path.read_bytes() == second.path.read_bytes()
    assert str(tmp_path) not in first.path.read_text()


@pytest.mark.parametrize(
    "change",
    [
        gzip.compress,
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\n\n", 5),
        lambda data: data + b"\n\n",
    ],
    ids=["gzip", "bom", "crlf", "blank lines", "blank end"],
)
def test_how_it_was_packed_and_typed_makes_no_difference(
    tmp_path: Path, small: Path, change: Any
) -> None:
    data = change(small.read_bytes())
    assert is_recording(data[:1000])
    with opened(data, tmp_path) as again:
        assert again.torn == ""
        assert views(again.timeline) == views_of(small)


def test_wherever_it_is_cut_off_it_opens_and_says_so(tmp_path: Path, small: Path) -> None:
    data, whole = small.read_bytes(), views_of(small)
    start = data.index(b"\n") + 1
    for cut in range(start + 1, len(data), 7):
        if data[cut - 1 : cut] == b"\n":
            continue
        with opened(data[:cut], tmp_path) as again:
            assert again.torn.startswith("cut off after entry ")
            assert again.torn.endswith(": the rest is missing")
            # At a half line it is not known whether the turn before it has all its events.
            assert views(again.timeline) == whole[: again.timeline.num_turns + 1]


def test_a_cut_within_a_turn_drops_that_turn(tmp_path: Path, small: Path) -> None:
    lines = small.read_bytes().splitlines(keepends=True)
    places = [n for n, line in enumerate(lines) if b'"type":"RequestQueued"' in line]
    first, second = places[:2]
    with opened(b"".join([*lines[: first + 1], lines[second][:40]]), tmp_path) as again:
        assert again.timeline.num_turns == 0
        assert again.torn == "cut off after entry 0 (step 0): the rest is missing"


def test_a_packed_one_that_was_cut_off_opens(tmp_path: Path, small: Path) -> None:
    data = gzip.compress(small.read_bytes())
    with opened(data[: len(data) * 2 // 3], tmp_path) as again:
        assert again.torn


def test_only_what_begins_as_one_is_a_recording(small: Path) -> None:
    assert is_recording(small.read_bytes()[:200])
    assert not is_recording(b'{"type":"Submitted"}\n')
    assert not is_recording(b'{"requests": [{"type":"Recording"}]}')
    assert not is_recording(b"")
    assert not is_recording(b"\x1f\x8bnot gzip")


def test_a_newer_version_is_refused(tmp_path: Path, small: Path) -> None:
    data = small.read_bytes().replace(b'"version":1', b'"version":2,"more":{}', 1)
    assert refusal(data, tmp_path).endswith(
        "recording version 2: this batchtui reads up to 1; install a newer one"
    )


def test_what_is_no_recording_is_refused_with_its_line(tmp_path: Path, small: Path) -> None:
    data = small.read_bytes()
    lines = data.splitlines(keepends=True)
    assert refusal(b"", tmp_path) == "given.jsonl is empty: want a recording"
    assert "line 1 is not the header of a recording" in refusal(b'{"a": 1}\n', tmp_path)
    unknown = [*lines[:4], b'{"type":"Danced"}\n', *lines[4:]]
    assert refusal(b"".join(unknown), tmp_path).startswith("given.jsonl line 5: ")
    half = [*lines[:6], lines[6][:20] + b"\n", *lines[7:]]
    assert refusal(b"".join(half), tmp_path).startswith("given.jsonl line 7: ")
    with pytest.raises(InputError, match=r"no.jsonl cannot be read: no such file"):
        open_recording(tmp_path / "no.jsonl")
    with pytest.raises(InputError, match="is a directory"):
        open_recording(tmp_path)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("RequestAdmitted", "slot", -1),
        ("RequestAdmitted", "slot", 99),
        ("RequestFinished", "slot", 99),
        ("TokensApplied", "slots", [0, 99]),
        ("TokensApplied", "slots", [-1]),
        ("TokensApplied", "counts", [1, 1, 1, 1, 1]),
        ("TextDelivered", "texts", []),
        ("TextDelivered", "keys", [[-1, 0, "a"]]),
        ("CallStarted", "step", 10**18),
        ("CallStarted", "step", 10**30),
        ("CallStarted", "phase", "lunch"),
        ("RequestAdmitted", "blocks", 10**40),
        ("RequestQueued", "limit", 10**19),
        ("RequestFinished", "stop_reason", 10**30),
    ],
)
def test_what_no_run_can_have_decided_is_refused(
    tmp_path: Path, small: Path, kind: str, field: str, value: object
) -> None:
    lines = [json.loads(line) for line in small.read_bytes().splitlines()]
    # Whatever the last slot is used for, there is a keyframe after it: one that cannot be encoded
    # is seen.
    target = next(line for line in lines if line["type"] == kind)
    target[field] = value
    said = refusal(b"".join(json.dumps(line).encode() + b"\n" for line in lines), tmp_path)
    assert said.startswith("given.jsonl line")
    assert "\n" not in said


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from leaves(inner, (*path, key))


def look_at(data: bytes, folder: Path) -> None:
    """Either it is refused in one line, or every moment of it can be looked at and run again."""
    try:
        with opened(data, folder) as again:
            views(again.timeline)
            list(again.turns())
            verify(again)
    except BatchtuiError as error:
        assert "\n" not in str(error)


_odd: st.SearchStrategy[Any] = st.sampled_from(
    [
        -1,
        0,
        1,
        2,
        7,
        99,
        2**31,
        2**62,
        2**63,
        10**30,
        1.5,
        "",
        "a",
        "admit",
        None,
        True,
        [],
        [0],
        {},
    ]
)


@settings(max_examples=400)
@given(data=st.data())
def test_no_changed_value_is_more_than_one_line(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "run.jsonl"
    if not path.exists():
        record(SMALL, tmp_path).log.close()
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.integers(0, len(lines) - 1))
        *way, last = data.draw(st.sampled_from(list(leaves(lines[number])) or [("type",)]))
        holder = lines[number]
        for key in way:
            holder = holder[key]
            if not isinstance(holder, dict | list):
                break
        else:
            holder[last] = deepcopy(data.draw(_odd))
    given_data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    look_at(given_data, tmp_path)


@settings(max_examples=200)
@given(data=st.data())
def test_no_shuffled_lines_are_more_than_one_line(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "run.jsonl"
    if not path.exists():
        record(SMALL, tmp_path).log.close()
    lines = path.read_bytes().splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(1, len(lines) - 1))
        line = lines.pop(at)
        if data.draw(st.booleans()):
            lines.insert(data.draw(st.integers(1, len(lines))), line)
    look_at(b"".join(lines), tmp_path)


def test_one_that_was_never_packed_says_where_it_is(tmp_path: Path) -> None:
    packed = tmp_path / "r.rec.gz"
    packed.touch()
    part_of(packed).touch()
    with pytest.raises(InputError) as raised:
        open_recording(packed)
    assert str(raised.value) == ("r.rec.gz was never packed: what was recorded is in r.rec.gz.part")
