from __future__ import annotations

import gzip
import json
import re
import tracemalloc
from pathlib import Path

import pytest

from batchtui.engine.batching.request import Message, Request, SamplingParams
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.requests import RequestsFormat
from batchtui.plugins.formats.workload import Workload

GOOD = '{"request_id": "a"}'
USER = '{"role": "user", "content": "x"}'


def read(tmp_path: Path, *lines: str) -> Workload:
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return RequestsFormat().read(path)


def fault(tmp_path: Path, line: str) -> str:
    with pytest.raises(InputError) as caught:
        read(tmp_path, GOOD, line)
    return str(caught.value)


def test_every_field_reaches_the_request(tmp_path: Path) -> None:
    fields = {
        "request_id": "r1",
        "arrival_s": 1.25,
        "prompt_token_ids": [5, 6],
        "max_tokens": 9,
        "min_tokens": 2,
        "stop": ["END", "\n"],
        "stop_token_ids": [99],
        "ignore_eos": True,
        "include_stop_str_in_output": True,
        "priority": -1,
        "tenant": "books",
        "prefix": [1, 2],
        "seed": 7,
        "temperature": 0.5,
        "top_p": 0.9,
        "logprobs": 3,
        "deadline_s": 2.5,
        "expected": "yes",
    }
    (request,) = read(tmp_path, json.dumps(fields)).requests()
    assert request == Request(
        request_id="r1",
        params=SamplingParams(
            max_tokens=9,
            min_tokens=2,
            stop=("END", "\n"),
            stop_token_ids=(99,),
            ignore_eos=True,
            include_stop_str_in_output=True,
            seed=7,
            temperature=0.5,
            top_p=0.9,
            logprobs=3,
        ),
        prompt=(5, 6),
        arrival_us=1_250_000,
        priority=-1,
        tenant="books",
        deadline_us=2_500_000,
        prefix=(1, 2),
        expected="yes",
    )


@pytest.mark.parametrize(
    ("field", "prompt"),
    [
        ('"prompt": "café"', "café"),
        ('"prompt": ""', ""),
        ('"prompt_tokens": 12', 12),
        ('"prompt_tokens": 0', 0),
        ('"prompt_token_ids": [1]', (1,)),
        ('"prompt": null', 0),
    ],
)
def test_a_prompt_is_a_text_a_count_or_tokens(
    tmp_path: Path, field: str, prompt: str | int | tuple[int, ...]
) -> None:
    (request,) = read(tmp_path, f'{{"request_id": "a", {field}}}').requests()
    assert request.prompt == prompt


def test_a_chat_stands_in_place_of_a_prompt(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": ""},
        {"content": "é\n", "role": "assistant"},
    ]
    line = json.dumps({"request_id": "a", "messages": messages})
    chat, other = read(tmp_path, line, '{"request_id": "b", "messages": null}').requests()
    assert chat.prompt == 0
    assert chat.messages == (
        Message("system", "Be brief."),
        Message("user", ""),
        Message("assistant", "é\n"),
    )
    assert other.messages == ()


@pytest.mark.parametrize(
    ("field", "logprobs"),
    [('"logprobs": 0', 0), ('"logprobs": 20', 20), ('"logprobs": null', None)],
)
def test_logprobs_are_a_number_or_not_asked_for(
    tmp_path: Path, field: str, logprobs: int | None
) -> None:
    (request,) = read(tmp_path, f'{{"request_id": "a", {field}}}').requests()
    assert request.params.logprobs == logprobs


def test_one_stop_string_may_stand_alone(tmp_path: Path) -> None:
    (request,) = read(tmp_path, '{"request_id": "a", "stop": "END"}').requests()
    assert request.params.stops == ("END",)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('"request_id": "b", "foo": 1', 'unknown field "foo"; known are '),
        ('"prompt": "x"', 'missing field "request_id"'),
        ('"request_id": ""', "request_id: want str of length >= 1"),
        ('"request_id": 5', "request_id is of type int: want str"),
        ('"request_id": "b", "max_tokens": 0', "max_tokens is 0: want 1 or more"),
        ('"request_id": "b", "max_tokens": "9"', "max_tokens is of type str: want int"),
        ('"request_id": "b", "min_tokens": 17', "min_tokens is 17: want 0 to max_tokens"),
        ('"request_id": "b", "arrival_s": NaN', "arrival_s is NaN: want a finite number"),
        ('"request_id": "b", "arrival_s": Infinity', "arrival_s is Infinity: want a finite"),
        ('"request_id": "b", "arrival_s": 1e999', "arrival_s: Number out of range"),
        ('"request_id": "b", "arrival_s": -1', "arrival_s: want float >= 0"),
        ('"request_id": "b", "deadline_s": 0', "deadline_s: want float > 0"),
        ('"request_id": "b", "top_p": 0', "top_p is 0.0: want more than 0 and at most 1"),
        ('"request_id": "b", "stop": [""]', "stop holds an empty string"),
        ('"request_id": "b", "stop": [1]', "stop[0] is of type int: want str"),
        ('"request_id": "b", "prompt_tokens": -1', "prompt_tokens: want int >= 0"),
        ('"request_id": "b", "prompt_token_ids": [-1]', "prompt_token_ids[0]: want int >= 0"),
        ('"request_id": "b", "prompt_token_ids": [1.5]', "prompt_token_ids[0] is of type float"),
        (f'"request_id": "b", "seed": {10**30}', "seed: want int <= "),
        (f'"request_id": "b", "max_tokens": {10**30}', "max_tokens: want int <= "),
        (
            '"request_id": "b", "prompt": "x", "prompt_tokens": 1',
            "more than one of prompt, prompt_tokens, prompt_token_ids and messages is given",
        ),
        (
            f'"request_id": "b", "prompt_tokens": 0, "messages": [{USER}]',
            "more than one of prompt, prompt_tokens, prompt_token_ids and messages is given",
        ),
        ('"request_id": "b", "messages": []', "messages: want array of length >= 1"),
        ('"request_id": "b", "messages": "x"', "messages is of type str: want array"),
        ('"request_id": "b", "messages": [{}]', 'missing field "role" in messages[0]'),
        (
            f'"request_id": "b", "messages": [{USER}, {{"role": "tool", "content": ""}}]',
            "messages[1]: role is unknown: want system, user or assistant",
        ),
        (
            '"request_id": "b", "messages": [{"role": "user", "content": "", "name": "n"}]',
            'unknown field "name" in messages[0]',
        ),
        (
            '"request_id": "b", "messages": [{"role": "user", "content": [{"text": "x"}]}]',
            "messages[0].content is of type array: want str",
        ),
        ('"request_id": "b", "logprobs": 21', "logprobs is 21: want 0 to 20"),
        ('"request_id": "b", "logprobs": -1', "logprobs is -1: want 0 to 20"),
        ('"request_id": "b", "logprobs": true', "logprobs is of type bool: want int"),
        (f'"request_id": "b", "logprobs": {10**30}', "logprobs: want int <= "),
    ],
)
def test_a_fault_names_file_line_and_field(tmp_path: Path, fields: str, message: str) -> None:
    assert fault(tmp_path, f"{{{fields}}}").startswith(f"requests.jsonl line 2: {message}")


def test_blank_lines_count_towards_the_line_of_a_fault(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^requests\.jsonl line 4: missing field"):
        read(tmp_path, GOOD, "", "  ", "{}")


def test_a_line_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    assert fault(tmp_path, '{"request_id": "b", "max_t') == (
        "requests.jsonl line 2: the JSON is cut short"
    )


def test_a_prompt_never_reaches_a_message(tmp_path: Path) -> None:
    secret = "my secret is 4711"
    for rest in (', "foo": 1}', ', "max_tokens": 0}', ', "prompt_tokens": 1}', "", ", }", ", NaN}"):
        assert "4711" not in fault(tmp_path, f'{{"request_id": "b", "prompt": "{secret}"{rest}')
    for said in (f'"role": "{secret}", "content": ""', f'"role": "user", "content": ["{secret}"]'):
        assert "4711" not in fault(tmp_path, f'{{"request_id": "b", "messages": [{{{said}}}]}}')


def test_nothing_is_handed_out_where_any_line_is_bad(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1001"):
        read(tmp_path, *[GOOD] * 1000, "[]")


def test_an_empty_workload_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^requests\.jsonl has no requests"):
        read(tmp_path, "", " ")


def test_an_id_may_come_twice(tmp_path: Path) -> None:
    ids = [(request.request_id, request.index) for request in read(tmp_path, GOOD, GOOD).requests()]
    assert ids == [("a", 0), ("a", 1)]


def test_arrivals_out_of_order_are_sorted_and_keep_their_places(tmp_path: Path) -> None:
    arrivals = [2, 0.5, 2, 1, 0.5]
    lines = [f'{{"request_id": "a", "arrival_s": {arrival}}}' for arrival in arrivals]
    workload = read(tmp_path, *lines)
    for _ in range(2):
        found = [(request.arrival_us, request.index) for request in workload.requests()]
        assert found == sorted((round(at * 1e6), place) for place, at in enumerate(arrivals))


def test_equal_parameters_are_one_object(tmp_path: Path) -> None:
    line = '{"request_id": "a", "stop": ["END"], "max_tokens": 5, "logprobs": 2}'
    first, other, second = read(tmp_path, line, GOOD, line).requests()
    assert first.params is second.params
    assert first.params != other.params


def test_a_long_file_in_order_costs_no_memory(tmp_path: Path) -> None:
    lines = [
        f'{{"request_id": "r{place}", "arrival_s": {place}, "prompt": "{place:0200}"}}'
        for place in range(5000)
    ]
    path = tmp_path / "requests.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    del lines
    tracemalloc.start()
    try:
        assert sum(1 for _ in RequestsFormat().read(path).requests()) == 5000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 500_000  # the file has 1.2 MB, its requests twice that


def test_a_request_is_recognised_by_a_field_that_only_requests_have() -> None:
    recognises = RequestsFormat().recognises
    assert recognises(b'{"prompt": "x", "requ')
    assert recognises(b'{"messages": [{"role": "user", "content": "')
    assert not recognises(b'{"why": {"messages": []}}')
    assert recognises(b'\n{"request_id": "a"}\n')
    assert not recognises(b'{"seed": 1, "version": 3}')
    assert not recognises(b'{"requests": [{"request_id": "a"}]}')
    assert not recognises(b"request_id,max_tokens\n")


def test_the_examples_of_the_docs_are_read(tmp_path: Path) -> None:
    docs = Path(__file__).parents[3] / "docs" / "workloads.md"
    blocks = re.findall(r"```json\n(.*?)```", docs.read_text(encoding="utf-8"), re.DOTALL)
    lines = [block.strip() for block in blocks if block.startswith('{"request_id"')]
    (request,) = read(tmp_path, *lines).requests()
    assert [message.role for message in request.messages] == ["system", "user"]
    assert request.params.logprobs == 3
