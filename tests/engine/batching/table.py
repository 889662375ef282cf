"""Small parts that the tests of the batching machine are put together from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.delivery import Listener
from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.policies import Fcfs, Policy
from batchtui.engine.batching.request import Request, Result, SamplingParams
from batchtui.engine.machine import (
    Aborted,
    Configured,
    Event,
    Failure,
    Replied,
    Submitted,
    Turn,
    Work,
)
from batchtui.engine.model import Key, Reply

EOS = 0
EventT = TypeVar("EventT", bound=Event)


class Letters:
    """Token n is the n-th letter; 0 is EOS; others can be given bytes of their own."""

    eos_token_ids = frozenset({EOS})

    def __init__(self, extra: Mapping[int, bytes] | None = None) -> None:
        self._extra = dict(extra or {})

    def encode(self, text: str) -> list[int]:
        return [ord(letter) - 96 for letter in text]

    def token_bytes(self, token: int) -> bytes:
        if token in self._extra:
            return self._extra[token]
        if token == EOS:
            return b""
        if 1 <= token <= 26:
            return bytes([96 + token])
        raise KeyError(token)


class Heard:
    """A listener that keeps all that it is given, in order."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, str]] = []
        self.results: list[Result] = []

    def text(self, request_id: str, delta: str) -> None:
        self.texts.append((request_id, delta))

    def finished(self, result: Result) -> None:
        self.results.append(result)


class Table(NamedTuple):
    """A decoder on the table: stepped by hand, its invariants checked after each turn."""

    decoder: Decoder
    heard: Heard
    invariants: Invariants
    events: list[Event]
    works: list[Work]

    def submit(self, request_id: str, *, index: int = 0, **fields: Any) -> None:
        """Ask for something; the fields are those of ``request``, hence ``Any``."""
        self.decoder.take(Submitted(body=request(request_id, index=index, **fields)))

    def abort(self, request_id: str) -> None:
        self.decoder.take(Aborted(target=request_id))

    def configure(self, *, max_num_seqs: int | None = None, policy: str | None = None) -> None:
        self.decoder.take(Configured(body=Options(max_num_seqs=max_num_seqs, policy=policy)))

    def turn(self, now: int = 0) -> Turn:
        turn = self.decoder.turn(now)
        self.invariants.check()
        self.events.extend(turn.events)
        self.works.extend(turn.start)
        return turn

    def call(self, now: int = 0) -> Work:
        """Make turns up to the next call."""
        while not (turn := self.turn(now)).start:
            assert self.decoder.status == "ready"
        return turn.start[0]

    def reply(self, work: Work, tokens: dict[str, str], now: int = 0) -> Turn:
        """Answer with letters by request id, and apply."""
        self.decoder.take(Replied(work=work.id, body=reply_to(work, tokens)))
        return self.turn(now)

    def fail(self, work: Work, kind: str = "raise", now: int = 0) -> Turn:
        self.decoder.take(Replied(work=work.id, body=Failure(kind=kind)))
        return self.turn(now)

    def finish(self, answer: Callable[[Key], str], now: int = 0, most: int = 1000) -> None:
        """Answer every call by ``answer`` until nothing is left to do."""
        for _ in range(most):
            if self.decoder.status == "done":
                return
            if self.decoder.status == "waiting":
                work = self.works[-1]
                tokens = [letters(answer(key)) for key in work.spec.keys]
                self.decoder.take(Replied(work=work.id, body=Reply(list(work.spec.keys), tokens)))
            self.turn(now)
        raise AssertionError("it does not come to an end")

    def said(self, kind: type[EventT]) -> list[EventT]:
        return [event for event in self.events if isinstance(event, kind)]

    def result(self, request_id: str) -> Result:
        (found,) = [each for each in self.heard.results if each.request_id == request_id]
        return found

    def resident_ids(self) -> list[str]:
        return [row.request_id for row in self.decoder.scheduler.batch.rows]


def table(
    *, policy: Policy | None = None, listener: Listener | None = None, **options: int
) -> Table:
    return table_of(BatchingConfig(**options), policy=policy, listener=listener)


def table_of(
    config: BatchingConfig,
    *,
    policy: Policy | None = None,
    listener: Listener | None = None,
    extra: Mapping[int, bytes] | None = None,
) -> Table:
    heard = Heard()
    decoder = Decoder(config, Letters(extra), policy or Fcfs(), listener=listener or heard)
    return Table(decoder, heard, Invariants(decoder), [], [])


def request(request_id: str, *, index: int = 0, **fields: Any) -> Request:
    """A request; names that are not its own are those of its sampling parameters.

    Their types are those of the two classes, hence ``Any``.
    """
    own = {name: fields.pop(name) for name in list(fields) if name in Request.__struct_fields__}
    fields.setdefault("max_tokens", 8)
    params = SamplingParams(**fields)
    return Request(request_id=request_id, index=index, params=params, **own)


def letters(text: str) -> list[int]:
    """``.`` is EOS."""
    return [EOS if letter == "." else ord(letter) - 96 for letter in text]


def reply_to(work: Work, tokens: dict[str, str]) -> Reply:
    keys: Iterable[Key] = work.spec.keys
    return Reply(list(keys), [letters(tokens.get(key[2], "a")) for key in keys])
