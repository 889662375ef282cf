from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

# Any: stands for a model of a library without types.
from typing import Any

import pytest

from batchtui.engine.errors import PluginError
from batchtui.plugins.models import llama_file
from batchtui.plugins.models.gguf_vocabulary import BYTE_LEVEL, SENTENCE_PIECE
from batchtui.plugins.models.llama_file import LlamaFile


class Native:
    """A model that is what its fields say."""

    n_vocab = 1
    n_layer, n_head, n_head_kv, n_embd = 3, 8, 2, 64
    kind = ""
    vocab_type = BYTE_LEVEL
    said: dict[str, str] = {}  # noqa: RUF012 - replaced, never changed

    def __init__(self, path: str, params: object) -> None:
        self.is_closed = False

    def get_vocab(self) -> Any:
        return SimpleNamespace(vocab_type=self.vocab_type)

    def meta_val_str(self, key: str) -> str:
        if key not in self.said:
            raise ValueError(key)
        return self.said[key]

    def is_recurrent(self) -> bool:
        return self.kind == "recurrent"

    def is_hybrid(self) -> bool:
        return self.kind == "hybrid"

    def has_encoder(self) -> bool:
        return self.kind == "encoder"

    def close(self) -> None:
        self.is_closed = True


def opened(monkeypatch: pytest.MonkeyPatch, **fields: object) -> LlamaFile:
    model = type("Model", (Native,), fields)
    native = SimpleNamespace(LlamaModelParams=SimpleNamespace, LlamaModel=model)
    monkeypatch.setattr(llama_file, "library", lambda: native)
    return LlamaFile(Path("x.gguf"))


@pytest.mark.parametrize("kind", ["recurrent", "hybrid", "encoder"])
def test_a_model_whose_cells_cannot_be_cut_is_refused(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    with pytest.raises(
        PluginError, match=r"^x\.gguf is recurrent or has an encoder: want a decoder"
    ):
        opened(monkeypatch, kind=kind)


@pytest.mark.parametrize("said", [{}, {"tokenizer.ggml.add_space_prefix": "true"}])
def test_a_vocabulary_that_puts_a_space_before_every_text_is_refused(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, str]
) -> None:
    with pytest.raises(PluginError, match="puts a space before every text"):
        opened(monkeypatch, vocab_type=SENTENCE_PIECE, said=said)


def test_one_that_puts_none_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"tokenizer.ggml.add_space_prefix": "false"}
    assert opened(monkeypatch, vocab_type=SENTENCE_PIECE, said=said).cell_bytes


def test_a_cell_is_as_wide_as_the_file_says_or_else_as_a_head(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert opened(monkeypatch).cell_bytes == 2 * (8 + 8) * 2 * 3
    said = {
        "general.architecture": "llama",
        "llama.attention.key_length": "32",
        "llama.attention.value_length": "16",
    }
    assert opened(monkeypatch, said=said).cell_bytes == 2 * (32 + 16) * 2 * 3


def test_of_a_file_that_does_not_load_it_is_said_how_a_known_one_is_had_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(self: object, path: str, params: object) -> None:
        raise ValueError(path)

    with pytest.raises(
        PluginError, match=r"^x\.gguf is not loaded .* `batchtui models fetch NAME`"
    ):
        opened(monkeypatch, __init__=fail)
