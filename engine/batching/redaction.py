"""Takes texts out of what is recorded: what was asked, what was answered, and every token of both.

What is left folds into the same picture without words: who, when, where, how many. It cannot be
run again, since replies and what the vocabulary said are gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from batchtui.engine.batching import events as said
from batchtui.engine.batching.request import Message, Request, SamplingParams
from batchtui.engine.debugger.recording import Entry, PromptEncoded, TokenSpelled
from batchtui.engine.machine import Event, Failure, Replied, Submitted

BLANK = "·"
"""Stands for a text that must not be empty: a stop string, or what is held back for one."""

DIGEST_BYTES = 6

Scrub = Callable[[str], str]
"""Makes of a text what may be kept of it."""


def blank(text: str) -> str:
    """Keep nothing."""
    return ""


def hashed(key: bytes) -> Scrub:
    """Keep which texts are equal: for as long as nobody has the key, nothing else can be told."""

    def scrub(text: str) -> str:
        if not text:
            return ""
        data = text.encode("utf-8", "surrogatepass")
        return "#" + hashlib.blake2b(data, digest_size=DIGEST_BYTES, key=key).hexdigest()

    return scrub


class Redaction:
    """Takes the texts out of turns, one after the other."""

    def __init__(self, scrub: Scrub) -> None:
        self._scrub = scrub
        self._last: tuple[int, str] | None = None
        self._redacts: dict[type, Callable[[Any], Entry]] = {
            Submitted: self._submitted,
            said.RequestRefused: self._refused,
            said.TokensApplied: self._applied,
            said.RequestFinished: self._finished,
            said.TextDelivered: self._delivered,
        }

    def __call__(self, entries: list[Entry]) -> list[Entry]:
        """What may be kept of a turn."""
        kept: list[Entry] = []
        for entry in entries:
            if not isinstance(entry, Replied | PromptEncoded | TokenSpelled):
                redact = self._redacts.get(type(entry))
                kept.append(entry if redact is None else redact(entry))
        return self._apart(entries, kept)

    def _apart(self, entries: list[Entry], kept: list[Entry]) -> list[Entry]:
        """Turns of one place are told apart by their inputs: leave the shell of one where it was
        alone."""
        first = kept[0] if kept else None
        if isinstance(first, Event) and (first.step, first.phase) == self._last:
            shells = [each for each in entries if isinstance(each, Replied)]
            kept[:0] = [replace(each, body=Failure(kind="redacted")) for each in shells[:1]]
        last = kept[-1] if kept else None
        self._last = (last.step, last.phase) if isinstance(last, Event) else None
        return kept

    def _some(self, text: str) -> str:
        return self._scrub(text) or BLANK

    def _submitted(self, input: Submitted[Request]) -> Entry:
        return replace(input, body=self._request(input.body))

    def _request(self, request: Request) -> Request:
        prompt = request.prompt
        if isinstance(prompt, str):
            prompt = self._scrub(prompt)
        elif isinstance(prompt, tuple):
            prompt = len(prompt)
        expected = request.expected
        return replace(
            request,
            prompt=prompt,
            messages=tuple(
                Message(each.role, self._scrub(each.content)) for each in request.messages
            ),
            expected=None if expected is None else self._scrub(expected),
            prefix=(),
            params=self._params(request.params),
        )

    def _params(self, params: SamplingParams) -> SamplingParams:
        return replace(
            params,
            stop=tuple(map(self._some, params.stops)),
            stop_token_ids=(0,) * len(params.stop_token_ids or ()),
        )

    def _refused(self, event: said.RequestRefused) -> Entry:
        # The words are a model's own where it could not encode the prompt.
        return replace(event, message="") if event.code == "encoding_failed" else event

    def _applied(self, event: said.TokensApplied) -> Entry:
        held = {slot: self._some(text) for slot, text in event.held.items()}
        return replace(event, tokens=[0] * len(event.tokens), held=held)

    def _finished(self, event: said.RequestFinished) -> Entry:
        reason = event.stop_reason
        if event.finish_reason == "stop" and reason is not None:
            reason = self._some(reason) if isinstance(reason, str) else 0
        return replace(event, stop_reason=reason)

    def _delivered(self, event: said.TextDelivered) -> Entry:
        return replace(event, texts=list(map(self._scrub, event.texts)))
