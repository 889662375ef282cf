"""Entries are cut into the turns that they were made in, and come back from their lines."""

from __future__ import annotations

import pytest
from tests.engine.debugger.runs import run

from batchtui.engine.batching.entries import DECODER
from batchtui.engine.batching.events import FaultInjected
from batchtui.engine.debugger.codec import ENCODER
from batchtui.engine.debugger.recording import Entry, Turned, turns_of
from batchtui.engine.machine import Woken


def event(step: int, phase: str = "admit", unit: str = "batch") -> FaultInjected:
    return FaultInjected(seq=0, step=step, phase=phase, at=step, unit=unit, kind="raise")


def turned(step: int) -> Turned:
    return Turned(step=step, phase="admit", at=step, unit="batch")


def cut(*entries: Entry, is_whole: bool = True) -> list[int]:
    """How many entries each turn has."""
    return [len(turn.entries) for turn in turns_of(entries, lambda: is_whole)]


def test_a_run_is_cut_as_it_was_made() -> None:
    log, watched = run()
    assert list(turns_of(log.entries)) == watched
    assert [turn.entries for turn in watched] == log.turns


def test_entries_come_back_from_their_lines() -> None:
    log, watched = run()
    again = DECODER.decode_lines(ENCODER.encode_lines(log.entries))
    assert again == log.entries
    assert list(turns_of(again)) == watched


def test_another_place_or_an_input_begins_a_turn() -> None:
    assert cut(event(0), event(0), event(1)) == [2, 1]
    assert cut(event(0), event(0, "call")) == [1, 1]
    assert cut(event(0), event(0, unit="other")) == [1, 1]
    assert cut(event(0), Woken(), event(0)) == [1, 2]


def test_nothing_decided_is_a_turn_too() -> None:
    assert cut(turned(0), turned(0), Woken(), turned(0), event(0)) == [1, 1, 2, 1]


def test_inputs_that_nobody_has_decided_upon_are_no_turn() -> None:
    assert cut(event(0), Woken(), Woken()) == [1]
    assert cut(Woken()) == []


@pytest.mark.parametrize(("is_whole", "turns"), [(True, [1, 1]), (False, [1])])
def test_the_last_turn_is_left_out_where_more_may_be_missing(
    is_whole: bool, turns: list[int]
) -> None:
    assert cut(event(0), event(1), is_whole=is_whole) == turns
    assert cut(event(0), turned(1), is_whole=is_whole) == [1, 1]
    assert cut(event(0), event(1), Woken(), is_whole=is_whole) == [1, 1]
