"""The tokens of a GGUF model and their exact bytes.

llama.cpp gives a token's text decoded, with the parts of a split character replaced. The vocabulary
itself has them whole, in one of two spellings: byte-level BPE writes each byte as a printable
character (GPT-2's table), SentencePiece writes a space as U+2581 and a byte that has no piece as
``<0xE2>``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn, Protocol

from batchtui.engine.batching.request import Message, chat_text
from batchtui.engine.errors import PluginError
from batchtui.plugins.models.chat_template import ChatTemplate

SENTENCE_PIECE, BYTE_LEVEL = 1, 2  # llama.h: LLAMA_VOCAB_TYPE_SPM, LLAMA_VOCAB_TYPE_BPE
_UNKNOWN, _UNUSED, _CONTROL, _USER_DEFINED, _BYTE = 1, 2, 8, 16, 32  # LLAMA_TOKEN_ATTR_*
_SILENT = _UNKNOWN | _UNUSED | _CONTROL


class RawVocabulary(Protocol):
    """What is asked of ``cyllama``'s ``LlamaVocab``."""

    @property
    def n_vocab(self) -> int:
        """How many tokens there are."""

    @property
    def vocab_type(self) -> int:
        """How pieces are spelled."""

    def get_text(self, token: int) -> str:
        """A token as it is spelled."""

    def get_attr(self, token: int) -> int:
        """What kind of token it is, in bits."""

    def is_eog(self, token: int) -> bool:
        """Whether it ends generation."""

    def tokenize(self, text: str, add_special: bool, parse_special: bool) -> list[int]:
        """A text's tokens."""


class GgufVocabulary:
    """A ``ChatVocabulary`` over a GGUF model's own.

    Args:
        raw: the vocabulary.
        template: the chat template; None where the model has none.

    Raises:
        PluginError: it is spelled in a way that is not known here.
    """

    def __init__(self, raw: RawVocabulary, template: ChatTemplate | None) -> None:
        self._raw: RawVocabulary | _Closed = raw
        self._template = template
        self._spelled = _spelling(raw.vocab_type)
        self._bytes: dict[int, bytes] = {}
        self.num_tokens = raw.n_vocab
        self.eos_token_ids = frozenset(filter(raw.is_eog, range(raw.n_vocab)))

    def encode(self, text: str) -> list[int]:
        """The tokens of a prompt, with BOS in front where the model wants one.

        Marks such as ``<|im_end|>`` are text here, not tokens.

        Raises:
            ValueError: half a surrogate pair, which has no UTF-8 form.
        """
        return self._raw.tokenize(text, True, False)

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of a chat; only the template's own marks are control tokens.

        A model without a template was not taught any: it is given a plain text.

        Raises:
            InputError: the template does not take these messages.
        """
        if self._template is None:
            return self.encode(chat_text(messages))
        tokens: list[int] = []
        for piece in self._template.pieces(messages):
            tokens += self._raw.tokenize(piece.text, False, piece.is_template)
        return tokens

    def token_bytes(self, token: int) -> bytes:
        """The exact bytes of a token; b"" for EOS and every other control token.

        Raises:
            ValueError: there is no such token.
        """
        data = self._bytes.get(token)
        if data is None:
            data = self._bytes[token] = self._read(token)
        return data

    def close(self) -> None:
        """Let nobody ask any more: the library's own would abort the process."""
        self._raw = _Closed()

    def _read(self, token: int) -> bytes:
        # Asked for a token that it does not have, llama.cpp aborts the process.
        if not 0 <= token < self.num_tokens:
            raise ValueError(f"there is no token {token}: want 0 to {self.num_tokens - 1}")
        kind = self._raw.get_attr(token)
        if kind & _SILENT or token in self.eos_token_ids:
            return b""
        text = self._raw.get_text(token)
        if kind & _BYTE:
            return bytes([int(text[3:-1], 16)])  # <0xE2>
        return text.encode() if kind & _USER_DEFINED else self._spelled(text)


class _Closed:
    """What is left of a vocabulary whose model was closed."""

    def __getattr__(self, name: str) -> NoReturn:
        raise RuntimeError("the model is closed")


def _spelling(vocab_type: int) -> Callable[[str], bytes]:
    """How a normal token's text becomes bytes."""
    if vocab_type == BYTE_LEVEL:
        return from_byte_level
    if vocab_type == SENTENCE_PIECE:
        return from_sentence_piece
    raise PluginError(
        f"the model's vocabulary is of llama.cpp's type {vocab_type}: want one of byte-level BPE "
        f"({BYTE_LEVEL}) or SentencePiece ({SENTENCE_PIECE})"
    )


def from_byte_level(text: str) -> bytes:
    """The bytes of a token in GPT-2's spelling; a character outside of the table is itself."""
    return b"".join(_BYTES.get(character) or character.encode() for character in text)


def from_sentence_piece(text: str) -> bytes:
    """The bytes of a piece."""
    return text.replace("\u2581", " ").encode()


def _byte_level_table() -> dict[str, bytes]:
    """GPT-2's ``bytes_to_unicode`` read backwards: printable Latin-1 is itself, the other bytes
    are the characters from U+0100 on, in order."""
    itself = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in itself]
    table = {chr(byte): bytes([byte]) for byte in itself}
    table.update((chr(0x100 + at), bytes([byte])) for at, byte in enumerate(others))
    return table


_BYTES = _byte_level_table()
