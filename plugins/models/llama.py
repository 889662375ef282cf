"""A real language model in the slots: GGUF weights run by llama.cpp, in process, through cyllama.

Each slot is a sequence of llama.cpp with its own KV cells. A call first brings every row's cells up
to all but the last token of its prefix, a newcomer's in calls of its own, then gives every row's
last token in one ``decode()``. So a row gets the tokens that it would get alone, whoever joins or
leaves: ``prefix_cache.py`` has the rule, the test marked ``llama`` proves it.

Cells are found by what they hold, so a reply that was dropped, a batch that was halved or a slot
that changed hands needs no word from the engine.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from batchtui.engine.batching.request import TokenLogprob
from batchtui.engine.errors import InputError
from batchtui.engine.model import Reply, Row
from batchtui.plugins.cores import num_cores
from batchtui.plugins.models.arguments import read_arguments
from batchtui.plugins.models.chat_template import ChatTemplate
from batchtui.plugins.models.factory import ModelOptions
from batchtui.plugins.models.gguf_vocabulary import GgufVocabulary
from batchtui.plugins.models.llama_cells import LlamaCells, RowTokens
from batchtui.plugins.models.llama_context import LlamaContext, Size
from batchtui.plugins.models.llama_embedding import LlamaEmbedding
from batchtui.plugins.models.llama_file import LlamaFile
from batchtui.plugins.models.ngram import corpus_paragraphs
from batchtui.plugins.models.prefix_cache import BLOCK_SIZE
from batchtui.plugins.models.sampling import Samplers, token_logprob
from batchtui.plugins.models.weights import weights_path

DEFAULT_WEIGHTS = "smollm2"
DEFAULT_CONTEXT_LEN = 512
MAX_THREADS = 8  # beyond it threads wait for each other
_STRIDE = 37  # tokens between the texts that stand in for unknown prompts


class LlamaConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What may be said after ``llama:``, as ``name=value,...``; a value alone is ``weights``.

    Attributes:
        weights: a name of ``batchtui models list``, or the path of a GGUF file.
        threads: native threads of a call; 0 is as many as there are cores, up to 8.

    Raises:
        ValueError: a value is out of its range.
    """

    weights: str = DEFAULT_WEIGHTS
    threads: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.threads <= 256:
            raise ValueError(f"threads is {self.threads}: want 1 to 256, or 0 for all cores")

    @classmethod
    def parse(cls, text: str) -> LlamaConfig:
        """Read it.

        Raises:
            InputError: as ``read_arguments``.
        """
        return read_arguments(text, cls, "the llama backend", bare="weights")


class LlamaModel:
    """A ``Model`` with a KV cache; also a ``ChatVocabulary``, ``Interruptible`` and an
    ``Embedder``.

    Args:
        config: which weights, how many threads.
        max_num_seqs: the slots that its rows come from.
        max_model_len: the most tokens of a row; 512 unless said, or what the model knows if less.
        seed: the run's, for requests without one.

    Raises:
        PluginError: the extra is not installed, or the file is none that llama.cpp loads.
        InputError: the weights are not there, the length is more than they were trained on, or
            there is no room for so many slots of it.
    """

    name = "llama"

    def __init__(
        self,
        config: LlamaConfig | None = None,
        *,
        max_num_seqs: int = 1,
        max_model_len: int | None = None,
        seed: int = 0,
    ) -> None:
        config = LlamaConfig() if config is None else config
        self.file = file = LlamaFile(weights_path(config.weights))
        self._vocabulary = vocabulary = GgufVocabulary(file.vocabulary, _template(file))
        self.eos_token_ids = vocabulary.eos_token_ids
        self.encode = vocabulary.encode
        self.encode_chat = vocabulary.encode_chat
        self.token_bytes = vocabulary.token_bytes
        self.max_model_len = _context_len(max_model_len, file.max_context_len)
        self.num_threads = config.threads or min(MAX_THREADS, num_cores())
        self.size = Size(max_num_seqs, self.max_model_len, max(BLOCK_SIZE, max_num_seqs))
        self._context = LlamaContext(file, self.size, self.num_threads)
        self._cells = LlamaCells(self._context, max_num_seqs, file.num_tokens)
        self._embedding = LlamaEmbedding(file, vocabulary, self.max_model_len, self.num_threads)
        self._samplers = Samplers(file.library, vocabulary.num_tokens, self.eos_token_ids, seed)
        self._start = file.start_token  # of a row without a prompt
        self._unknown: list[int] = []
        self.kv_bytes = self._context.num_cells * file.cell_bytes  # of all slots
        self._is_interrupted = self._is_closed = False

    @classmethod
    def from_options(cls, options: ModelOptions) -> LlamaModel:
        """Open it; the argument is read by ``LlamaConfig.parse``."""
        return cls(
            LlamaConfig.parse(options.argument or ""),
            max_num_seqs=options.max_num_seqs,
            max_model_len=options.max_model_len,
            seed=options.seed,
        )

    def forward(self, rows: Sequence[Row]) -> Reply:
        """Give each row its next token.

        Raises:
            InterruptedError: ``interrupt`` was called.
            ValueError or RuntimeError: llama.cpp refused the call; it may be made again.
        """
        self._compute(rows)
        tokens = [self._samplers.sample(self._context, at, row) for at, row in enumerate(rows)]
        logprobs: list[list[TokenLogprob] | None] | None = None
        if any(row.params.logprobs is not None for row in rows):
            logprobs = [self._logprobs(row, at, tokens[at]) for at, row in enumerate(rows)]
        return Reply([row.key for row in rows], [[token] for token in tokens], logprobs=logprobs)

    def logits(self, rows: Sequence[Row]) -> list[list[float]]:
        """The logits of each row's next token: as many rows, each of the vocabulary's size."""
        self._compute(rows)
        return [self._context.logits(at) for at in range(len(rows))]

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """The mean of the last hidden states of each text's tokens, not normalised.

        Raises:
            InterruptedError: ``interrupt`` was called.
            ValueError: a text is empty, or longer than ``max_model_len`` tokens.
        """
        return [self._embed(text) for text in texts]

    def interrupt(self) -> None:
        """End the call that is running, and every later one."""
        self._is_interrupted = True
        self._context.interrupt()
        self._embedding.interrupt()

    def close(self) -> None:
        """Give cells and weights back."""
        if not self._is_closed:
            self._is_interrupted = self._is_closed = True
            self._context.close()
            self._embedding.close()
            self._vocabulary.close()
            self.file.close()

    def _embed(self, text: str) -> list[float]:
        self._go_on()
        return self._embedding.embed(text)

    def _compute(self, rows: Sequence[Row]) -> None:
        self._go_on()
        self._cells.compute([self._tokens(row) for row in rows])

    def _go_on(self) -> None:
        """Let nothing begin after an interrupt: what is closed is no longer there to be called."""
        if self._is_interrupted:
            raise InterruptedError("the model was interrupted")

    def _tokens(self, row: Row) -> RowTokens:
        prompt = row.prompt_token_ids
        known = (self._stand_in(row) if prompt is None else prompt) or [self._start]
        tokens = [*known, *row.token_ids]
        if len(tokens) > self.max_model_len:
            raise InputError(f"a row has {len(tokens)} tokens: want {self.max_model_len} at most")
        return RowTokens(row.key, tokens, len(known))

    def _stand_in(self, row: Row) -> list[int]:
        """Tokens for a prompt of which only the length is known; another text for each request,
        since one that all have would be computed once."""
        text = self._unknown = self._unknown or self.encode("\n\n".join(corpus_paragraphs()))
        start = row.index * _STRIDE
        return [text[(start + at) % len(text)] for at in range(row.num_prompt_tokens)]

    def _logprobs(self, row: Row, at: int, token: int) -> list[TokenLogprob] | None:
        num_top = row.params.logprobs
        if num_top is None:
            return None
        return [token_logprob(self._context.logits(at), token, num_top)]


def _context_len(asked: int | None, most: int) -> int:
    if asked is not None and asked > most:
        raise InputError(
            f"{asked} tokens are more than these weights were trained on: "
            f"want a --max-model-len of {most} or less"
        )
    return min(DEFAULT_CONTEXT_LEN, most) if asked is None else asked


def _template(file: LlamaFile) -> ChatTemplate | None:
    source = file.template
    if source is None:
        return None
    bos, eos = file.vocabulary.token_bos(), file.vocabulary.token_eos()
    return ChatTemplate(source, bos=file.text(bos), eos=file.text(eos))
