"""The traces of Mooncake: JSON Lines of a time, two lengths and the blocks of the prompt.

``timestamp`` is in milliseconds, many rows have the same one and keep their order; ``hash_ids``
name the prompt's leading blocks of 512 tokens, equal names equal content. Arrivals are offsets from
the earliest row. A row without output is refused by its line number, see ``trace.no_output``.
Source: https://github.com/kvcache-ai/Mooncake
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec

from batchtui.engine.batching.request import Request
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.decode import decode, top_level_keys
from batchtui.plugins.formats.lines import numbered_lines, place
from batchtui.plugins.formats.stream import stream_workload
from batchtui.plugins.formats.trace import no_output, trace_request
from batchtui.plugins.formats.workload import Workload

_Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
_Milliseconds = (
    Annotated[int, msgspec.Meta(ge=0, le=10**15)] | Annotated[float, msgspec.Meta(ge=0, le=1e15)]
)


class TraceRow(msgspec.Struct, frozen=True, gc=False):
    """One row as it is written."""

    timestamp: _Milliseconds
    input_length: _Count
    output_length: _Count
    hash_ids: tuple[int, ...] = ()


_DECODER = msgspec.json.Decoder(TraceRow)


class MooncakeFormat:
    """Reads Mooncake's traces."""

    name = "mooncake"

    def recognises(self, head: bytes) -> bool:
        """Whether the first line is an object with one of the lengths."""
        return not {"input_length", "output_length"}.isdisjoint(top_level_keys(head))

    def read(self, path: Path) -> Workload:
        """Check every row; the requests are read again, one by one, when they are wanted."""
        return stream_workload(path, self.name, partial(_requests, path), from_first=True)


def _requests(path: Path) -> Iterator[Request]:
    for index, (number, line) in enumerate(numbered_lines(path)):
        row = decode(_DECODER, line, place(path, number))
        if not row.output_length:
            raise InputError(f"{place(path, number)}: {no_output('output_length')}")
        yield trace_request(
            index,
            arrival_us=round(row.timestamp * 1000),
            prompt_tokens=row.input_length,
            output_tokens=row.output_length,
            prefix=row.hash_ids,
        )
