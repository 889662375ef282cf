"""A small run that is recorded: two slots, a chat, an abort, a call that fails."""

from __future__ import annotations

from typing import NamedTuple

from tests.engine.batching.table import Letters, letters, request

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.vocabulary import HeardVocabulary
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.machine import Aborted, Failure, Replied, Submitted
from batchtui.engine.model import Reply

CONFIG = BatchingConfig(max_num_seqs=2)


class Kept:
    """A log in memory: what was written, turn by turn, and how much of it is safe."""

    def __init__(self) -> None:
        self.turns: list[list[Entry]] = []
        self.num_safe = 0

    @property
    def entries(self) -> list[Entry]:
        return [entry for turn in self.turns for entry in turn]

    def write(self, entries: list[Entry]) -> None:
        self.turns.append(entries)

    def flush(self) -> None:
        self.num_safe = len(self.turns)


class Made(NamedTuple):
    """What a run came to."""

    log: Kept
    watched: list[TurnRecord]


def recorder(log: Kept, watched: list[TurnRecord]) -> Recorder:
    vocabulary = HeardVocabulary(Letters())
    made = Recorder(Decoder(CONFIG, vocabulary, Fcfs()), log, watch=watched.append)
    vocabulary.note = made.note
    return made


def run() -> Made:
    made = Made(Kept(), [])
    machine = recorder(*made)
    for index, text in enumerate(("abc", "de", "f")):
        stop = ("zz", "y")
        machine.take(
            Submitted(body=request(f"r{index}", index=index, prompt=text, stop=stop, max_tokens=6))
        )
    now, num_calls = 0, 0
    while machine.status != "done":
        now += 10
        turn = machine.turn(now)
        for work in turn.start:
            num_calls += 1
            if num_calls == 3:
                machine.take(Aborted(target="r2"))
            if num_calls == 2:
                machine.take(Replied(work=work.id, body=Failure(kind="raise")))
                continue
            keys = list(work.spec.keys)
            tokens = [letters("z" if num_calls % 4 == 0 else "a") for _ in keys]
            machine.take(Replied(work=work.id, body=Reply(keys, tokens)))
    machine.flush()
    return made
