from __future__ import annotations

from pathlib import Path

# Any: stand-ins for an engine and a loop over a native library.
from typing import Any

import pytest

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.benches import llama


class Steps:
    """Counts its steps; has given these tokens to its only sequence."""

    def __init__(self, tokens: list[int]) -> None:
        self.num_steps = 0
        self.sequences = [[1, 2, *tokens]]
        self.results = {0: tokens}

    def step(self) -> None:
        self.num_steps += 1


def test_both_make_every_step() -> None:
    engine: Any = Steps([7])
    bare: Any = Steps([7])
    found = llama._round(engine, bare, [[1, 2]])
    assert engine.num_steps == bare.num_steps == llama.OUTPUT_LEN
    assert found.engine_s > 0 and found.bare_s > 0


def test_a_ratio_of_different_works_is_none() -> None:
    engine: Any = Steps([7])
    bare: Any = Steps([8])
    with pytest.raises(WorkError, match="sequence 0 different tokens"):
        llama._round(engine, bare, [[1, 2]])


def test_a_file_is_refused() -> None:
    with pytest.raises(InputError, match="reads no file"):
        llama.run("x.jsonl", None)


def test_without_weights_it_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="batchtui models fetch smollm2"):
        llama.run(None, None)
