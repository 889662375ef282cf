"""The log: chunks are those of the timeline, nothing is overwritten, and a fault is told once."""

from __future__ import annotations

import gzip
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest
from tests.plugins.recordings.recorded import record

from batchtui.engine.debugger.codec import HEADER
from batchtui.engine.debugger.recording import Header, Turned
from batchtui.engine.debugger.timeline import Chunker
from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.recording import open_recording
from batchtui.plugins.runs import RunOptions, prepare
from batchtui.plugins.workloads import open_workload
from batchtui.tui.cli.record import recording_to

MADE = Header(
    system="batching",
    workload="w",
    backend="simulated",
    policy="fcfs",
    seed=0,
    real=False,
    texts="full",
    config={},
    eos_token_ids=[0],
)


def turned(step: int) -> Turned:
    return Turned(step=step, phase="admit", at=step, unit="batch")


def num_turns(path: Path) -> int:
    with closing(open_recording(path)) as opened:
        return opened.timeline.num_turns


def test_each_chunk_of_the_log_is_that_of_the_timeline(tmp_path: Path) -> None:
    made = record("demo", tmp_path)
    assert len(made.timeline._chunks) > 5
    for number, chunk in enumerate(made.timeline._chunks[:-1]):
        end = made.timeline._chunks[number + 1].turn
        records = made.timeline.records(chunk.turn, end)
        assert made.log.read(number) == [entry for each in records for entry in each.entries]
    made.log.close()


def test_what_is_not_yet_written_can_be_read(tmp_path: Path) -> None:
    log = FileLog.temporary(MADE)
    log.write([turned(0)])
    assert log.read(0) == [turned(0)]
    log.write([turned(1)])
    assert log.read(0) == [turned(0), turned(1)]
    log.close()


def test_a_chunk_is_whole_however_often_it_was_flushed(tmp_path: Path) -> None:
    log = FileLog.temporary(MADE)
    log._chunker = Chunker(3)
    for step in range(8):
        log.write([turned(step)])
        log.flush()
    assert [[each.at for each in log.read(n) if isinstance(each, Turned)] for n in range(3)] == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7],
    ]
    log.close()


def test_nothing_is_encoded_before_the_chunk_is_full(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    log = FileLog.create(path, MADE)
    log.write([turned(0)])
    assert len(path.read_bytes().splitlines()) == 1
    log.flush()
    assert len(path.read_bytes().splitlines()) == 2
    log.close()


def test_the_file_is_for_its_owner_alone_and_begins_with_the_header(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    FileLog.create(path, MADE).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert HEADER.decode(path.read_bytes()) == MADE


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_a_file_with_something_in_it_is_left_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"a letter")
    with pytest.raises(InputError, match=f"{name} exists: choose another name"):
        FileLog.create(path, MADE)
    assert path.read_bytes() == b"a letter"


def test_an_empty_file_is_taken_and_made_private(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.touch(0o644)
    FileLog.create(path, MADE).close()
    assert path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_device_and_a_place_that_is_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="null is not a regular file"):
        FileLog.create(Path("/dev/null"), MADE)
    with pytest.raises(InputError, match=r"r.jsonl cannot be written: no such file or directory"):
        FileLog.create(tmp_path / "no" / "r.jsonl", MADE)


def test_gz_packs_at_the_close_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl.gz"
    log = FileLog.create(path, MADE)
    log.write([turned(0)])
    log.flush()
    assert num_turns(tmp_path / "r.jsonl.gz.part") == 1
    log.close()
    log.close()
    assert [each.name for each in tmp_path.iterdir()] == ["r.jsonl.gz"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(gzip.decompress(path.read_bytes()).splitlines()) == 2


def test_a_temporary_recording_can_be_saved_while_it_goes_on(tmp_path: Path) -> None:
    log = FileLog.temporary(MADE)
    log.write([turned(0)])
    log.save_as(tmp_path / "one.jsonl")
    log.write([turned(1)])
    log.save_as(tmp_path / "two.jsonl.gz")
    with pytest.raises(InputError, match="exists"):
        log.save_as(tmp_path / "one.jsonl")
    log.close()
    assert [num_turns(tmp_path / name) for name in ("one.jsonl", "two.jsonl.gz")] == [1, 2]


class Full:
    """A file on a disk with room for so many bytes."""

    closed = False

    def __init__(self, room: int) -> None:
        self.data = bytearray()
        self.room = room
        self.at = 0

    def seek(self, at: int) -> None:
        self.at = at

    def write(self, data: memoryview) -> int:
        count = min(len(data), self.room - self.at)
        if not count:
            raise OSError(28, "No space left on device")
        self.data[self.at : self.at + count] = data[:count]
        self.at += count
        return count

    def close(self) -> None:
        self.closed = True


def test_a_full_disk_is_told_at_the_end_and_what_was_written_stays() -> None:
    file = Full(700)
    log = FileLog(file, MADE, None, None)  # type: ignore[arg-type]
    for step in range(20):
        log.write([turned(step)])
        log.flush()
    assert log.fault is not None
    assert len(file.data) == 700
    log.write([turned(20)])
    with pytest.raises(WorkError, match="cannot be written: no space left on device"):
        log.read(0)
    with pytest.raises(WorkError, match="cannot be written: no space left on device"):
        log.close()
    assert file.closed


def test_one_thread_reads_while_another_writes() -> None:
    log = FileLog.temporary(MADE)
    log._chunker = Chunker(10)
    done = threading.Event()

    def write() -> None:
        for step in range(3_000):
            log.write([turned(step)])
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    seen = 0
    while not done.is_set() or seen < 300:
        if len(log._starts) > seen + 1:
            expected = [turned(step) for step in range(10 * seen, 10 * seen + 10)]
            assert log.read(seen) == expected
            seen += 1
    thread.join()
    log.close()


def test_a_turn_that_was_broken_off_with_nothing_taken_leaves_nothing(tmp_path: Path) -> None:
    run = prepare(open_workload("demo"), RunOptions(), recorded=True)
    with recording_to(str(tmp_path / "r.rec"), run, RunOptions(), "full", "demo"):
        assert run.recorder is not None
        assert run.recorder.log is not None
        run.recorder.log.write([])
    with closing(open_recording(tmp_path / "r.rec")) as recording:
        assert recording.timeline.num_turns == 0
