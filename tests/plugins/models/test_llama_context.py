from __future__ import annotations

from types import SimpleNamespace

# Any: a file that was never loaded.
from typing import Any

import pytest

from batchtui.engine.errors import InputError
from batchtui.plugins.models.llama_context import LlamaContext, Size

FILE: Any = SimpleNamespace(cell_bytes=23_040)


def test_more_sequences_than_llama_cpp_has_are_refused() -> None:
    with pytest.raises(InputError, match=r"257 slots are more than llama\.cpp has: want 256 or"):
        LlamaContext(FILE, Size(257, 512, 257), 1)


def test_cells_that_the_machine_cannot_hold_are_refused_before_they_are_asked_for() -> None:
    file: Any = SimpleNamespace(cell_bytes=10**9)
    with pytest.raises(
        InputError, match=r"2 slots of 5000 tokens want 10240.0 GB of KV cache, and"
    ):
        LlamaContext(file, Size(2, 5000, 64), 1)
