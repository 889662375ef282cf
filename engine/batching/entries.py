"""What a recording of a batching machine holds: its entries as one tagged union."""

from __future__ import annotations

from typing import cast

import msgspec

from batchtui.engine.batching import events as said
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.request import Request
from batchtui.engine.debugger.codec import Codec, Unread
from batchtui.engine.debugger.recording import Entry, Passed, PromptEncoded, TokenSpelled, Turned
from batchtui.engine.machine import (
    Aborted,
    Configured,
    Failure,
    Injected,
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

DECODER = msgspec.json.Decoder(cast(type[Entry], ENTRY))
VIEWER = msgspec.json.Decoder(cast(type[Entry], SEEN))
CODEC = Codec(DECODER, VIEWER)
