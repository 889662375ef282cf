"""A machine that is given what was recorded decides the same, or the first difference is told."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from tests.engine.debugger.runs import CONFIG, run

from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.events import RequestAdmitted
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.vocabulary import RecalledVocabulary
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.debugger.replay import Replay, Replayed, shown
from batchtui.engine.machine import Replied


def replayed(turns: list[TurnRecord]) -> Replayed:
    vocabulary = RecalledVocabulary([0])
    return Replay(Decoder(CONFIG, vocabulary, Fcfs()), vocabulary).verify(turns)


def changed(change: Callable[[Entry], Entry | None]) -> list[TurnRecord]:
    """The run, with every entry changed or, where that is None, taken out."""
    turns = []
    for record in run().watched:
        kept = [made for entry in record.entries if (made := change(entry)) is not None]
        turns.append(record._replace(entries=kept))
    return turns


def test_it_decides_the_same() -> None:
    turns = run().watched
    assert replayed(turns) == Replayed(len(turns), sum(len(turn.events) for turn in turns))


def test_an_event_that_was_changed_is_told_with_its_fields() -> None:
    def change(entry: Entry) -> Entry:
        if isinstance(entry, RequestAdmitted) and entry.request_id == "r1":
            return msgspec.structs.replace(entry, slot=7, blocks=9)
        return entry

    difference = replayed(changed(change)).difference
    assert difference is not None
    assert (difference.turn, difference.step, difference.phase) == (1, 0, "admit")
    assert difference.fields == ("slot", "blocks")
    assert difference.recorded is not None
    assert difference.came is not None
    assert (shown(difference.recorded, "slot"), shown(difference.came, "slot")) == ("7", "1")


def test_an_event_that_is_not_there_is_told_as_what_came() -> None:
    def change(entry: Entry) -> Entry | None:
        is_last = isinstance(entry, RequestAdmitted) and entry.request_id == "r1"
        return None if is_last else entry

    difference = replayed(changed(change)).difference
    assert difference is not None
    assert isinstance(difference.came, RequestAdmitted)
    assert type(difference.recorded) is not RequestAdmitted


def test_a_reply_that_is_not_there_leaves_the_machine_waiting() -> None:
    difference = replayed(changed(lambda e: None if isinstance(e, Replied) else e)).difference
    assert difference is not None
    assert difference.why == "the machine is waiting and would make no turn"
    assert difference.phase == "apply"


def test_a_turn_that_was_left_out_is_told() -> None:
    turns = run().watched
    difference = replayed([*turns[:1], *turns[2:]]).difference
    assert difference is not None
    assert difference.turn == 2
    assert difference.why


def test_a_machine_that_raises_is_told_by_type_and_place() -> None:
    class Deaf(RecalledVocabulary):
        def token_bytes(self, token: int) -> bytes:
            raise MemoryError("my secret")

    vocabulary = Deaf([0])
    machine = Decoder(CONFIG, vocabulary, Fcfs())
    difference = Replay(machine, vocabulary).verify(run().watched).difference
    assert difference is not None
    assert "secret" not in str(difference)
