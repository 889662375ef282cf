"""Vocabularies without a download: bytes, and bytes with the pieces of a corpus.

Ids 0 to 255 are the bytes and 256 is EOS, so that any text has tokens and no text is changed: the
bytes of ``encode(text)`` joined are the text's UTF-8, whatever it holds.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

NUM_BYTES = 256
EOS = 256

# A word with the space before it, a mark with the space before it, a line's end with the
# indentation of the next line. Every character falls under one of the alternatives.
_PIECE = re.compile(r" ?\w+| ?[^\w\s]|\n *|\s")


def utf8(text: str) -> bytes:
    """The bytes of a text; half a surrogate pair, which JSON may hold, is kept, not refused."""
    return text.encode("utf-8", "surrogatepass")


def pieces(text: str) -> list[str]:
    """Cut a text into words, marks and line ends. Joined they are the text."""
    return _PIECE.findall(text)


class ByteVocabulary:
    """One token a byte, and EOS.

    Args:
        eos_token_ids: the ids that end a sequence; one of them below 256 takes that byte's place.
    """

    def __init__(self, eos_token_ids: frozenset[int] = frozenset({EOS})) -> None:
        self.eos_token_ids = eos_token_ids
        self._bytes = {token: bytes([token]) for token in range(NUM_BYTES)}
        self._bytes.update(dict.fromkeys(eos_token_ids, b""))

    def encode(self, text: str) -> list[int]:
        """The bytes of a text."""
        return list(utf8(text))

    def token_bytes(self, token: int) -> bytes:
        """The byte that a token is; b"" for EOS.

        Raises:
            KeyError: there is no such token.
        """
        return self._bytes[token]


class PieceVocabulary:
    """Bytes, EOS, and one token for each distinct piece of a corpus, in order of appearance."""

    eos_token_ids = frozenset({EOS})

    def __init__(self, corpus: Iterable[str]) -> None:
        known = [piece for piece in dict.fromkeys(corpus) if len(utf8(piece)) > 1]
        self._tokens = {piece: token for token, piece in enumerate(known, EOS + 1)}
        self._bytes = {token: bytes([token]) for token in range(NUM_BYTES)}
        self._bytes[EOS] = b""
        self._bytes.update((token, utf8(piece)) for piece, token in self._tokens.items())

    def encode(self, text: str) -> list[int]:
        """The pieces of a text, those that the corpus does not have as bytes."""
        tokens: list[int] = []
        for piece in pieces(text):
            token = self._tokens.get(piece)
            if token is None:
                tokens.extend(utf8(piece))
            else:
                tokens.append(token)
        return tokens

    def token_bytes(self, token: int) -> bytes:
        """The bytes that a token stands for; b"" for EOS.

        Raises:
            KeyError: there is no such token.
        """
        return self._bytes[token]


class ForeignVocabulary:
    """Somebody else's ``encode`` and ``token_bytes``, held to what a ``Vocabulary`` promises.

    Args:
        encode: a text's tokens.
        token_bytes: a token's bytes; not asked for EOS or for a negative token.
        eos_token_ids: the ids that end a sequence.
    """

    def __init__(
        self,
        # Any: black boxes may return anything.
        encode: Callable[[str], Any],
        token_bytes: Callable[[int], Any],
        eos_token_ids: frozenset[int],
    ) -> None:
        self.eos_token_ids = eos_token_ids
        self._encode = encode
        self._token_bytes = token_bytes

    def encode(self, text: str) -> list[int]:
        """The tokens of a text.

        Raises:
            ValueError: they are not to be had; does not say of which text.
        """
        try:
            return [operator.index(token) for token in self._encode(text)]
        except Exception as error:
            kind = type(error).__name__
            raise ValueError(f"encode failed with {kind}: want a list of token ids") from None

    def token_bytes(self, token: int) -> bytes:
        """The bytes that a token stands for; b"" for EOS.

        Raises:
            ValueError: there is no such token, or what came back is not bytes.
        """
        if token in self.eos_token_ids:
            return b""
        if token < 0:
            raise ValueError(f"token {token} is negative: want ids from 0 up")
        try:
            data = self._token_bytes(token)
        except Exception as error:
            raise ValueError(f"token_bytes({token}) failed with {type(error).__name__}") from None
        if not isinstance(data, bytes):
            raise ValueError(f"token_bytes({token}) is a {type(data).__name__}: want bytes")
        return data
