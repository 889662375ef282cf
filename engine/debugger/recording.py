"""What a recording holds besides inputs and events: its header, turns in which nothing was
decided, and what the machine was told of its vocabulary.

A recording is a header and *entries*, in the order in which they came about. Those of one turn are
the inputs that it took, then what the vocabulary was asked, then its events; where it has none,
``Turned`` stands for them. A turn ends at ``Turned``, where something else than an event follows,
and where the next event is of another unit, step or phase. So inputs alone are enough to run the
machine again: times come from the turns, answers of a model from ``Replied``, tokens and their
bytes from ``PromptEncoded`` and ``TokenSpelled``.

The file format is JSON Lines: the header first, then an entry a line, each an object whose
``type`` is first. A reader refuses a ``version`` above its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from batchtui.engine.machine import Count, Event, Input

VERSION = 1
"""Of the format that is written here, and the highest one that can be read."""

Texts = Literal["full", "hash", "none"]
"""How much of prompts and answers a recording keeps."""


class Header(msgspec.Struct, frozen=True, kw_only=True, tag="Recording"):
    """The first line of a recording: how the run was set up.

    ``config`` is the machine's own, ``world`` what performed its work and is wanted to go on from
    here (scripts and faults of a case): both are typed by the system, hence ``Any``. ``command`` is
    what a person would type to run the same again. A recording whose ``texts`` are not ``full`` can
    be looked at, not run again. ``backend``, ``policy`` and ``eos_token_ids`` are for systems that
    have such.
    """

    version: int = VERSION
    system: str
    workload: str
    backend: str = ""
    policy: str = ""
    seed: int
    real: bool
    texts: Texts = "full"
    config: dict[str, Any]
    eos_token_ids: list[int] = []
    command: str = ""
    versions: dict[str, str] = {}
    world: dict[str, Any] = {}


class Turned(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A turn that decided nothing."""

    step: Count
    phase: str
    at: Count
    unit: str


class PromptEncoded(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """The vocabulary turned the next prompt into tokens; ``error`` is why it could not."""

    token_ids: Sequence[int] = ()
    error: str | None = None


class TokenSpelled(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The vocabulary was asked for a token's bytes for the first time; None: there is none."""

    token: int
    data: bytes | None


class Keyframe(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A chunk of turns has ended: what whoever opens the file would else have to work out.

    It says nothing new, and may stand anywhere after the chunk. ``crc`` is the CRC-32 of every byte
    of the file before it: who finds another must not believe it.

    Attributes:
        chunk: its number, from 0; it begins where the one before it ends.
        end: how many bytes of the file stand before its end.
        turn, step: the moment at its end, and the step of its last turn.
        seqs: for each of its turns by how much the number of the last event so far grew.
        marks: of its steps, that of the last turn before it included.
        frame: the view at its end, frozen.
    """

    chunk: Count
    end: Count
    turn: Count
    step: Count
    seqs: list[Count]
    marks: str
    frame: bytes
    crc: Count = 0


class Passed(msgspec.Struct, frozen=True, tag="Keyframe"):
    """One that was passed over: whoever has read the turns knows what it says."""


Fact = PromptEncoded | TokenSpelled

Entry = Input | Event | Turned | PromptEncoded | TokenSpelled


class TurnRecord(NamedTuple):
    """One turn of a recording: what was taken, asked and decided, and where the run was then."""

    step: int
    phase: str
    at: int
    unit: str
    entries: list[Entry]

    @property
    def events(self) -> list[Event]:
        """What was decided."""
        return [entry for entry in self.entries if isinstance(entry, Event)]

    @property
    def inputs(self) -> list[Input]:
        """What was taken."""
        return [entry for entry in self.entries if isinstance(entry, Input)]


def turns_of(
    entries: Iterable[Entry], is_whole: Callable[[], bool] = lambda: True
) -> Iterator[TurnRecord]:
    """Cut entries into turns; inputs at the end that no turn has decided upon are left out.

    ``is_whole`` is asked at the end: whether the last turn can be trusted to have all its events.
    """
    pending: list[Entry] = []
    last: Event | Turned | None = None  # the one that says where the pending turn is
    for entry in entries:
        if isinstance(entry, Event):
            if last is None:
                last = entry
            elif entry.step != last.step or entry.phase != last.phase or entry.unit != last.unit:
                yield _turn(last, pending)
                pending = []
            last = entry
            pending.append(entry)
            continue
        if last is not None:
            yield _turn(last, pending)
            pending, last = [], None
        pending.append(entry)
        if type(entry) is Turned:
            yield _turn(entry, pending)
            pending = []
    if last is not None and is_whole():
        yield _turn(last, pending)


def _turn(place: Event | Turned, entries: list[Entry]) -> TurnRecord:
    return TurnRecord(place.step, place.phase, place.at, place.unit, entries)
