"""How recordings are written down: JSON Lines, whatever the system; a ``Codec`` reads its entries.

Lines are JSON; an entry comes back from its line as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import filterfalse

import msgspec

from batchtui.engine.debugger.recording import Entry, Header, Keyframe, Passed
from batchtui.engine.machine import Input

HEADER = msgspec.json.Decoder(Header)
KEYFRAME = msgspec.json.Decoder(Keyframe)
ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True)
class Codec:
    """The entries of a system, as decoders of its tagged union; ``Passed`` is one of its kinds.

    Attributes:
        whole: takes everything in: wanted to run a recording again.
        viewer: the same to be looked at; it may pass over replies (``Unread``).
    """

    whole: msgspec.json.Decoder[Entry]
    viewer: msgspec.json.Decoder[Entry]


class Unread(Input, frozen=True, kw_only=True, tag="Replied"):
    """A reply that was passed over: nobody who only looks wants what is in it."""

    work: int
    final: bool = True
    late: bool = False


def decoded(decoder: msgspec.json.Decoder[Entry], lines: bytes) -> list[Entry]:
    """The entries of some lines, without the keyframes among them."""
    entries: list[Entry] = decoder.decode_lines(lines)
    return list(filterfalse(_is_passed, entries)) if Passed in map(type, entries) else entries


def _is_passed(entry: object) -> bool:
    return type(entry) is Passed
