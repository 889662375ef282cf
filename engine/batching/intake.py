"""The door: which requests are accepted, who is alive, and whose time is up."""

from __future__ import annotations

import heapq
from collections import abc
from typing import NamedTuple

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.request import Message, Request, chat_text
from batchtui.engine.batching.sequence import Entry, Sequence
from batchtui.engine.errors import BatchtuiError
from batchtui.engine.model import ChatVocabulary, Vocabulary


class Refusal(NamedTuple):
    """Why a request is turned away unrun."""

    code: str
    message: str
    num_prompt_tokens: int


class Intake:
    """Requests from their submission to their end, by id.

    An id is unique among the living only: once a request has ended its id may be used again.
    """

    def __init__(self, config: BatchingConfig, vocabulary: Vocabulary) -> None:
        self.living: dict[str, Entry | Sequence] = {}
        self._config = config
        self._vocabulary = vocabulary
        self._chat = vocabulary if isinstance(vocabulary, ChatVocabulary) else None
        self.deadlines: list[tuple[int, int, str]] = []

    def accept(self, request: Request) -> Entry | Refusal:
        """Make an entry of a request, or say why it cannot run."""
        try:
            token_ids = self._encode(request)
        except Exception as error:  # foreign code: it loses one request, not the run
            what = "messages" if request.messages else "prompt"
            # Ours alone are known not to quote what they were given.
            why = str(error) if isinstance(error, BatchtuiError) else type(error).__name__
            message = f"the model could not encode the {what} ({why})"
            return Refusal("encoding_failed", message, 0)
        length = token_ids if isinstance(token_ids, int) else len(token_ids)
        if request.request_id in self.living:
            message = f"request id {request.request_id!r} is taken by a request that still lives"
            return Refusal("duplicate_id", message, length)
        bound = self._config.max_tokens_resident
        limit = request.params.max_tokens
        if bound is not None:
            limit = min(limit, bound - length)
        if limit < 1:
            message = (
                f"the prompt has {length} tokens, and prompt and output may have {bound} together: "
                "shorten the prompt, or raise max_model_len or the number of KV blocks"
            )
            return Refusal("context_length_exceeded", message, length)
        return self._enter(request, token_ids, length, limit)

    def _encode(self, request: Request) -> abc.Sequence[int] | int:
        # A list, whatever a vocabulary returns: an int would be taken for a length.
        if request.messages:
            return list(self._encode_chat(request.messages))
        prompt = request.prompt
        return list(self._vocabulary.encode(prompt)) if isinstance(prompt, str) else prompt

    def _encode_chat(self, messages: abc.Sequence[Message]) -> list[int]:
        """By the model's own template, if it has one."""
        if self._chat is not None:
            return self._chat.encode_chat(messages)
        return self._vocabulary.encode(chat_text(messages))

    def _enter(
        self, request: Request, token_ids: abc.Sequence[int] | int, length: int, limit: int
    ) -> Entry:
        num_blocks = -(-(length + limit) // self._config.block_size)
        known = None if isinstance(token_ids, int) else token_ids
        entry = self.living[request.request_id] = Entry(request, known, length, limit, num_blocks)
        if request.deadline_us is not None:
            due = request.arrival_us + request.deadline_us
            heapq.heappush(self.deadlines, (due, request.index, request.request_id))
            if len(self.deadlines) > 2 * len(self.living) + 64:
                self._forget_the_dead()
        return entry

    def next_deadline(self) -> int | None:
        """The nearest deadline of a living request."""
        while self.deadlines and not self._is_live(*self.deadlines[0][1:]):
            heapq.heappop(self.deadlines)
        return self.deadlines[0][0] if self.deadlines else None

    def expired(self, now: int) -> list[str]:
        """The ids whose deadline has passed; each is named once."""
        ids = []
        while (due := self.next_deadline()) is not None and due <= now:
            ids.append(heapq.heappop(self.deadlines)[2])
        return ids

    def _forget_the_dead(self) -> None:
        """Drop the dates of those who have ended; they would be kept until they come."""
        self.deadlines = [item for item in self.deadlines if self._is_live(*item[1:])]
        heapq.heapify(self.deadlines)

    def _is_live(self, index: int, request_id: str) -> bool:
        living = self.living.get(request_id)
        return living is not None and living.index == index
