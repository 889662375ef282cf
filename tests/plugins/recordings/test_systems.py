"""The systems that are known: each by its name, and no other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.plugins.recordings.pairs import HEADER

from batchtui.engine.debugger.codec import ENCODER
from batchtui.engine.errors import InputError
from batchtui.plugins.recordings.recording import open_recording
from batchtui.plugins.recordings.systems import SYSTEMS, system_named


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_is_found_by_its_own_name(name: str) -> None:
    assert system_named(name, "here").name == name


def test_a_recording_of_a_system_that_is_not_known_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(ENCODER.encode(HEADER) + b"\n")
    with pytest.raises(InputError) as refused:
        open_recording(path)
    assert str(refused.value) == (
        "a.jsonl line 1: a recording of the system 'pairs': "
        f"this batchtui knows {', '.join(sorted(SYSTEMS))}; install a newer one"
    )


def test_it_is_refused_by_name_whatever_else_its_header_has(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    said = {"type": "Recording", "version": 1, "system": "tides\n\x1b[2J", "moon": 3}
    path.write_text(json.dumps(said) + "\n")
    with pytest.raises(InputError, match="a recording of the system 'tides") as refused:
        open_recording(path)
    assert str(refused.value).isprintable()
