"""llama.cpp behind cyllama: a model, its cells for so many sequences, one native call at a time.

cyllama has no types and two interfaces: up to 0.2.18 for Python 3.11, and a later one for newer
Pythons, of which we use what both have. Nothing here knows of rows or requests.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

# Any: the library is native and has no types.
from typing import Any, NamedTuple

from batchtui.engine.errors import InputError, PluginError
from batchtui.plugins.formats.lines import printable
from batchtui.plugins.models.gguf_vocabulary import SENTENCE_PIECE

MAX_SEQUENCES = 256  # llama.cpp's LLAMA_MAX_SEQ
_CELL_BYTES = 2  # half precision
_MEMORY_SHARE = 0.8
_CONTEXT_STEP = 256  # llama.cpp rounds a sequence's context up to this, and what it looks back on
_MOST_CORES = 8

_SPACED = "tokenizer.ggml.add_space_prefix"

_ENVIRONMENT = {
    # ggml answers an abort by starting a debugger, which takes seconds and writes on the terminal.
    "GGML_NO_BACKTRACE": "1",
    # A thread that waits for the others sleeps after some 30 us of spinning. By OpenMP's default it
    # spins on, and where anybody else wants a core a call takes up to thirty times as long.
    "GOMP_SPINCOUNT": "10000",
}


class Size(NamedTuple):
    """How much a context may hold.

    ``num_sequences`` of ``context_len`` tokens each, at most ``batch_len`` tokens in one call.
    """

    num_sequences: int
    context_len: int
    batch_len: int


class Given(NamedTuple):
    """One token of a call: which, where, in whose sequence, and whether its output is wanted."""

    token: int
    position: int
    sequence: int
    wanted: bool


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


def num_cores() -> int:
    """The cores that we may use, up to eight: beyond that threads wait for each other."""
    mine = getattr(os, "sched_getaffinity", None)  # not everywhere
    return min(_MOST_CORES, len(mine(0)) if mine else os.cpu_count() or 1)


class LlamaFile:
    """A GGUF file, loaded.

    Raises:
        PluginError: cyllama is missing, it cannot load the file, or the model is none whose cells
            can be cut and copied.
    """

    def __init__(self, path: Path) -> None:
        self.library = library()
        params = self.library.LlamaModelParams()
        params.n_gpu_layers = 0  # whose kernels would sum in another order for each batch
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


class LlamaContext:
    """The KV cells of ``size.num_sequences`` sequences, each with its own: with cells in common,
    the order in which they are found would change a sequence's sums.

    Args:
        file: the model.
        size: what is to be held.
        num_threads: native threads of a call.
        embeds: whether the hidden states are kept instead of logits.

    Raises:
        InputError: it is more than llama.cpp or the machine can hold.
    """

    def __init__(
        self, file: LlamaFile, size: Size, num_threads: int, *, embeds: bool = False
    ) -> None:
        _check_size(file, size)
        library = file.library
        params = library.LlamaContextParams()
        params.n_seq_max = size.num_sequences
        params.n_ctx = size.num_sequences * size.context_len
        params.n_batch = params.n_ubatch = size.batch_len
        params.n_threads = params.n_threads_batch = num_threads
        params.kv_unified = False
        params.no_perf = True
        params.embeddings = embeds
        params.pooling_type = 0  # none
        self.native = library.LlamaContext(file.native, params)
        self.native.install_cancel_callback()
        self._num_threads = self._num_alone = num_threads
        self._batch = library.LlamaBatch(n_tokens=size.batch_len, embd=0, n_seq_max=1)

    @property
    def num_cells(self) -> int:
        """How many tokens can be held in all."""
        return int(self.native.n_ctx)

    def decode(self, tokens: Iterable[Given]) -> None:
        """One call for all of these tokens, of any sequences.

        Raises:
            InterruptedError: ``interrupt`` was called.
            ValueError or RuntimeError: llama.cpp refused; what the cells hold is not known.
        """
        batch, longest = self._batch, 0
        batch.clear()
        for token, position, sequence, wanted in tokens:
            batch.add(token, position, [sequence], wanted)
            longest = max(longest, position)
        self._share_out(longest)
        self.native.decode(batch)

    def _share_out(self, longest: int) -> None:
        """Keep a long row's sums what they are in company.

        A token that is computed alone, as a lone row's is, or one's whose neighbours have no rows,
        looks back on more than 256 others in as many parts as there are threads. More tokens than
        one are not cut up, so nobody else need be slower.
        """
        num_alone = 1 if longest >= _CONTEXT_STEP - 1 else self._num_threads
        if num_alone != self._num_alone:
            self.native.set_n_threads(num_alone, self._num_threads)
            self._num_alone = num_alone

    def cut(self, sequence: int, length: int) -> None:
        """Remove what a sequence holds from this position on."""
        self.native.memory_seq_rm(sequence, length, -1)

    def copy(self, source: int, target: int, length: int) -> None:
        """Give a sequence the first tokens of another one.

        A copy of a part aborts the process, so all is copied and the tail removed.
        """
        self.cut(target, 0)
        self.native.memory_seq_cp(source, target, -1, -1)
        self.cut(target, length)

    def logits(self, output: int) -> list[float]:
        """The logits of the n-th token of the last call."""
        values: list[float] = self.native.get_logits_ith(output)
        return values

    def hidden_state(self, output: int) -> Sequence[float]:
        """The last hidden state of the n-th token of the last call, where ``embeds``."""
        values: list[float] = self.native.get_embeddings_ith(output)
        return values

    def interrupt(self) -> None:
        """End the call that is running, from any thread, and every later one."""
        self.native.cancel = True

    def close(self) -> None:
        """Give the cells back."""
        self._batch.close()
        self.native.close()


def _check_size(file: LlamaFile, size: Size) -> None:
    if size.num_sequences > MAX_SEQUENCES:
        raise InputError(
            f"{size.num_sequences} slots are more than llama.cpp has: want {MAX_SEQUENCES} or fewer"
        )
    length = -(-size.context_len // _CONTEXT_STEP) * _CONTEXT_STEP
    wanted = size.num_sequences * length * file.cell_bytes
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if wanted > there * _MEMORY_SHARE:
        raise InputError(
            f"{size.num_sequences} slots of {size.context_len} tokens want {wanted / 1e9:.1f} GB "
            f"of KV cache, and this machine has {there / 1e9:.1f} GB: "
            "want fewer --slots or a smaller --max-model-len"
        )


def _with_n_vocab(model: Any) -> Any:
    """cyllama 0.2.18 asks a model for its ``n_vocab`` when it reads logits, and it has none."""
    if hasattr(model, "n_vocab"):
        return model
    return type("Model", (model,), {"n_vocab": property(lambda self: self.get_vocab().n_vocab)})
