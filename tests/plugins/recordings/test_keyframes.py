"""With keyframes a recording is the same as without, and opens sooner; they are believed only in
the file that they were written for."""

from __future__ import annotations

import gzip
import json
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.recordings.recorded import CHUNK, Case, Indexed, Recorded, encoded, record, views
from tests.reference.random_cases import cases

from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.redaction import Redaction, blank
from batchtui.engine.debugger import timeline as timelines
from batchtui.engine.debugger.codec import KEYFRAME
from batchtui.engine.debugger.recording import Keyframe
from batchtui.engine.errors import BatchtuiError, InputError
from batchtui.plugins.recordings.again import verify
from batchtui.plugins.recordings.batching.indexer import Indexer
from batchtui.plugins.recordings.recording import AnyRecording, open_recording
from batchtui.plugins.runs import RunOptions, prepare
from batchtui.plugins.workloads import open_workload
from batchtui.tui.cli.record import recording_to

BEGIN = b'{"type":"Keyframe",'

FAULTY: Case = {
    "slots": 2,
    "requests": [
        {"request_id": f"r{n}", "prompt": "one", "calls": [["x"], ["y", "z"]] * 9, "max_tokens": 9}
        for n in range(9)
    ],
    "faults": [{"kind": "late", "call": 2}, {"kind": "raise", "call": 5}],
}


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timelines.Chunker.__init__, "__defaults__", (CHUNK,))


def memory(history: BatchHistory) -> list[Any]:
    """All that a history remembers."""
    ids = history.request_ids
    told = [
        (story.request_id, story.request, story.aborted, story.place, story.moments)
        for request_id in ids
        for story in history.stories(request_id)
    ]
    kept = [ids, told, history.marks, history.queue_lengths, history.waits]
    return [*kept, list(history.endings(1 << 60)), history._left_at, history._unrun]


def keyframes(path: Path) -> list[Keyframe]:
    lines = path.read_bytes().splitlines()
    return [KEYFRAME.decode(line) for line in lines if line.startswith(BEGIN)]


def has_leapt(recording: AnyRecording) -> bool:
    return recording.reader._first > recording.reader._starts[0]


def check_is_the_same(made: Recorded) -> None:
    """Opened by its keyframes and without them it is what was seen."""
    history = made.timeline.history
    assert isinstance(history, BatchHistory)
    for trusting in (True, False):
        with closing(open_recording(made.path, trusting=trusting)) as again:
            assert has_leapt(again) == (trusting and bool(keyframes(made.path)))
            assert again.torn == ""
            assert views(again.timeline) == made.seen
            assert encoded(again.timeline.view) == made.seen[-1]
            assert memory(again.history) == memory(history)
            assert list(again.turns()) == list(made.timeline.records())
            assert again.timeline.step == made.timeline.step


@pytest.mark.parametrize("indexed", ["told", "found"])
@settings(max_examples=40)
@given(case=cases())
def test_a_random_run_is_the_same_with_them_and_without(
    tmp_path: Path, indexed: Indexed, case: Case
) -> None:
    made = record(case, tmp_path, indexed=indexed)
    made.log.flush()
    check_is_the_same(made)
    made.log.close()


@pytest.mark.parametrize("indexed", ["told", "found"])
@pytest.mark.parametrize("case", ["demo", "burst", FAULTY], ids=["demo", "burst", "faulty"])
def test_there_is_one_of_each_full_chunk(tmp_path: Path, indexed: Indexed, case: Any) -> None:
    made = record(case, tmp_path, indexed=indexed)
    chunks = made.timeline._chunks[1:]
    assert len(chunks) > 3
    assert [(each.turn, each.step, each.frame) for each in keyframes(made.path)] == chunks
    check_is_the_same(made)
    made.log.close()


def test_whoever_finds_them_alone_finds_the_same(tmp_path: Path) -> None:
    told = record(FAULTY, tmp_path, name="told.jsonl", indexed="told")
    found = record(FAULTY, tmp_path, name="found.jsonl", indexed="found")
    told.log.close()
    found.log.close()
    for one, other in zip(keyframes(told.path), keyframes(found.path), strict=True):
        assert (one.seqs, one.marks, one.frame) == (other.seqs, other.marks, other.frame)


def test_what_was_taken_out_is_in_no_keyframe(tmp_path: Path) -> None:
    made = record("demo", tmp_path, texts="none", redact=Redaction(blank), indexed="found")
    made.log.close()
    shown = [msgspec.msgpack.decode(each.frame) for each in keyframes(made.path)]
    assert shown
    assert {slot["text"] for _, view in shown for slot in view["slots"]} == {""}
    seen = []
    for trusting in (True, False):
        with closing(open_recording(made.path, trusting=trusting)) as again:
            seen.append((views(again.timeline), memory(again.history)))
    assert seen[0] == seen[1]


def test_a_chunk_is_as_long_as_a_timeline_makes_it(tmp_path: Path) -> None:
    workload, said = open_workload("burst"), RunOptions()
    run = prepare(workload, said, recorded=True)
    path = tmp_path / "run.jsonl"
    with recording_to(str(path), run, said, "full", "burst") as fault:
        deque(run.simulation, maxlen=0)
    assert fault() is None
    found = keyframes(path)
    told = record("burst", tmp_path, name="told.jsonl", indexed="told")
    told.log.close()
    chunks = told.timeline._chunks[1:]
    assert [(each.turn, each.step, each.frame) for each in found] == chunks
    with closing(open_recording(path)) as again:
        assert has_leapt(again)


def test_who_waits_is_remembered_only_while_it_does(tmp_path: Path) -> None:
    made = record("demo", tmp_path, indexed="found")
    assert isinstance(made.log._indexer, Indexer)
    assert made.log._indexer._places == {}
    assert made.log._indexer._num_queued > 10
    made.log.close()


def test_wherever_it_is_cut_off_it_is_what_it_is_without_them(tmp_path: Path) -> None:
    made = record(FAULTY, tmp_path, indexed="told")
    made.log.close()
    data, path = made.path.read_bytes(), tmp_path / "cut.jsonl"
    leapt = 0
    for cut in range(data.index(b"\n") + 2, len(data), 997):
        path.write_bytes(data[:cut])
        torn = []
        for trusting in (True, False):
            with closing(open_recording(path, trusting=trusting)) as again:
                torn.append((again.torn, again.timeline.num_turns, memory(again.history)))
                leapt += has_leapt(again)
                assert encoded(again.timeline.view) == made.seen[again.timeline.num_turns]
        assert torn[0] == torn[1]
    assert leapt > 3


@pytest.fixture
def indexed(tmp_path: Path) -> Path:
    made = record(FAULTY, tmp_path, indexed="found")
    made.log.close()
    return made.path


@pytest.mark.parametrize(
    "change",
    [
        gzip.compress,
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\n\n", 5),
        lambda data: data.replace(BEGIN, b'{"type": "Keyframe",'),
        lambda data: data.replace(b'"attempt":1', b'"attempt": 1', 1),
    ],
    ids=["gzip", "bom", "crlf", "blank lines", "spaces", "a space"],
)
def test_a_changed_file_is_read_whole(
    tmp_path: Path, indexed: Path, change: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "changed.jsonl"
    path.write_bytes(change(indexed.read_bytes()))
    with closing(open_recording(path)) as again, closing(open_recording(indexed)) as whole:
        assert has_leapt(whole)
        assert has_leapt(again) == (change is gzip.compress)
        assert views(again.timeline) == views(whole.timeline)
        assert memory(again.history) == memory(whole.history)


def test_a_line_that_need_not_be_read_is_named_all_the_same(tmp_path: Path, indexed: Path) -> None:
    lines = indexed.read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b'"TokensApplied"' in line)
    lines[at] = lines[at][:40] + b"\n"
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"".join(lines))
    with pytest.raises(InputError, match=f"half.jsonl line {at + 1}: "):
        open_recording(path)


def test_lines_behind_keyframes_are_named_by_their_number(tmp_path: Path, indexed: Path) -> None:
    lines = indexed.read_bytes().splitlines(keepends=True)
    path = tmp_path / "more.jsonl"
    path.write_bytes(b"".join([*lines, b'{"type":"Danced"}\n', lines[-1]]))
    with pytest.raises(InputError, match=f"more.jsonl line {len(lines) + 1}: "):
        open_recording(path)
    again = next(line for line in lines if b'"type":"Turned"' in line)
    path.write_bytes(b"".join([*lines, again]))
    with pytest.raises(InputError, match=f"more.jsonl line {len(lines) + 1}: step "):
        open_recording(path)


def forged(data: bytes, change: Callable[[int, dict[str, Any]], None]) -> bytes:
    """The file with other keyframes, as somebody makes it who knows how."""
    made, number = b"", 0
    for line in data.splitlines(keepends=True):
        if not line.startswith(BEGIN):
            made += line
            continue
        document = json.loads(line)
        del document["crc"]
        change(number, document)
        number += 1
        said = json.dumps(document, separators=(",", ":")).encode()[:-1]
        made += said + b',"crc":%d}\n' % zlib.crc32(said, zlib.crc32(made))
    return made


def look_at(path: Path) -> bool:
    """Either it is refused in one line, or what is there can be looked at; whether it leapt."""
    try:
        with closing(open_recording(path)) as again:
            for turn in range(again.timeline.num_turns + 1):
                again.timeline.view_at(turn)
            verify(again)
            return has_leapt(again)
    except BatchtuiError as error:
        assert "\n" not in str(error)
        return True


def test_forged_as_they_were_they_are_believed(tmp_path: Path, indexed: Path) -> None:
    path = tmp_path / "forged.jsonl"
    path.write_bytes(forged(indexed.read_bytes(), lambda number, document: None))
    assert path.read_bytes() == indexed.read_bytes()


@pytest.mark.parametrize("field", ["chunk", "end", "turn", "step", "seqs", "marks", "frame"])
def test_what_does_not_fit_is_not_believed(tmp_path: Path, indexed: Path, field: str) -> None:
    odd = {"seqs": [], "marks": "?", "frame": "AAAA"}

    def change(number: int, document: dict[str, Any]) -> None:
        if number == 1:
            document[field] = odd[field] if field in odd else document[field] + 1

    path = tmp_path / "forged.jsonl"
    path.write_bytes(forged(indexed.read_bytes(), change))
    assert not look_at(path)
    with closing(open_recording(path)) as again, closing(open_recording(indexed)) as whole:
        assert views(again.timeline) == views(whole.timeline)


def leaves(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*way, key)
        if isinstance(inner, dict | list):
            yield from leaves(inner, (*way, key))


_odd: st.SearchStrategy[Any] = st.sampled_from(
    [-1, 0, 1, 2, 3, 7, 99, 2**31, 2**62, 10**30, 1.5, "", "a", "+", None, True, [], [0], {}]
)


@settings(max_examples=150)
@given(data=st.data())
def test_no_forgery_is_more_than_one_line(tmp_path: Path, data: st.DataObject) -> None:
    path, other = tmp_path / "run.jsonl", tmp_path / "forged.jsonl"
    if not path.exists():
        record(FAULTY, tmp_path, indexed="found").log.close()
    chosen = data.draw(st.integers(0, len(keyframes(path)) - 1))

    def change(number: int, document: dict[str, Any]) -> None:
        if number == chosen:
            holder = document
            if data.draw(st.booleans()):
                frame = msgspec.json.decode(json.dumps(document["frame"]), type=bytes)
                holder = {"frame": msgspec.msgpack.decode(frame)}
            *way, last = data.draw(st.sampled_from(list(leaves(holder))))
            inner: Any = holder
            for key in way:
                inner = inner[key]
            inner[last] = deepcopy(data.draw(_odd))
            if holder is not document:
                frame = msgspec.msgpack.encode(holder["frame"])
                document["frame"] = json.loads(msgspec.json.encode(frame))

    try:
        made = forged(path.read_bytes(), change)
    except OverflowError:  # msgpack has no such numbers
        return
    other.write_bytes(made)
    look_at(other)
