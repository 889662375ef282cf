from __future__ import annotations

import json
from pathlib import Path

import pytest

from batchtui.engine.errors import InputError
from batchtui.plugins.formats.mooncake import MooncakeFormat
from batchtui.plugins.formats.workload import Workload


def row(timestamp: float, prompt: int = 700, output: int = 5, **more: object) -> str:
    fields = {"timestamp": timestamp, "input_length": prompt, "output_length": output}
    return json.dumps({**fields, **more})


def read(tmp_path: Path, *lines: str) -> Workload:
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return MooncakeFormat().read(path)


def test_rows_become_requests_known_by_their_lengths_and_blocks(tmp_path: Path) -> None:
    first, second = read(tmp_path, row(27000, hash_ids=[0, 14]), row(27001.5, 9, 44)).requests()
    assert (first.request_id, first.arrival_us, first.prompt) == ("row-1", 0, 700)
    assert (first.prefix, first.params.max_tokens, first.params.ignore_eos) == ((0, 14), 5, True)
    assert (second.request_id, second.arrival_us, second.prefix) == ("row-2", 1500, ())


def test_equal_timestamps_keep_the_order_of_the_file(tmp_path: Path) -> None:
    workload = read(tmp_path, row(3000), row(0), row(3000), row(0), row(3000))
    assert [request.index for request in workload.requests()] == [1, 3, 0, 2, 4]


def test_columns_of_later_releases_are_passed_over(tmp_path: Path) -> None:
    assert read(tmp_path, row(0, session="x")).num_requests == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (row(0, output=0), "output_length is 0, a request that failed"),
        (row(0, output=-1), "output_length: want int >= 0"),
        (row(-1), "timestamp: "),
        (row(0, hash_ids=["a"]), "hash_ids[0] is of type str: want int"),
        ('{"timestamp": 0, "input_length": 1}', 'missing field "output_length"'),
        ('{"timestamp": NaN, "input_length": 1}', "timestamp is NaN: want a finite number"),
    ],
)
def test_a_bad_row_is_refused_by_its_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, row(0), line)
    assert str(caught.value).startswith(f"trace.jsonl line 2: {message}")


def test_a_trace_is_recognised_by_its_lengths() -> None:
    recognises = MooncakeFormat().recognises
    assert recognises(row(0).encode())
    assert not recognises(b'{"timestamp": 0, "request_id": "a"}')
