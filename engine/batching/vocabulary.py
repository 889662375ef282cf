"""A vocabulary that is listened to, and one that repeats what was heard.

A machine asks its vocabulary in the middle of a turn. What it was told is recorded, so that a
recording can be run again where the model, or its weights, are not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from batchtui.engine.batching.request import Message, chat_text
from batchtui.engine.debugger.recording import Fact, PromptEncoded, TokenSpelled
from batchtui.engine.errors import BatchtuiError, InputError
from batchtui.engine.model import ChatVocabulary, Vocabulary


class HeardVocabulary:
    """Asks another vocabulary and notes what it answers: each prompt, each token once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._chat = vocabulary if isinstance(vocabulary, ChatVocabulary) else None
        self._spelled: set[int] = set()
        self.note: Callable[[Fact], None] = lambda fact: None

    @property
    def eos_token_ids(self) -> frozenset[int]:
        """The other's."""
        return self._vocabulary.eos_token_ids

    def encode(self, text: str) -> list[int]:
        """The tokens of a prompt."""
        return self._noted(lambda: self._vocabulary.encode(text))

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of a chat, by its template if there is one."""
        chat = self._chat
        if chat is None:
            return self.encode(chat_text(messages))
        return self._noted(lambda: chat.encode_chat(messages))

    def token_bytes(self, token: int) -> bytes:
        """The bytes of a token."""
        if token in self._spelled:
            return self._vocabulary.token_bytes(token)
        self._spelled.add(token)
        try:
            data = self._vocabulary.token_bytes(token)
        except Exception:
            self.note(TokenSpelled(token=token, data=None))
            raise
        self.note(TokenSpelled(token=token, data=data if isinstance(data, bytes) else None))
        return data

    def _noted(self, encode: Callable[[], list[int]]) -> list[int]:
        try:
            token_ids = list(encode())
        except Exception as error:
            # As the decoder words it: only our own errors are known not to quote the prompt.
            why = str(error) if isinstance(error, BatchtuiError) else type(error).__name__
            self.note(PromptEncoded(error=why))
            raise
        self.note(PromptEncoded(token_ids=token_ids))
        return token_ids


class RecalledVocabulary:
    """Repeats what was heard: prompts in their order, tokens by their number.

    ``hear`` is told the facts of a turn before the machine makes it.
    """

    def __init__(self, eos_token_ids: Iterable[int]) -> None:
        self.eos_token_ids = frozenset(eos_token_ids)
        self._prompts: deque[PromptEncoded] = deque()
        self._bytes: dict[int, bytes | None] = {}

    def hear(self, fact: Fact) -> None:
        """Take a fact in."""
        if isinstance(fact, PromptEncoded):
            self._prompts.append(fact)
        else:
            self._bytes[fact.token] = fact.data

    def encode(self, text: str) -> list[int]:
        """The tokens that this prompt, the next, was turned into."""
        if not self._prompts:
            raise InputError("the recording does not say how this prompt was encoded")
        fact = self._prompts.popleft()
        if fact.error is not None:
            raise InputError(fact.error)
        return list(fact.token_ids)

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of the next prompt, which was a chat."""
        return self.encode("")

    def token_bytes(self, token: int) -> bytes:
        """The bytes that the token had."""
        data = self._bytes[token]
        if data is None:
            raise KeyError(token)
        return data
