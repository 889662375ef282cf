"""What a decoder has counted since it began."""

from __future__ import annotations

import msgspec


class Counters(msgspec.Struct):
    """Totals of a run. ``returned == kept + living + discarded`` tokens, at every turn's end.

    Attributes:
        steps: steps in which a call was due.
        calls: model calls, those made again included; ``retried`` are those made again.
        admitted: requests that got a slot.
        refused: requests turned away unrun.
        stale_rows: rows that came back for nobody.
        returned: tokens that came back from the model.
        discarded: of these, those dropped: refused replies, stale rows, what came after an end.
        kept: tokens of the requests that have ended.
    """

    steps: int = 0
    calls: int = 0
    retried: int = 0
    admitted: int = 0
    refused: int = 0
    stale_rows: int = 0
    returned: int = 0
    discarded: int = 0
    kept: int = 0
