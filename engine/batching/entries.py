"""What a recording of a batching machine holds: its entries as one tagged union, and its header.

Lines are JSON; an entry comes back from its line as it was.
"""

from __future__ import annotations

import msgspec

from batchtui.engine.batching import events as said
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.request import Request
from batchtui.engine.debugger.recording import Header, PromptEncoded, TokenSpelled, Turned
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

ENTRY = INPUT | said.EVENT | Turned | PromptEncoded | TokenSpelled

HEADER = msgspec.json.Decoder(Header)
DECODER = msgspec.json.Decoder(ENTRY)
ENCODER = msgspec.json.Encoder()
