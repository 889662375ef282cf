"""Plays faults at the model call: what a case asks for, to see that nothing is lost and nothing
twice.

A fault stands between the machine and the model, so it works with any backend. A backend that has
state of its own (``ScriptedModel``) is told when its answer is thrown away.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar, runtime_checkable

from batchtui.engine.errors import InputError
from batchtui.engine.machine import Aborted, Failure, Input, Replied, Work
from batchtui.engine.model import Model, Reply
from batchtui.engine.model import Row as ModelRow
from batchtui.plugins.caller import ModelCaller
from batchtui.plugins.formats.workload import Fault, Script

RAISED_AFTER_US = 1_000

_Outcome = list[tuple[int, Input]]
ItemT = TypeVar("ItemT")


@runtime_checkable
class Scripted(Protocol):
    """A model whose answers move on by being given."""

    def take_back(self, rows: Iterable[ModelRow]) -> None:
        """The last answer to these rows will not be applied."""

    def next_call(self, row: ModelRow) -> int:
        """The number of the call that a row is answered with next, from 1."""


class FaultyCaller(ModelCaller):
    """Calls a model and plays faults: a ``Performer``.

    Args:
        model: the backend.
        faults: what goes wrong, and at which call.
        scripts: by request index; those with ``abort_in_call`` are aborted in that call's flight.
        unit: the machine that is told of an abort.
    """

    def __init__(
        self,
        model: Model,
        faults: Iterable[Fault] = (),
        scripts: Mapping[int, Script] | None = None,
        unit: str = "batch",
    ) -> None:
        super().__init__(model)
        self._faults = list(faults)
        self._aborts = {
            index: script.abort_in_call
            for index, script in (scripts or {}).items()
            if script.abort_in_call is not None
        }
        self._unit = unit
        self._num_calls = 0
        self._injected: deque[str] = deque()  # another thread may be in a call meanwhile

    def inject(self, kind: str) -> None:
        """Play a fault of this kind at the next call, once; those that wait take a call each.

        Raises:
            InputError: there is no such kind.
        """
        if kind not in Fault.KINDS:
            raise InputError(f"no fault is called {kind!r}: want one of {', '.join(Fault.KINDS)}")
        self._injected.append(kind)

    def __call__(self, work: Work) -> Iterable[tuple[int, Input]]:
        """Answer one piece of work, with the fault that is due."""
        self._num_calls += 1
        if not (self._injected or self._faults or self._aborts):
            return self._answer(work)
        aborted = self._aborted(work)
        fault = self._due(work)
        outcome = self._play(fault, work) if fault else self._answer(work)
        half = min(delay for delay, _ in outcome) // 2
        return [(half, Aborted(target=target, unit=self._unit)) for target in aborted] + outcome

    def _answer(self, work: Work) -> _Outcome:
        outcome = list(super().__call__(work))
        is_given_up = len(outcome) > 1
        if is_given_up and isinstance(self.model, Scripted):
            self.model.take_back(work.spec.rows)
        return outcome

    def _aborted(self, work: Work) -> list[str]:
        """The ids of the rows whose call to be aborted this is."""
        if not self._aborts or not isinstance(self.model, Scripted):
            return []
        due = [
            row
            for row in work.spec.rows
            if self._aborts.get(row.index) == self.model.next_call(row)
        ]
        for row in due:
            del self._aborts[row.index]
        return [row.key[2] for row in due]

    def _due(self, work: Work) -> str:
        """The kind of the fault that this call has; "" for none. By hand goes first."""
        if self._injected:
            return self._injected.popleft()
        if not self._faults:
            return ""
        ids = {request_id for _, _, request_id in work.spec.keys}
        for fault in self._faults:
            by_number = fault.call is not None and (
                self._num_calls >= fault.call if fault.always else self._num_calls == fault.call
            )
            if by_number or fault.request_id in ids:
                if not fault.always:
                    self._faults.remove(fault)
                return fault.kind
        return ""

    def _play(self, kind: str, work: Work) -> _Outcome:
        if kind == "raise":
            failure = Failure(kind="raise", detail="a fault on purpose")
            return [(RAISED_AFTER_US, Replied(work=work.id, body=failure))]
        if kind == "empty":
            keys = list(work.spec.keys)
            empty = Reply(keys, [[] for _ in keys])
            return [(RAISED_AFTER_US, Replied(work=work.id, body=empty))]
        reply, elapsed_us = self.call(work)
        if isinstance(reply, Failure):
            return [(elapsed_us, Replied(work=work.id, body=reply))]
        if kind in ("short", "late") and isinstance(self.model, Scripted):
            self.model.take_back(work.spec.rows)
        return _distort(kind, work, reply, elapsed_us)


def _distort(kind: str, work: Work, reply: Reply, elapsed_us: int) -> _Outcome:
    again = Replied(work=work.id, body=reply, final=False, late=True)
    if kind == "late":
        # Given up after twice its time; it comes in the middle of the call after the repeated one.
        given_up = Replied(work=work.id, body=Failure(kind="timeout"))
        return [(2 * elapsed_us, given_up), (3 * elapsed_us + elapsed_us // 2, again)]
    if kind == "duplicate":
        final = Replied(work=work.id, body=reply)
        return [(elapsed_us, final), (elapsed_us + elapsed_us // 2, again)]
    distort = _without_the_last if kind == "short" else _swapped
    keys, tokens, logprobs = distort(reply.keys), distort(reply.tokens), reply.logprobs
    body = Reply(keys, tokens, logprobs=None if logprobs is None else distort(logprobs))
    return [(elapsed_us, Replied(work=work.id, body=body))]


def _without_the_last(rows: list[ItemT]) -> list[ItemT]:
    return rows[:-1]


def _swapped(rows: list[ItemT]) -> list[ItemT]:
    return [*rows[1::-1], *rows[2:]]
