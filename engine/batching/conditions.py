"""The words of batching in which a breakpoint is set.

    finish, admit, arrive, refuse,      such an event, of the request whose id follows if one does;
    discard, preempt, fail, hold,       ``fail`` is a failed call that it was in, ``hold`` the
    abort, error                        beginning of holding text back
    request r7                          anything that happens to it but an ordinary token
    slot 3                              it was entered or left, its state changed, a row for it was
                                        dropped
    options                             slots or order were changed
    queue, running, wait, kv            how many wait and run, how long the oldest has waited, KV
                                        blocks or ``%`` of them in use
    step 120                            the end of the first turn of that step, or of a later one

Nobody is preempted so far: ``preempt`` hits nothing.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from batchtui.engine.batching import events as said
from batchtui.engine.batching.shown import DECODE, HELD
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.conditions import (
    Bound,
    Compares,
    Find,
    Happens,
    Measure,
    Reading,
    Vocabulary,
)
from batchtui.engine.debugger.recording import TurnRecord

_NUMBER = re.compile(r"[0-9]{1,15}")
_TIME = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)(us|ms|s|m)")
_SHARE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)%")
_UNITS_US = {"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000}


# Whom events are about. The subject is an id, or None where any will do; events are told apart by
# their types before they come here, hence ``Any``.


def _its(event: Any, view: BatchView, who: str | None) -> bool:
    return who is None or event.request_id == who


def _among_its(event: Any, view: BatchView, who: str | None) -> bool:
    return who is None or who in event.request_ids


def _failed(event: said.CallFailed, view: BatchView, who: str | None) -> bool:
    slots = view.slots
    return who is None or any(slots[index].request_id == who for index in event.slots)


def _held(event: said.TokensApplied, view: BatchView, who: str | None) -> bool:
    for index in event.held:
        slot = view.slots[index]
        is_new = slot.state == HELD and slot.changed_at == event.step
        if is_new and who in (None, slot.request_id):
            return True
    return False


def _ended_by(reason: str) -> Find:
    def find(event: said.RequestFinished, view: BatchView, who: str | None) -> bool:
        return event.finish_reason == reason and _its(event, view, who)

    return find


def _in_slot(event: Any, view: BatchView, index: int) -> bool:
    return bool(event.slot == index)


def _dropped_in_slot(event: said.RowsDiscarded, view: BatchView, index: int) -> bool:
    return index in event.slots


def _changed_slot(event: said.TokensApplied, view: BatchView, index: int) -> bool:
    if index >= len(view.slots):
        return False
    slot = view.slots[index]
    is_new = slot.changed_at == event.step and slot.state in (DECODE, HELD)
    return is_new and index in event.slots


def _always(event: Any, view: BatchView, subject: None) -> bool:
    return True


# Figures.


class Running:
    """How many slots are taken; counted along, since looking costs as much as there are slots."""

    def __init__(self) -> None:
        self._count: int | None = None

    def start(self, view: BatchView) -> int:
        """Count anew."""
        self._count = view.num_resident
        return self._count

    def read(self, record: TurnRecord, view: BatchView) -> int:
        """Count who came and left in a turn."""
        if self._count is None:
            return self.start(view)
        for entry in record.entries:
            if type(entry) is said.RequestAdmitted:
                self._count += 1
            elif type(entry) is said.RequestFinished:
                self._count -= entry.slot is not None
        return self._count


class OldestWait:
    """How long the one has waited who came first of those who wait; None where nobody does.

    It keeps a line of its own: the first of a dict that is emptied from its front is found only by
    passing over all those who have left.
    """

    def __init__(self) -> None:
        self._line: deque[tuple[str, int, int]] | None = None

    def start(self, view: BatchView) -> int | None:
        """Stand everybody who waits in line."""
        waiting = view.waiting.values()
        self._line = deque((each.request_id, each.index, each.arrival_us) for each in waiting)
        return self._wait(self._line, view)

    def read(self, record: TurnRecord, view: BatchView) -> int | None:
        """Stand those behind who came in a turn."""
        line = self._line
        if line is None or len(line) > 2 * len(view.waiting) + 64:
            return self.start(view)
        for entry in record.entries:
            if type(entry) is said.RequestQueued:
                line.append((entry.request_id, entry.index, entry.arrival_us))
        return self._wait(line, view)

    @staticmethod
    def _wait(line: deque[tuple[str, int, int]], view: BatchView) -> int | None:
        while line:
            request_id, index, arrival_us = line[0]
            waiting = view.waiting.get(request_id)
            if waiting is not None and waiting.index == index:
                return view.now - arrival_us
            line.popleft()
        return None


def _queue(view: BatchView) -> int:
    return len(view.waiting)


def _step(view: BatchView) -> int:
    return view.step if view.phase else -1  # before the first turn step 0 has not begun


def _kv_used(view: BatchView) -> int:
    return view.kv_used


def _kv_share(view: BatchView) -> float | None:
    return None if view.kv_total is None else 100 * view.kv_used / view.kv_total


def _count_of(make: Callable[[], Measure]) -> Callable[[str], Bound | None]:
    return lambda text: Bound(make(), int(text)) if _NUMBER.fullmatch(text) else None


def _time(text: str) -> Bound | None:
    found = _TIME.fullmatch(text)
    return Bound(OldestWait(), float(found[1]) * _UNITS_US[found[2]]) if found else None


def _blocks(text: str) -> Bound | None:
    found = _SHARE.fullmatch(text)
    if found:
        return Bound(Reading(_kv_share), float(found[1]))
    return _count_of(lambda: Reading(_kv_used))(text)


_HAPPENS: Mapping[type, Find] = {
    said.RequestQueued: _its,
    said.RequestRefused: _its,
    said.RequestBlocked: _its,
    said.RequestAdmitted: _its,
    said.RequestFinished: _its,
    said.ListenerFailed: _its,
    said.ResultsDelivered: _among_its,
    said.RowsDiscarded: _among_its,
    said.CallFailed: _failed,
    said.TokensApplied: _held,
}

_SLOT: Mapping[type, Find] = {
    said.RequestAdmitted: _in_slot,
    said.RequestFinished: _in_slot,
    said.RowsDiscarded: _dropped_in_slot,
    said.TokensApplied: _changed_slot,
}

BATCHING: Vocabulary = {
    "finish": Happens({said.RequestFinished: _its}),
    "admit": Happens({said.RequestAdmitted: _its}),
    "arrive": Happens({said.RequestQueued: _its}),
    "refuse": Happens({said.RequestRefused: _its}),
    "discard": Happens({said.RowsDiscarded: _among_its}),
    "preempt": Happens({}),
    "fail": Happens({said.CallFailed: _failed}),
    "hold": Happens({said.TokensApplied: _held}),
    "abort": Happens({said.RequestFinished: _ended_by("abort")}),
    "error": Happens({said.RequestFinished: _ended_by("error")}),
    "queue": Compares(_count_of(lambda: Reading(_queue)), "10"),
    "wait": Compares(_time, "2s"),
    "kv": Compares(_blocks, "90%"),
    "running": Compares(_count_of(Running), "4"),
    "slot": Happens(_SLOT, "number"),
    "request": Happens(_HAPPENS, "id"),
    "step": Compares(_count_of(lambda: Reading(_step)), "120", ">="),
    "options": Happens({said.OptionsChanged: _always}, ""),
}
