"""The KV cells of llama.cpp for so many sequences, and one native call at a time.

Nothing here knows of rows or requests.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from batchtui.engine.errors import InputError
from batchtui.plugins.models.llama_file import LlamaFile

MAX_SEQUENCES = 256  # llama.cpp's LLAMA_MAX_SEQ
_MEMORY_SHARE = 0.8
_CONTEXT_STEP = 256  # llama.cpp rounds a sequence's context up to this, and what it looks back on


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
