"""A second system that can be recorded: tests of pairs of nodes, without index and vocabulary."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import cast

import msgspec
import pytest
from tests.engine.machines.pairs import NodeJudged, PairTests

from batchtui.engine.debugger.codec import Codec
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import Entry, Header, Passed, Turned, TurnRecord
from batchtui.engine.debugger.replay import Replay
from batchtui.engine.debugger.timeline import MAX_CHUNK, Chunker, Timeline
from batchtui.engine.machine import Event, Failure, Input, Replied, Submitted, Work
from batchtui.engine.simulate import Simulation, TimedFeed
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.system import System
from batchtui.plugins.recordings.systems import SYSTEMS

BAD = "n3"
TEST_US = 100


class PairsView(msgspec.Struct):
    """Who was judged, and where the run is."""

    verdicts: dict[str, str] = {}
    step: int = 0
    phase: str = ""
    now: int = 0

    def fold(self, event: Event) -> None:
        assert isinstance(event, NodeJudged)
        self.verdicts[event.node] = event.verdict
        self.reach(event.step, event.phase, event.at)

    def reach(self, step: int, phase: str, now: int) -> None:
        self.step, self.phase, self.now = step, phase, now


class PairsHistory:
    """Remembers how many steps there were, and has no index by which it could leap."""

    def __init__(self) -> None:
        self.num_steps = 0

    def empty(self) -> PairsView:
        return PairsView()

    def note(self, record: TurnRecord, turn: int, view: PairsView) -> None:
        self.num_steps = record.step + 1

    def weigh(self, record: TurnRecord) -> int:
        return len(record.entries)

    def ribbon(self, steps: slice) -> str:
        return "." * len(range(self.num_steps)[steps])

    def freeze(self, view: PairsView) -> bytes:
        return msgspec.json.encode(view)

    def thaw(self, keyframe: bytes, turn: int) -> PairsView:
        return msgspec.json.decode(keyframe, type=PairsView)


_ENTRY = Submitted[list[str]] | Replied[bool | Failure] | NodeJudged | Turned | Passed
_DECODER = msgspec.json.Decoder(cast(type[Entry], _ENTRY))

PAIRS = System(
    name="pairs",
    phases=PairTests.phases,
    codec=Codec(_DECODER, _DECODER),
    begun=lambda header, where: PairsHistory(),
    replay=lambda header: Replay(PairTests(header.config["unit"])),
)

HEADER = Header(system="pairs", workload="cluster", seed=0, real=False, config={"unit": "nodes"})


def know_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recordings of pairs can be written and read for the length of a test."""
    monkeypatch.setitem(SYSTEMS, "pairs", lambda: PAIRS)


def record_pairs(path: Path, count: int = 8) -> list[bytes]:
    """Record a run to a file, with keyframes; every view of it, encoded."""

    def perform(work: Work) -> list[tuple[int, Input]]:
        return [(TEST_US * work.id, Replied(work=work.id, body=BAD not in work.spec))]

    with closing(FileLog.create(path, HEADER)) as log:
        timeline = Timeline(PairsHistory(), log, Chunker(MAX_CHUNK), log.index)
        seen = [msgspec.json.encode(timeline.view)]

        def watch(turn: TurnRecord) -> None:
            timeline.add(turn)
            seen.append(msgspec.json.encode(timeline.view))

        nodes = Submitted(body=[f"n{number}" for number in range(count)])
        machine = Recorder(PairTests(), log, watch=watch)
        for _ in Simulation(machine, perform, TimedFeed([nodes])):
            pass
    return seen
