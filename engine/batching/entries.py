"""What a recording of a batching machine holds: its entries as one tagged union, and its header.

Lines are JSON; an entry comes back from its line as it was.
"""

from __future__ import annotations

from itertools import filterfalse
from typing import cast

import msgspec

from batchtui.engine.batching import events as said
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.request import Request
from batchtui.engine.debugger.recording import (
    Entry,
    Header,
    Keyframe,
    Passed,
    PromptEncoded,
    TokenSpelled,
    Turned,
)
from batchtui.engine.machine import (
    Aborted,
    Configured,
    Failure,
    Injected,
    Input,
    Replied,
    Submitted,
    Woken,
)
from batchtui.engine.model import Reply

SYSTEM = "batching"

INPUT = (
    Submitted[Request]
    | Aborted
    | Configured[Options]
    | Injected[str]
    | Woken
    | Replied[Reply | Failure]
)

ENTRY = INPUT | said.EVENT | Turned | PromptEncoded | TokenSpelled | Passed

HEADER = msgspec.json.Decoder(Header)


class Unread(Input, frozen=True, kw_only=True, tag="Replied"):
    """A reply that was passed over: nobody who only looks wants what is in it."""

    work: int
    final: bool = True
    late: bool = False


SEEN = (
    Submitted[Request]
    | Aborted
    | Configured[Options]
    | Injected[str]
    | Woken
    | Unread
    | said.EVENT
    | Turned
    | PromptEncoded
    | TokenSpelled
    | Passed
)
"""The same to be looked at: replies are half of a recording."""

KEYFRAME = msgspec.json.Decoder(Keyframe)

DECODER = msgspec.json.Decoder(cast(type[Entry], ENTRY))
VIEWER = msgspec.json.Decoder(cast(type[Entry], SEEN))
ENCODER = msgspec.json.Encoder()


def decoded(decoder: msgspec.json.Decoder[Entry], lines: bytes) -> list[Entry]:
    """The entries of some lines, without the keyframes among them."""
    entries: list[Entry] = decoder.decode_lines(lines)
    return list(filterfalse(_is_passed, entries)) if Passed in map(type, entries) else entries


def _is_passed(entry: object) -> bool:
    return type(entry) is Passed
