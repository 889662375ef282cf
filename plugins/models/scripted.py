"""The scripted backend: plays, for each request, the tokens that a case says, call by call.

The k-th call of a request is answered with the k-th entry of its script; when the script has run
out, with EOS. One that has none, since a person has added it to the run, hears its prompt again. A
place in a script moves on with each answer, so whoever throws an answer away must ``take_back``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from batchtui.engine.errors import InputError
from batchtui.engine.model import Reply, Row
from batchtui.plugins.formats.workload import Script, ScriptToken

CALL_US = 20_000
"""What a call takes on the virtual clock: about a decode step of an 8B model on one GPU."""

_PIECE = re.compile(r"\s*\w+|\s*[^\w\s]+|\s+")
_FIRST_FREE_ID = 1000


class ScriptedModel:
    """A ``Model`` that answers from scripts, keyed by ``Row.index``.

    Token ids are those that the case gives; pieces without one, and those of prompts, get free
    ones.

    Raises:
        InputError: the case gives one id to two different texts.
    """

    name = "scripted"
    max_model_len = None

    def __init__(self, scripts: Mapping[int, Script]) -> None:
        self._given: dict[int, bytes] = {}
        self._ids: dict[bytes, int] = {}
        self._bytes: dict[int, bytes] = {}
        self._places: dict[int, int] = {}
        self._collect(
            token for script in scripts.values() for call in script.calls for token in call
        )
        self._next_id = _FIRST_FREE_ID
        self._eos = self._free_id()
        self._bytes[self._eos] = b""
        self.eos_token_ids = frozenset({self._eos})
        self._calls = {
            index: [[self._id(token) for token in call] for call in script.calls]
            for index, script in scripts.items()
        }

    def encode(self, text: str) -> list[int]:
        """One token a word or run of punctuation, with the space before it."""
        return [self._intern(piece.encode()) for piece in _PIECE.findall(text)]

    def token_bytes(self, token: int) -> bytes:
        """The bytes of a token.

        Raises:
            KeyError: neither a script nor a prompt has such a token.
        """
        return self._bytes[token]

    def forward(self, rows: Sequence[Row]) -> Reply:
        """Answer each row from its script, and move it on."""
        tokens = [self._answer(row) for row in rows]
        return Reply([row.key for row in rows], tokens, CALL_US)

    def take_back(self, rows: Sequence[Row]) -> None:
        """The last answer to these rows is not going to be applied: it will be given again."""
        for row in rows:
            self._places[row.index] -= 1

    def next_call(self, row: Row) -> int:
        """The number of the call, from 1, that a row is answered with next."""
        return self._places.get(row.index, 0) + 1

    def _answer(self, row: Row) -> list[int]:
        place = self._places.get(row.index, 0)
        self._places[row.index] = place + 1
        calls = self._calls.get(row.index)
        if calls is None:
            prompt = row.prompt_token_ids or ()
            return [prompt[place]] if place < len(prompt) else [self._eos]
        return list(calls[place]) if place < len(calls) else [self._eos]

    def _collect(self, tokens: Iterable[ScriptToken]) -> None:
        for token in tokens:
            if token.id is None or token.data is None:
                continue
            if self._given.setdefault(token.id, token.data) != token.data:
                raise InputError(f"token id {token.id} stands for two texts: give each its own id")
        self._bytes.update(self._given)

    def _id(self, token: ScriptToken) -> int:
        if token.data is None:
            return self._eos
        return self._intern(token.data) if token.id is None else token.id

    def _intern(self, data: bytes) -> int:
        known = self._ids.get(data)
        if known is None:
            known = self._ids[data] = self._free_id()
            self._bytes[known] = data
        return known

    def _free_id(self) -> int:
        while self._next_id in self._given:
            self._next_id += 1
        self._next_id += 1
        return self._next_id - 1
