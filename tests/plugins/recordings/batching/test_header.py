"""The header of batching: what it must say for a machine to be made of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.plugins.recordings.recorded import record

from batchtui.engine.errors import BatchtuiError
from batchtui.plugins.recordings.recording import open_recording


@pytest.mark.parametrize("field", ["policy", "config", "workload"])
def test_a_header_without_what_batching_wants_is_refused(tmp_path: Path, field: str) -> None:
    made = record("demo", tmp_path)
    made.log.close()
    first, rest = made.path.read_bytes().split(b"\n", 1)
    header = {key: value for key, value in json.loads(first).items() if key != field}
    made.path.write_bytes(json.dumps(header).encode() + b"\n" + rest)
    with pytest.raises(BatchtuiError) as refused:
        open_recording(made.path)
    assert refused.value.exit_code == 2
    assert field in str(refused.value)


def test_all_that_is_said_is_written_whatever_has_a_default(tmp_path: Path) -> None:
    made = record("demo", tmp_path)
    made.log.close()
    header = json.loads(made.path.read_bytes().split(b"\n", 1)[0])
    assert list(header) == [
        "type",
        "version",
        "system",
        "workload",
        "backend",
        "policy",
        "seed",
        "real",
        "texts",
        "config",
        "eos_token_ids",
        "command",
        "versions",
        "world",
    ]
