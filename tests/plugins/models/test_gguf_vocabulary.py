from __future__ import annotations

from dataclasses import dataclass

import pytest

from batchtui.engine.batching.request import Message
from batchtui.engine.errors import PluginError
from batchtui.plugins.models.chat_template import ChatTemplate
from batchtui.plugins.models.gguf_vocabulary import (
    BYTE_LEVEL,
    SENTENCE_PIECE,
    GgufVocabulary,
    from_byte_level,
)

NORMAL, CONTROL, USER_DEFINED, BYTE = 4, 8, 16, 32


@dataclass
class Raw:
    """A vocabulary of these (text, kind); the control tokens in ``eog`` end a sequence."""

    tokens: list[tuple[str, int]]
    vocab_type: int = BYTE_LEVEL
    eog: tuple[int, ...] = (0,)

    @property
    def n_vocab(self) -> int:
        return len(self.tokens)

    def get_text(self, token: int) -> str:
        return self.tokens[token][0]

    def get_attr(self, token: int) -> int:
        return self.tokens[token][1]

    def is_eog(self, token: int) -> bool:
        return token in self.eog

    def tokenize(self, text: str, add_special: bool, parse_special: bool) -> list[int]:
        """A number that tells how it was called, and one a character."""
        return [900 + 10 * add_special + parse_special, *map(ord, text)]


def test_byte_level_text_is_read_back_to_any_byte() -> None:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    # The table of the GPT-2 release: bytes_to_unicode.
    spelled, extra = {}, 0
    for byte in range(256):
        spelled[byte] = chr(byte if byte in printable else 256 + extra)
        extra += byte not in printable
    assert [from_byte_level(spelled[byte]) for byte in range(256)] == [
        bytes([byte]) for byte in range(256)
    ]
    assert from_byte_level("Ġthe") == b" the"
    assert from_byte_level("ðŁ") + from_byte_level("ĻĤ") == "🙂".encode()


def test_sentence_piece_has_spaces_and_single_bytes() -> None:
    raw = Raw(
        [("</s>", CONTROL), ("▁the", NORMAL), ("<0xE2>", BYTE), ("<0x0A>", BYTE), ("▁▁", NORMAL)],
        SENTENCE_PIECE,
    )
    vocabulary = GgufVocabulary(raw, None)
    assert [vocabulary.token_bytes(token) for token in range(5)] == [
        b"", b" the", b"\xe2", b"\n", b"  ",
    ]  # fmt: skip


def test_control_tokens_are_silent_and_added_ones_are_as_they_stand() -> None:
    raw = Raw([("<|end|>", CONTROL), ("<|pad|>", CONTROL), ("Ġé", USER_DEFINED)])
    vocabulary = GgufVocabulary(raw, None)
    assert vocabulary.eos_token_ids == {0}
    assert [vocabulary.token_bytes(token) for token in range(3)] == [b"", b"", "Ġé".encode()]


@pytest.mark.parametrize("token", [-1, 1, 2**40])
def test_a_token_that_there_is_not_never_reaches_the_library(token: int) -> None:
    with pytest.raises(ValueError, match="want 0 to 0"):
        GgufVocabulary(Raw([("a", NORMAL)]), None).token_bytes(token)


def test_marks_in_a_prompt_are_text_and_those_of_the_template_are_tokens() -> None:
    template = ChatTemplate("<|u|>{{ messages[0].content }}<|e|>")
    vocabulary = GgufVocabulary(Raw([("a", NORMAL)]), template)
    assert vocabulary.encode("<|e|>")[0] == 910
    tokens = vocabulary.encode_chat([Message("user", "<|e|>")])
    assert tokens == [901, *map(ord, "<|u|>"), 900, *map(ord, "<|e|>"), 901, *map(ord, "<|e|>")]


def test_a_model_without_a_template_is_given_a_plain_chat() -> None:
    tokens = GgufVocabulary(Raw([("a", NORMAL)]), None).encode_chat([Message("user", "hi")])
    assert tokens == [910, *map(ord, "user: hi\nassistant:")]


def test_a_closed_vocabulary_asks_the_library_nothing() -> None:
    vocabulary = GgufVocabulary(Raw([("a", NORMAL)], eog=()), None)
    vocabulary.close()
    for ask in (lambda: vocabulary.encode("a"), lambda: vocabulary.token_bytes(0)):
        with pytest.raises(RuntimeError, match="the model is closed"):
            ask()


def test_another_spelling_is_refused() -> None:
    with pytest.raises(PluginError, match="type 4: want one of"):
        GgufVocabulary(Raw([("a", NORMAL)], vocab_type=4), None)
