"""What a session recorded, saved and opened again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from batchtui.engine.machine import Input
from batchtui.plugins.recordings.again import verify
from batchtui.plugins.recordings.recording import open_recording
from batchtui.tui.session import Session


def encoded(view: object) -> bytes:
    return msgspec.json.encode(view)


def save(session: Session[Any], path: Path) -> Path:
    assert session.log is not None
    session.log.save_as(path)
    return path


def assert_replays(path: Path) -> None:
    """``replay --verify`` holds."""
    with closing(open_recording(path)) as recording:
        replayed = verify(recording)
        assert replayed.difference is None
        assert replayed.num_turns == recording.timeline.num_turns > 0


def by_hand(session: Session[Any]) -> list[Input]:
    """What a person did, as it is recorded."""
    records = session.debugger.timeline.records()
    return [input for record in records for input in record.inputs if input.by_hand]


def walk_back(session: Session[Any]) -> dict[int, bytes]:
    """Go back to the beginning; the view of every moment on the way."""
    debugger = session.debugger
    seen = {debugger.cursor.turn: encoded(session.view)}
    while debugger.back_phase():
        seen[debugger.cursor.turn] = encoded(session.view)
    return seen


def run_on(session: Session[Any]) -> dict[int, bytes]:
    """Run to the end; the view of every moment on the way."""
    seen = {session.debugger.cursor.turn: encoded(session.view)}
    while session.advance_phase():
        seen[session.debugger.cursor.turn] = encoded(session.view)
    return seen
