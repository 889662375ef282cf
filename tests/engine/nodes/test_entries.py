"""What a recording of a search holds comes back from its lines as it was."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from tests.engine.nodes.film import Film, configured, films

from batchtui.engine.debugger.codec import ENCODER
from batchtui.engine.debugger.recording import Entry, turns_of
from batchtui.engine.machine import Aborted, Failure, Injected, Replied, Woken
from batchtui.engine.nodes import entries
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.probe import ProbeResult


@given(films())
def test_every_entry_of_a_search_comes_back_as_it_was(film: Film) -> None:
    film.run()
    written = [entry for record in film.records for entry in record.entries]
    for decoder in (entries.CODEC.whole, entries.CODEC.viewer):
        assert decoder.decode_lines(ENCODER.encode_lines(written)) == written


@given(films())
def test_turns_are_cut_where_they_were(film: Film) -> None:
    film.run()
    written = [entry for record in film.records for entry in record.entries]
    assert list(turns_of(written)) == film.records


@pytest.mark.parametrize(
    "input",
    [
        configured(3, strategy="anchor", exclude=[1, 2]),
        Injected(body="hang"),
        Aborted(target="7"),
        Woken(at=4),
        Replied(work=2, body=ProbeResult(verdict="fail", reason="exit_code", exit_codes=(0, 1))),
        Replied(work=2, body=Failure(kind="raise", detail="ValueError at probe.py:3")),
        Replied(work=2, body=ProbeResult(verdict="pass", busbw_gbs=3.5), final=False, late=True),
    ],
)
def test_every_input_comes_back_as_it_was(input: Entry) -> None:
    assert entries.DECODER.decode(ENCODER.encode(input)) == input


def test_every_event_has_its_place() -> None:
    assert set(get_args(said.EVENT)) <= set(get_args(entries.ENTRY))
