"""Performs a batching machine's work: one call of a model, its faults turned into data.

An exception of a model becomes a ``Failure`` that names its type and place, never its message:
that may hold a prompt. A call that takes longer than its timeout is given up, and its reply
arrives late.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import chain

import msgspec

from batchtui.engine.batching.request import LEAST_LOGPROB, MAX_LOGPROBS, TokenLogprob
from batchtui.engine.errors import BatchtuiError
from batchtui.engine.machine import Failure, Input, Replied, Work
from batchtui.engine.model import Key, Model, Reply
from batchtui.plugins.raised import place_of

MAX_TOKEN = 1 << 63
ROUNDING = 0.01  # by which a logprob may be above 0: what floats of 16 bits make of a sum


class ModelCaller:
    """Calls a model; a ``Performer`` for ``engine/simulate.py``."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._last_us: int | None = None
        self._has_timed = False

    @property
    def clock(self) -> str:
        """``measured`` if a call had to be timed, else ``virtual``."""
        return "measured" if self._has_timed else "virtual"

    def __call__(self, work: Work) -> Iterable[tuple[int, Input]]:
        """Answer one piece of work."""
        body, elapsed_us = self.call(work)
        if work.timeout_us is None or elapsed_us <= work.timeout_us:
            return [(elapsed_us, Replied(work=work.id, body=body))]
        given_up = Replied(work=work.id, body=Failure(kind="timeout"))
        late = Replied(work=work.id, body=body, final=False, late=True)
        return [(work.timeout_us, given_up), (elapsed_us, late)]

    def call(self, work: Work) -> tuple[Reply | Failure, int]:
        """Run the model; returns its reply or failure, and how long that took, in microseconds."""
        began = time.perf_counter_ns()
        answer: object
        try:
            answer = self.model.forward(work.spec.rows)
        except (Exception, SystemExit) as error:  # what a black box raises is its fault, not ours
            said = str(error) if isinstance(error, BatchtuiError) else place_of(error)
            return Failure(kind="raise", detail=said), self._cost_us(began)
        body = _checked(answer, work.spec.keys)
        if isinstance(body, Reply):
            self._last_us = body.elapsed_us
        return body, self._cost_us(began)

    def _cost_us(self, began_ns: int) -> int:
        """What the model said last, so that failures take as long in every run; else the time."""
        if self._last_us is not None:
            return self._last_us
        self._has_timed = True
        return (time.perf_counter_ns() - began_ns) // 1000


def _checked(body: object, keys: Sequence[Key]) -> Reply | Failure:
    """Refuse what is not a reply of token ids to rows of this call before it gets to the engine."""
    if not isinstance(body, Reply):
        return Failure(kind="type", detail=f"forward returned {type(body).__name__}, not a Reply")
    # Before anything is compared: an array's ``==`` is no truth value.
    if type(body.keys) is not list or (body.keys != keys and not _are_among(body.keys, keys)):
        return Failure(kind="shape", detail="rows that were not asked for")
    wrong = _wrong_tokens(body.tokens) or _wrong_logprobs(body)
    return Failure(kind="type", detail=wrong) if wrong else _with_a_time(_bounded(body))


def _wrong_tokens(tokens: object) -> str:
    """What is wrong with the tokens of a reply; "" for nothing."""
    if type(tokens) is not list:
        return f"tokens is of type {type(tokens).__name__}, not list"
    if set(map(type, tokens)) - {list}:
        return "the tokens of a row are not a list"
    flat = list(chain.from_iterable(tokens))
    odd = set(map(type, flat)) - {int}
    if odd:
        return f"a token id is of type {odd.pop().__name__}, not int"
    if flat and (min(flat) < 0 or max(flat) >= MAX_TOKEN):
        return "a token id is not from 0 up to 63 bits"
    return ""


def _wrong_logprobs(body: Reply) -> str:
    """What is wrong with the logprobs of a reply; "" for nothing, or where there are none."""
    rows: object = body.logprobs
    if rows is None:
        return ""
    if type(rows) is not list or len(rows) != len(body.keys):
        return "logprobs is not a list with a place for each key"
    for tokens, entries in zip(body.tokens, rows, strict=False):
        if entries is None:
            continue
        if type(entries) is not list or len(entries) != len(tokens):
            return "the logprobs of a row are not a list as long as its tokens"
        if wrong := next(filter(None, map(_wrong_entry, tokens, entries)), ""):
            return wrong
    return ""


def _wrong_entry(token: int, entry: object) -> str:
    if type(entry) is not TokenLogprob:
        return f"a logprob is of type {type(entry).__name__}, not TokenLogprob"
    top: object = entry.top
    if type(top) is not tuple or any(type(pair) is not tuple or len(pair) != 2 for pair in top):
        return "the top of a logprob is not a tuple of pairs"
    if len(top) > MAX_LOGPROBS:
        return f"the top of a logprob has {len(top)} tokens: want {MAX_LOGPROBS} at most"
    pairs = [(entry.token_id, entry.logprob), *top]
    if wrong := next(filter(None, (_wrong_pair(*pair) for pair in pairs)), ""):
        return wrong
    return "" if entry.token_id == token else "a logprob is of another token than its place has"


def _wrong_pair(token: object, logprob: object) -> str:
    if type(token) is not int or not 0 <= token < MAX_TOKEN:
        return "the token id of a logprob is not an int from 0 up to 63 bits"
    if type(logprob) is not float:
        return f"a logprob is of type {type(logprob).__name__}, not float"
    return "" if logprob <= ROUNDING else f"a logprob is {logprob}: want 0 or less"


def _bounded(body: Reply) -> Reply:
    """The reply without minus infinities: as JSON it would not come back as it was."""
    if body.logprobs is None:
        return body
    rows = [entries and list(map(_bounded_entry, entries)) for entries in body.logprobs]
    return msgspec.structs.replace(body, logprobs=rows)


def _bounded_entry(entry: TokenLogprob) -> TokenLogprob:
    logprobs = [entry.logprob, *(logprob for _, logprob in entry.top)]
    if min(logprobs) >= LEAST_LOGPROB:
        return entry
    top = tuple((token, max(logprob, LEAST_LOGPROB)) for token, logprob in entry.top)
    return TokenLogprob(entry.token_id, max(entry.logprob, LEAST_LOGPROB), top)


def _with_a_time(body: Reply) -> Reply | Failure:
    """Refuse a time that the clock could not be moved on by: it would go back, or stand for
    ever."""
    elapsed_us = body.elapsed_us
    if elapsed_us is None or (type(elapsed_us) is int and elapsed_us >= 0):
        return body
    seen = elapsed_us if type(elapsed_us) in (int, float) else f"a {type(elapsed_us).__name__}"
    return Failure(kind="type", detail=f"elapsed_us is {seen}, not a whole number from 0 up")


def _are_among(answered: list[Key], keys: Sequence[Key]) -> bool:
    known = set(keys)
    return all(type(key) is tuple and key in known for key in answered)
