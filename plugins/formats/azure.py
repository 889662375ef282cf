"""The traces of Azure's LLM inference service: CSV of a time and two lengths.

``TIMESTAMP,ContextTokens,GeneratedTokens``, columns found by name in any order, fractions of a
second with seven digits (the tenth of a microsecond is dropped). Arrivals are offsets from the
earliest row. A row without generated tokens is refused by its line number, see ``trace.no_output``.
Source: https://github.com/Azure/AzurePublicDataset
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from batchtui.engine.batching.request import Request
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.lines import numbered_lines, place, printable
from batchtui.plugins.formats.stream import stream_workload
from batchtui.plugins.formats.trace import no_output, trace_request
from batchtui.plugins.formats.workload import Workload

COLUMNS = ("TIMESTAMP", "ContextTokens", "GeneratedTokens")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MOST_DIGITS = 12


class AzureFormat:
    """Reads Azure's traces."""

    name = "azure"

    def recognises(self, head: bytes) -> bool:
        """Whether the first line is a header with one of the columns of tokens."""
        lines = head.lstrip().splitlines()
        names = _cells(lines[0].decode("utf-8", "replace")) if lines else []
        return any(column in names for column in COLUMNS[1:])

    def read(self, path: Path) -> Workload:
        """Check every row; the requests are read again, one by one, when they are wanted."""
        return stream_workload(path, self.name, partial(_requests, path), from_first=True)


def _requests(path: Path) -> Iterator[Request]:
    lines = numbered_lines(path)
    width, columns = _header(path, *next(lines, (1, b"")))
    for index, (number, line) in enumerate(lines):
        cells = _cells(line.decode("utf-8", "replace"))
        try:
            if len(cells) != width:
                raise ValueError(f"{len(cells)} cells where the header has {width}")
            yield _request(index, *(cells[column] for column in columns))
        except ValueError as error:
            raise InputError(f"{place(path, number)}: {error}") from error


def _header(path: Path, number: int, line: bytes) -> tuple[int, list[int]]:
    names = _cells(line.decode("utf-8", "replace"))
    missing = [column for column in COLUMNS if names.count(column) != 1]
    if missing:
        wanted = ", ".join(COLUMNS)
        raise InputError(f"{place(path, number)}: want one column {missing[0]} of {wanted}")
    return len(names), [names.index(column) for column in COLUMNS]


def _request(index: int, time: str, context: str, generated: str) -> Request:
    output_tokens = _count("GeneratedTokens", generated)
    if not output_tokens:
        raise ValueError(no_output("GeneratedTokens"))
    return trace_request(
        index,
        arrival_us=_microseconds(time),
        prompt_tokens=_count("ContextTokens", context),
        output_tokens=output_tokens,
    )


def _microseconds(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f'TIMESTAMP is "{printable(text)}": want one like 2023-11-16 18:15:46.6805900'
        ) from None
    # Releases differ in whether they say the zone; where they do not, it is UTC.
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND


def _count(column: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise ValueError(f'{column} is "{printable(text)}": want a whole number from 0 up')
    return int(text)


def _cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:  # a cell longer than the csv module takes
        return []
