from __future__ import annotations

import json
from pathlib import Path

import pytest

from batchtui.engine.batching.request import Message, Request
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Aborted, Submitted
from batchtui.plugins.formats.case import CaseFormat
from batchtui.plugins.formats.lines import head
from batchtui.plugins.formats.workload import Fault, Script, ScriptToken, Workload

CASES = Path(__file__).parents[2] / "cases" / "batching"


def read(tmp_path: Path, case: object) -> Workload:
    path = tmp_path / "small.json"
    path.write_text(case if isinstance(case, str) else json.dumps(case), encoding="utf-8")
    return CaseFormat().read(path)


def with_request(**fields: object) -> dict[str, object]:
    return {"requests": [{"request_id": "a", **fields}]}


def told(workload: Workload, now: int = 0) -> list[tuple[int, str]]:
    """The steps of a workload: ``+id`` for a submission, ``-id`` for an abort."""
    inputs = [(step, make(now)) for step, make in workload.steps or ()]
    return [
        (step, f"-{each.target}" if isinstance(each, Aborted) else f"+{body(each).request_id}")
        for step, each in inputs
    ]


def body(input: object) -> Request:
    assert isinstance(input, Submitted) and isinstance(input.body, Request)
    return input.body


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_every_case_is_recognised_and_read(path: Path) -> None:
    assert CaseFormat().recognises(head(path))
    workload = CaseFormat().read(path)
    case = json.loads(path.read_text(encoding="utf-8"))
    assert workload.num_requests == len(case["requests"])
    assert workload.backend == "scripted"
    assert workload.options["slots"] == case["slots"]


def test_options_are_what_the_case_says_and_nothing_else(tmp_path: Path) -> None:
    said = {"slots": 2, "policy": "priority", "kv": {"block_size": 16, "num_gpu_blocks": 64}}
    workload = read(tmp_path, {**said, **with_request(), "why": ["any"], "expect": 3})
    assert workload.options == {
        "slots": 2,
        "policy": "priority",
        "block_size": 16,
        "num_gpu_blocks": 64,
    }
    assert read(tmp_path, with_request()).options == {}


def test_tokens_are_texts_bytes_ids_and_eos(tmp_path: Path) -> None:
    calls = [["a", {"hex": "f09f"}], [], [{"id": 99, "text": "#"}, {"text": "<eos>"}, "<eos>"]]
    workload = read(tmp_path, with_request(calls=calls, abort_in_call=2))
    assert workload.scripts == {
        0: Script(
            calls=(
                (ScriptToken(data=b"a"), ScriptToken(data=b"\xf0\x9f")),
                (),
                (
                    ScriptToken(data=b"#", id=99),
                    ScriptToken(data=b"<eos>"),
                    ScriptToken(data=None),
                ),
            ),
            abort_in_call=2,
        )
    }


def test_a_request_without_calls_beside_one_with_them_has_an_empty_script(tmp_path: Path) -> None:
    requests = [{"request_id": "a", "calls": [["x"]]}, {"request_id": "b"}]
    assert read(tmp_path, {"requests": requests}).scripts[1] == Script(calls=())


def test_steps_hold_submissions_then_aborts_in_the_order_of_the_file(tmp_path: Path) -> None:
    requests = [
        {"request_id": "a", "calls": [], "arrive_at_step": 3},
        {"request_id": "b", "calls": [], "abort_at_step": 3},
        {"request_id": "c", "calls": [], "arrive_at_step": 3},
        {"request_id": "d", "calls": [], "abort_at_step": 1},
    ]
    workload = read(tmp_path, {"requests": requests})
    assert told(workload) == [(0, "+b"), (0, "+d"), (1, "-d"), (3, "+a"), (3, "+c"), (3, "-b")]
    assert list(workload.requests()) == []


def test_a_submission_arrives_when_its_step_comes(tmp_path: Path) -> None:
    workload = read(tmp_path, with_request(calls=[["x"]], max_tokens=5))
    assert workload.steps is not None
    submitted = workload.steps[0][1](4000)
    assert (submitted.at, submitted.unit) == (4000, "batch")
    assert (body(submitted).arrival_us, body(submitted).params.max_tokens) == (4000, 5)


def test_a_request_of_a_case_may_be_a_chat_and_ask_for_logprobs(tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "Why?"}]
    workload = read(tmp_path, with_request(calls=[["x"]], messages=chat, logprobs=2))
    assert workload.steps is not None
    submitted = body(workload.steps[0][1](0))
    assert submitted.messages == (Message("user", "Why?"),)
    assert submitted.params.logprobs == 2


def test_without_calls_a_case_is_simulated_and_goes_by_time(tmp_path: Path) -> None:
    requests = [{"request_id": "a", "arrival_s": 2}, {"request_id": "b", "arrival_s": 1}]
    workload = read(tmp_path, {"requests": requests})
    assert (workload.backend, workload.steps, workload.scripts) == ("simulated", None, {})
    assert [request.index for request in workload.requests()] == [1, 0]


def test_steps_without_calls_are_simulated_too(tmp_path: Path) -> None:
    workload = read(tmp_path, with_request(arrive_at_step=4))
    assert (workload.backend, told(workload)) == ("simulated", [(4, "+a")])


def test_faults_are_read(tmp_path: Path) -> None:
    faults = [{"call": 2, "kind": "late"}, {"request_id": "a", "kind": "raise", "always": True}]
    assert read(tmp_path, {**with_request(), "faults": faults}).faults == (
        Fault(kind="late", call=2),
        Fault(kind="raise", request_id="a", always=True),
    )


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ([{"call": 1}], 'faults[0]: missing field "kind"'),
        ([{"call": 1, "kind": "melt"}], "faults[0]: kind is melt: want one of raise, short"),
        ([{"call": 1, "kind": "late"}, {"kind": "late"}], "faults[1]: a fault wants either"),
        ([{"call": 1, "request_id": "a", "kind": "late"}], "faults[0]: a fault wants either"),
        ([{"call": 0, "kind": "late"}], "faults[0]: fault call is 0"),
        ([{"call": 1, "kind": "late", "x": 1}], 'faults[0]: unknown field "x"; known are kind'),
        ([{"request_id": "b", "kind": "late"}], 'faults[0]: no request has the request_id "b"'),
    ],
)
def test_a_bad_fault_is_refused_by_its_place(
    tmp_path: Path, faults: list[object], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, {**with_request(), "faults": faults})
    assert str(caught.value).startswith(f"small.json {message}")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"foo": 1}, 'unknown field "foo"; known are '),
        ({"max_tokens": 0}, "max_tokens is 0: want 1 or more"),
        ({"messages": [{"role": "user"}]}, 'missing field "content" in messages[0]'),
        ({"calls": "x"}, "calls is of type str: want array"),
        ({"calls": [["x", 3]]}, "calls[0][1] is of type int"),
        ({"calls": [[{"hex": "f"}]]}, "calls[0][0]: hex is not a row of bytes"),
        ({"calls": [[{"id": 1}]]}, "calls[0][0]: a token wants either hex or text"),
        ({"calls": [[{"hex": "f0", "text": "x"}]]}, "calls[0][0]: a token wants either"),
        ({"calls": [[{"text": "x", "foo": 1}]]}, 'unknown field "foo" in calls[0][0]'),
        (
            {"calls": [[{"id": 1, "text": "x"}, {"id": 1, "text": "y"}]]},
            "token id 1 has other bytes elsewhere",
        ),
        ({"arrive_at_step": -1}, "arrive_at_step: want int >= 0"),
        ({"calls": [], "abort_in_call": 0}, "abort_in_call: want int >= 1"),
        ({"abort_in_call": 1}, "abort_in_call in a case without calls"),
        ({"calls": [], "arrival_s": 1}, "arrival_s in a case that goes by steps"),
    ],
)
def test_a_bad_request_is_refused_by_its_place(
    tmp_path: Path, fields: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, with_request(**fields))
    assert str(caught.value).startswith(f"small.json requests[0]: {message}")


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({**with_request(), "slot": 4}, 'small.json: unknown field "slot"; known are requests'),
        ({**with_request(), "slots": 0}, "small.json: slots: want int >= 1"),
        ({**with_request(), "kv": {"blocks": 1}}, 'small.json: unknown field "blocks" in kv'),
        ({"slots": 4}, 'small.json: missing field "requests"'),
        ({"requests": []}, "small.json has no requests"),
        ('{"slots": 4,\n "requests": [}', "small.json: not JSON at line 2 column 15"),
    ],
)
def test_a_bad_case_is_refused_by_name(tmp_path: Path, case: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, case)
    assert str(caught.value).startswith(message)
