"""Performs a batching machine's work: one call of a model, its faults turned into data.

An exception of a model becomes a ``Failure`` that names its type and place, never its message:
that may hold a prompt. A call that takes longer than its timeout is given up, and its reply
arrives late.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

from batchtui.engine.errors import BatchtuiError
from batchtui.engine.machine import Failure, Input, Replied, Work
from batchtui.engine.model import Key, Model, Reply

MAX_TOKEN = 1 << 63


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
            said = str(error) if isinstance(error, BatchtuiError) else _place(error)
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
    wrong = _wrong_tokens(body.tokens)
    return Failure(kind="type", detail=wrong) if wrong else _with_a_time(body)


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


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
