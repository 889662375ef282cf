"""A GGUF file loaded by llama.cpp, through cyllama: what a model is before anything runs.

cyllama has no types and two interfaces: up to 0.2.18 for Python 3.11, and a later one for newer
Pythons, of which we use what both have.
"""

from __future__ import annotations

import os
from pathlib import Path

# Any: the library is native and has no types.
from typing import Any

from batchtui.engine.errors import PluginError
from batchtui.plugins.formats.lines import printable
from batchtui.plugins.models.gguf_vocabulary import SENTENCE_PIECE

_CELL_BYTES = 2  # half precision
_SPACED = "tokenizer.ggml.add_space_prefix"

_ENVIRONMENT = {
    # ggml answers an abort by starting a debugger, which takes seconds and writes on the terminal.
    "GGML_NO_BACKTRACE": "1",
    # A thread that waits for the others sleeps after some 30 us of spinning. By OpenMP's default it
    # spins on, and where anybody else wants a core a call takes many times as long.
    "GOMP_SPINCOUNT": "10000",
}


def library() -> Any:
    """The native module.

    Raises:
        PluginError: it is not installed.
    """
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        from cyllama.llama import llama_cpp  # noqa: PLC0415 - of the extra
    except ImportError as error:
        raise PluginError(
            f"the llama backend needs cyllama ({type(error).__name__}): "
            "pip install 'batchtui[llama]'"
        ) from error
    llama_cpp.disable_logging()  # it writes to file descriptor 2
    return llama_cpp


class LlamaFile:
    """A GGUF file, loaded.

    Raises:
        PluginError: cyllama is missing, it cannot load the file, or the model is none whose cells
            can be cut and copied.
    """

    def __init__(self, path: Path) -> None:
        self.library = library()
        params = self.library.LlamaModelParams()
        # On a GPU, and with weights packed anew for a CPU, a row is summed in another order where
        # four or more are computed at once.
        params.n_gpu_layers = 0
        params.use_extra_bufts = False
        try:
            self.native = _with_n_vocab(self.library.LlamaModel)(str(path), params)
        except (ValueError, RuntimeError, OSError) as error:
            raise PluginError(
                f"{printable(str(path), 400)} is not loaded by llama.cpp ({type(error).__name__}): "
                "want a whole GGUF model; a known one is had anew by `batchtui models fetch NAME`"
            ) from error
        self.vocabulary = self.native.get_vocab()
        if fault := self._fault():
            self.native.close()
            raise PluginError(f"{printable(str(path), 400)} {fault}")

    def _fault(self) -> str:
        """Why a model cannot be run here; "" if it can."""
        native = self.native
        if native.is_recurrent() or native.is_hybrid() or native.has_encoder():
            return "is recurrent or has an encoder: want a decoder of attention layers alone"
        if self.vocabulary.vocab_type == SENTENCE_PIECE and self._said(_SPACED) != "false":
            return (
                "has a vocabulary that puts a space before every text: want byte-level BPE, or "
                "SentencePiece without add_space_prefix"
            )
        return ""

    def _said(self, key: str) -> str | None:
        """What the file's metadata say; None where they do not."""
        try:
            return str(self.native.meta_val_str(key))
        except ValueError:
            return None

    @property
    def max_context_len(self) -> int:
        """The longest prefix that the model was trained on."""
        return int(self.native.n_ctx_train)

    @property
    def cell_bytes(self) -> int:
        """What one token of context takes: a key and a value for each layer and KV head."""
        model, architecture = self.native, self._said("general.architecture")
        heads = [
            int(self._said(f"{architecture}.attention.{name}") or model.n_embd // model.n_head)
            for name in ("key_length", "value_length")
        ]
        return int(sum(heads) * model.n_head_kv * model.n_layer * _CELL_BYTES)

    @property
    def template(self) -> str | None:
        """The chat template, if it has one."""
        return self.native.get_default_chat_template() or None

    @property
    def num_tokens(self) -> int:
        """The size of the vocabulary."""
        return int(self.vocabulary.n_vocab)

    @property
    def start_token(self) -> int:
        """What a text without a beginning begins with: BOS, or EOS where there is none."""
        bos = int(self.vocabulary.token_bos())
        return bos if bos >= 0 else int(self.vocabulary.token_eos())

    def text(self, token: int) -> str:
        """A token as it is spelled; "" for none."""
        return str(self.vocabulary.get_text(token)) if token >= 0 else ""

    def close(self) -> None:
        """Give the weights back."""
        self.native.close()


def _with_n_vocab(model: Any) -> Any:
    """cyllama 0.2.18 asks a model for its ``n_vocab`` when it reads logits, and it has none."""
    if hasattr(model, "n_vocab"):
        return model
    return type("Model", (model,), {"n_vocab": property(lambda self: self.get_vocab().n_vocab)})
