"""Vectors of texts: the mean of a model's last hidden states, after its last norm.

In a context of its own, made when the first text comes, so that the slots' cells are left alone.
"""

from __future__ import annotations

from itertools import zip_longest

from batchtui.plugins.models.gguf_vocabulary import GgufVocabulary
from batchtui.plugins.models.llama_context import Given, LlamaContext, Size
from batchtui.plugins.models.llama_file import LlamaFile
from batchtui.plugins.models.prefix_cache import BLOCK_SIZE


class LlamaEmbedding:
    """Embeds texts with a loaded model.

    Args:
        file: the model.
        vocabulary: its tokens.
        max_len: the most tokens of a text.
        num_threads: native threads of a call.
    """

    def __init__(
        self, file: LlamaFile, vocabulary: GgufVocabulary, max_len: int, num_threads: int
    ) -> None:
        self._file = file
        self._vocabulary = vocabulary
        self._max_len = max_len
        self._num_threads = num_threads
        self._context: LlamaContext | None = None

    def embed(self, text: str) -> list[float]:
        """One text's vector, not normalised.

        Raises:
            ValueError: the text has no tokens, or too many.
        """
        tokens = self._vocabulary.encode(text)
        if not 0 < len(tokens) <= self._max_len:
            raise ValueError(f"the text has {len(tokens)} tokens: want 1 to {self._max_len}")
        context = self._open()
        context.cut(0, 0)
        total: list[float] = []
        for first in range(0, len(tokens), BLOCK_SIZE):
            block = tokens[first : first + BLOCK_SIZE]
            context.decode(Given(token, first + at, 0, True) for at, token in enumerate(block))
            states = [context.hidden_state(at) for at in range(len(block))]
            sums = map(sum, zip(*states, strict=True))
            total = [sum(pair) for pair in zip_longest(total, sums, fillvalue=0.0)]
        return [each / len(tokens) for each in total]

    def interrupt(self) -> None:
        """End the call that is running, and every later one."""
        if self._context is not None:
            self._context.interrupt()

    def close(self) -> None:
        """Give the context back."""
        if self._context is not None:
            self._context.close()

    def _open(self) -> LlamaContext:
        if self._context is None:
            size = Size(1, self._max_len, BLOCK_SIZE)
            self._context = LlamaContext(self._file, size, self._num_threads, embeds=True)
        return self._context
