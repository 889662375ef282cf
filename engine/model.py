"""The black box: a batch of prefixes goes in, the next token or tokens of each come out.

Two protocols, so that the engine can be tested without any model: a ``Vocabulary`` turns text into
tokens and tokens into bytes, a ``Model`` is a vocabulary that also answers. All that a newcomer
must write is ``next_tokens(prefixes) -> list[list[int]]`` (see ``plugins/models/function.py``).

Every row carries its key (slot, generation, request id), and every reply repeats the keys, because
a reply that arrives late, short or in another order must never be applied to whoever sits in the
slot now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec

from batchtui.engine.batching.request import Message, SamplingParams, TokenLogprob

Key = tuple[int, int, str]
"""(slot, generation, request id): who a row was, for as long as it is in the slot."""


class Row(Protocol):
    """One resident sequence, as a model sees it. Read it, never change it.

    The prefix is ``prompt_token_ids`` (or ``num_prompt_tokens`` unknown ones, when only the length
    of the prompt is known) followed by ``token_ids``. Its first ``num_computed_tokens`` tokens
    were already there in the last call that was applied; the rest is new.
    """

    @property
    def key(self) -> Key:
        """(slot, generation, request id)."""

    @property
    def index(self) -> int:
        """The place of the request in its workload: unique in a run, where an id may be used
        again."""

    @property
    def params(self) -> SamplingParams:
        """How it is decoded: ``temperature``, ``top_p`` and ``seed`` are for the model to heed."""

    @property
    def prompt_token_ids(self) -> Sequence[int] | None:
        """The prompt, or None when only its length is known."""

    @property
    def num_prompt_tokens(self) -> int:
        """The prompt's length in tokens."""

    @property
    def token_ids(self) -> Sequence[int]:
        """The tokens decoded so far."""

    @property
    def num_computed_tokens(self) -> int:
        """How many tokens of the prefix the last applied call had already been given."""


class Reply(msgspec.Struct, frozen=True, tag=True):
    """What a call returned: for each key none, one or several tokens.

    ``keys`` and ``tokens`` have the length of the call's rows. ``elapsed_us`` is the call's cost
    on the model's own clock; None where the model has none and the performer must measure.
    ``logprobs`` is None, or has for each key one entry a token, or None where
    ``params.logprobs`` did not ask for them.
    """

    keys: list[Key]
    tokens: list[list[int]]
    elapsed_us: int | None = None
    logprobs: list[list[TokenLogprob] | None] | None = None


class Call(msgspec.Struct, frozen=True):
    """The spec of a batching machine's work: the rows to be run, and their keys."""

    rows: Sequence[Row]
    keys: Sequence[Key]


class Vocabulary(Protocol):
    """How text becomes tokens, and tokens bytes."""

    @property
    def eos_token_ids(self) -> frozenset[int]:
        """The tokens that end a sequence unless ``ignore_eos``."""

    def encode(self, text: str) -> list[int]:
        """The tokens of a prompt."""

    def token_bytes(self, token: int) -> bytes:
        """The exact bytes of a token; b"" for EOS.

        Raises:
            ValueError, KeyError or IndexError: there is no such token.
        """


class Model(Vocabulary, Protocol):
    """A vocabulary that also answers."""

    @property
    def name(self) -> str:
        """The name it is asked for by."""

    @property
    def max_model_len(self) -> int | None:
        """The most tokens of prompt and output together; None where there is no bound."""

    def forward(self, rows: Sequence[Row]) -> Reply:
        """Run one call. May block, may raise: the performer turns an exception into a
        ``Failure``."""


# What only some models can do. Whoever needs it asks ``isinstance(model, ...)``.


@runtime_checkable
class ChatVocabulary(Protocol):
    """A vocabulary with a chat template."""

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        """The prompt that asks for the assistant's next message.

        What a message says is never taken for the template's own marks.

        Raises:
            ValueError or InputError: the template does not take these messages. The text of an
                InputError is shown, so it must not say what is in them.
        """


@runtime_checkable
class Interruptible(Protocol):
    """A model whose calls can be ended from outside, and that holds what must be given back."""

    def interrupt(self) -> None:
        """Make the call that is running raise soon, and every later one at once.

        May be called from any thread, and more than once.
        """

    def close(self) -> None:
        """Give back memory and threads. No call may be running; none may follow."""


@runtime_checkable
class Embedder(Protocol):
    """A model that gives vectors for texts."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, all of one length."""
