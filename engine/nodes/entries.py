"""What a recording of a search holds: its entries as one tagged union.

Replies are small and say what a test came to, so whoever only looks reads the same.
"""

from __future__ import annotations

from typing import cast

import msgspec

from batchtui.engine.debugger.codec import Codec
from batchtui.engine.debugger.recording import Entry, Passed, Turned
from batchtui.engine.machine import Aborted, Configured, Failure, Injected, Replied, Woken
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.probe import ProbeResult

SYSTEM = "nodes"

INPUT = Aborted | Configured[NodesOptions] | Injected[str] | Woken | Replied[ProbeResult | Failure]

ENTRY = INPUT | said.EVENT | Turned | Passed

DECODER = msgspec.json.Decoder(cast(type[Entry], ENTRY))
VIEWER = DECODER
CODEC = Codec(DECODER, VIEWER)
