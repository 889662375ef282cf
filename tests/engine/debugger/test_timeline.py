"""Any moment of a run can be looked at: it is what the live view was then."""

from __future__ import annotations

import msgspec
import pytest
from tests.engine.debugger.runs import CONFIG, run

from batchtui.engine.batching.entries import DECODER
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.codec import ENCODER
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.debugger.timeline import MAX_READ, Chunker, Timeline


class Chunks:
    """Chunks as lines."""

    def __init__(self, most: int) -> None:
        self.chunker = Chunker(most)
        self.lines = [b""]
        self.num_read = 0

    def add(self, record: TurnRecord, weight: int) -> None:
        self.lines[-1] += ENCODER.encode_lines(record.entries)
        if self.chunker.add(weight):
            self.lines.append(b"")

    def read(self, chunk: int) -> list[Entry]:
        self.num_read += 1
        return DECODER.decode_lines(self.lines[chunk])


def timeline_of(most: int) -> tuple[Timeline[BatchView], list[bytes], Chunks]:
    history, chunks = BatchHistory(CONFIG.max_num_seqs, None, Fcfs()), Chunks(most)
    timeline = Timeline(history, chunks, Chunker(most))
    seen = [msgspec.json.encode(timeline.view)]
    for record in run().watched:
        chunks.add(record, history.weigh(record))
        timeline.add(record)
        seen.append(msgspec.json.encode(timeline.view))
    return timeline, seen, chunks


@pytest.mark.parametrize("most", [1, 2, 5, 17, 1000])
def test_every_moment_is_there_again(most: int) -> None:
    timeline, seen, _ = timeline_of(most)
    for turn in [*range(len(seen)), *reversed(range(len(seen)))]:
        assert msgspec.json.encode(timeline.view_at(turn)) == seen[turn]
    assert list(timeline.records()) == run().watched
    assert timeline.view_at(timeline.num_turns + 5) is timeline.view


def test_a_view_of_the_past_is_the_callers_own() -> None:
    timeline, seen, _ = timeline_of(5)
    timeline.view_at(3).slots.clear()
    assert msgspec.json.encode(timeline.view_at(3)) == seen[3]


@pytest.mark.parametrize("most", [1, 5, 1000])
def test_a_step_is_found_by_its_last_turn(most: int) -> None:
    timeline, _, _ = timeline_of(most)
    steps = [record.step for record in timeline.records()]
    assert timeline.step == steps[-1] > 2
    for step in range(steps[-1] + 1):
        turn = timeline.turn_at_step(step)
        assert steps[turn - 1] == step
        assert turn == len(steps) or steps[turn] > step
    assert timeline.turn_at_step(-1) == 0
    assert timeline.turn_at_step(99) == timeline.num_turns


def test_records_are_those_between_two_moments() -> None:
    timeline, _, _ = timeline_of(5)
    every = list(timeline.records())
    assert list(timeline.records(2, 7)) == every[2:7]
    assert [timeline.record(turn + 1) for turn in range(len(every))] == every


def test_chunks_stand_one_after_the_other() -> None:
    timeline, _, chunks = timeline_of(5)
    begin, bounds = 0, []
    while begin < timeline.num_turns:
        bounds.append(timeline.chunk_bounds(begin + 1))
        assert bounds[-1][0] == begin
        begin = bounds[-1][1]
    assert len(bounds) == len([lines for lines in chunks.lines if lines])


def test_a_chunk_is_read_once_while_it_is_wanted_and_again_when_it_was_forgotten() -> None:
    timeline, _, chunks = timeline_of(5)
    for _ in range(3):
        timeline.record(1)
    assert chunks.num_read == 1
    timeline.forget()
    timeline.record(1)
    assert chunks.num_read == 2
    list(timeline.records())
    assert len(timeline._read) <= MAX_READ


def test_a_chunk_is_full_with_the_turn_that_brings_it_there() -> None:
    chunker = Chunker(10)
    assert [chunker.add(weight) for weight in (4, 5, 1, 9, 50, 10)] == [
        False,
        False,
        True,
        False,
        True,
        True,
    ]
