from __future__ import annotations

from pathlib import Path

import pytest

from batchtui.engine.errors import InputError
from batchtui.plugins.formats.azure import AzureFormat
from batchtui.plugins.formats.workload import Workload

HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens"


def read(tmp_path: Path, *lines: str, end: str = "\r\n") -> Workload:
    path = tmp_path / "trace.csv"
    path.write_bytes(end.join(lines).encode())
    return AzureFormat().read(path)


def test_rows_become_requests_known_by_their_lengths(tmp_path: Path) -> None:
    workload = read(
        tmp_path, HEADER, "2031-01-05 23:59:59.5000001,374,44", "2031-01-06 00:00:01.2500009,9,1"
    )
    first, second = workload.requests()
    assert (first.request_id, first.index, first.arrival_us, first.prompt) == ("row-1", 0, 0, 374)
    assert (first.params.max_tokens, first.params.ignore_eos) == (44, True)
    assert (second.request_id, second.arrival_us, second.prompt) == ("row-2", 1_750_000, 9)
    assert workload.num_requests == 2


def test_arrivals_count_from_the_earliest_row_wherever_it_stands(tmp_path: Path) -> None:
    rows = ["2031-01-01 00:00:03,1,1", "2031-01-01 00:00:01,2,2", "2031-01-01 00:00:02,3,3"]
    workload = read(tmp_path, HEADER, *rows)
    found = [(request.request_id, request.arrival_us) for request in workload.requests()]
    assert found == [("row-2", 0), ("row-3", 1_000_000), ("row-1", 2_000_000)]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("GeneratedTokens,TIMESTAMP,ContextTokens", "44,2031-01-01 00:00:00,374"),
        (
            "TIMESTAMP,Model,ContextTokens,New,GeneratedTokens",
            '2031-01-01 00:00:00,"a, b",374,,44',
        ),
        ("\ufeffTIMESTAMP, ContextTokens, GeneratedTokens", "2031-01-01T00:00:00+00:00, 374, 44"),
        (HEADER, '"2031-01-01 00:00:00","374","44"'),
    ],
)
def test_columns_are_found_by_name(tmp_path: Path, header: str, row: str) -> None:
    (request,) = read(tmp_path, header, row, "", end="\n").requests()
    assert (request.prompt, request.params.max_tokens) == (374, 44)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("2031-01-01 00:00:00,1,0", "GeneratedTokens is 0, a request that failed"),
        ("2031-01-01 00:00:00,1,-5", 'GeneratedTokens is "-5": want a whole number'),
        ("2031-01-01 00:00:00,NaN,5", 'ContextTokens is "NaN": want a whole number'),
        ("2031-01-01 00:00:00,,5", 'ContextTokens is "": want a whole number'),
        ("2031-01-01 00:00:00,1.5,5", 'ContextTokens is "1.5": want a whole number'),
        (f"2031-01-01 00:00:00,{'9' * 5000},5", f'ContextTokens is "{"9" * 40}…"'),
        ("yesterday,1,5", 'TIMESTAMP is "yesterday": want one like'),
        ("\x1b[2J,1,5", 'TIMESTAMP is "\\x1b[2J": want one like'),
        ("2031-01-01 00:00:00,1", "2 cells where the header has 3"),
        ("2031-01-01 00:00:00,1,5,6", "4 cells where the header has 3"),
    ],
)
def test_a_bad_row_is_refused_by_its_line(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, HEADER, "2031-01-01 00:00:00,1,1", row)
    assert str(caught.value).startswith(f"trace.csv line 3: {message}")


@pytest.mark.parametrize(
    "header", ["TIMESTAMP,ContextTokens", "TIMESTAMP,ContextTokens,GeneratedTokens,GeneratedTokens"]
)
def test_a_column_that_is_not_there_once_is_named(tmp_path: Path, header: str) -> None:
    with pytest.raises(InputError, match=r"line 1: want one column GeneratedTokens of TIMESTAMP"):
        read(tmp_path, header)


@pytest.mark.parametrize("lines", [(HEADER,), (HEADER, "", "")])
def test_a_trace_without_rows_is_an_error(tmp_path: Path, lines: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=r"^trace\.csv has no requests"):
        read(tmp_path, *lines)


def test_a_trace_is_recognised_by_its_header() -> None:
    recognises = AzureFormat().recognises
    assert recognises(f"{HEADER}\r\n1,2,3".encode())
    assert recognises(b"ContextTokens,other")
    assert not recognises(b"TIMESTAMP,Request tokens,Response tokens\n")
    assert not recognises(b'{"ContextTokens": 1}')
    assert not recognises(b"")
