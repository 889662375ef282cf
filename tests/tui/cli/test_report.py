"""The document of a run: streamed, in order, whole whatever happens, harmless to a terminal."""

from __future__ import annotations

import io
import json
import signal
from typing import Any

import pytest
from tests.tui.cli.ran import Cli, Write

from batchtui.engine.batching.counters import Counters
from batchtui.engine.batching.latency import Latency
from batchtui.engine.batching.request import Result, TokenLogprob
from batchtui.engine.errors import InvariantError, WorkError
from batchtui.tui.cli.faults import Told
from batchtui.tui.cli.output import Output, uninterrupted
from batchtui.tui.cli.report import JsonReport, Summary, report_to


class Stream(io.TextIOWrapper):
    """A text stream over bytes that may be a terminal."""

    def __init__(self, *, is_terminal: bool = False, buffer: io.BytesIO | None = None) -> None:
        self.written = buffer or io.BytesIO()
        super().__init__(self.written, encoding="utf-8")
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    @property
    def document(self) -> Any:  # Any: JSON
        return json.loads(self.written.getvalue())


class Full(io.BytesIO):
    def write(self, data: object) -> int:
        raise OSError(28, "No space left on device")


class Interrupted(io.BytesIO):
    """A reader so slow that ctrl+c comes while a row is written."""

    def write(self, data: Any) -> int:  # Any: a buffer
        signal.raise_signal(signal.SIGINT)
        return super().write(data)


def result(index: int, text: str = "", **fields: Any) -> Result:  # Any: whatever a result has
    made: dict[str, Any] = {
        "request_id": f"r{index}",
        "index": index,
        "text": text,
        "token_ids": [],
        "deltas": [text] if text else [],
        "finish_reason": "stop",
        "stop_reason": None,
        "prompt_tokens": 1,
        "slot": 0,
        "generation": 1,
        "arrival_us": 1_500_000,
        "admitted_us": 1_500_000,
        "first_token_us": None,
        "finish_us": 2_000_000,
        "retries": 0,
        "error": None,
    }
    return Result(**{**made, **fields})


def summary() -> Summary:
    return Summary(Counters(), 2, Latency(), "virtual")


def ids(stream: Stream) -> list[str]:
    return [row["request_id"] for row in stream.document["requests"]]


def test_a_row_is_written_as_soon_as_those_before_it_have_ended() -> None:
    stream = Stream()
    report = JsonReport(Output(stream))
    report.row(result(2))
    report.row(result(1))
    assert report.num_pending == 2
    assert (stream.written.getvalue(), report.begun) == (b"", False)
    report.row(result(0))
    assert report.num_pending == 0
    assert stream.written.getvalue().count(b"request_id") == 3
    report.row(result(3))
    assert (report.num_pending, report.begun) == (0, True)
    report.finish(summary())
    assert ids(stream) == ["r0", "r1", "r2", "r3"]


def test_times_are_seconds_and_what_never_was_is_null() -> None:
    stream = Stream()
    report = JsonReport(Output(stream))
    report.row(result(0))
    report.finish(summary())
    row = stream.document["requests"][0]
    assert (row["arrival_s"], row["first_token_s"], row["finish_s"]) == (1.5, None, 2.0)


LIKELY = TokenLogprob(7, -0.25, ((7, -0.25), (8, -9999.0)))
WRITTEN = {
    "token_id": 7,
    "logprob": -0.25,
    "top_logprobs": [{"token_id": 7, "logprob": -0.25}, {"token_id": 8, "logprob": -9999.0}],
}


@pytest.mark.parametrize(("logprobs", "written"), [([LIKELY], [WRITTEN]), ([], []), (None, None)])
def test_who_asked_for_logprobs_has_them_as_its_last_key(
    logprobs: list[TokenLogprob] | None, written: object
) -> None:
    stream = Stream()
    report = JsonReport(Output(stream))
    report.row(result(0, logprobs=logprobs, wants_logprobs=True))
    report.row(result(1))
    report.finish(summary())
    asked, other = stream.document["requests"]
    assert list(asked) == [*other, "logprobs"]
    assert asked["logprobs"] == written


def test_a_run_prints_as_many_logprobs_as_tokens(cli: Cli, write: Write) -> None:
    said = {"max_tokens": 5, "messages": [{"role": "user", "content": "Why?"}]}
    requests = [
        {"request_id": "a", **said, "logprobs": 2},
        {"request_id": "b", **said, "logprobs": None},
    ]
    ran = cli("run", write(*requests), "--json", "--check")
    assert (ran.status, ran.err) == (0, "")
    asked, other = ran.document["requests"]
    assert [entry["token_id"] for entry in asked["logprobs"]] == asked["token_ids"]
    assert {len(entry["top_logprobs"]) for entry in asked["logprobs"]} <= {1, 2}
    assert "logprobs" not in other


def test_a_run_without_requests_is_a_document_too() -> None:
    stream = Stream()
    JsonReport(Output(stream)).finish(summary())
    assert stream.document["requests"] == []
    assert stream.document["run"]["admission_order"] == []


def test_admissions_are_listed_in_their_order() -> None:
    stream = Stream()
    report = JsonReport(Output(stream))
    for name in ("b", 'quote"', "a"):
        report.admitted(name)
    report.finish(summary())
    report.close()
    assert stream.document["run"]["admission_order"] == ["b", 'quote"', "a"]


@pytest.mark.parametrize("text", ["\x7f", "\x80", "\x9b31m", "\x9f", "é\x85ü"])
def test_controls_that_json_leaves_alone_are_escaped_for_a_terminal(text: str) -> None:
    stream = Stream(is_terminal=True)
    with report_to(Output(stream), as_json=True) as report:
        report.row(result(0, text))
        report.finish(summary())
    shown = stream.written.getvalue().decode()
    assert all(each.isprintable() or each == "\n" for each in shown)
    assert stream.document["requests"][0]["text"] == text


def test_a_pipe_gets_text_as_it_is() -> None:
    stream = Stream()
    Output(stream).document({"text": "\x9b é"})
    assert stream.written.getvalue() == '{"text":"\x9b é"}\n'.encode()


def test_a_fault_becomes_the_last_key_of_a_document_begun_and_loses_no_row() -> None:
    stream = Stream()
    with pytest.raises(Told) as caught, report_to(Output(stream), as_json=True) as report:
        for index in (0, 4, 2):
            report.row(result(index))
        raise InvariantError("broken")
    assert list(stream.document) == ["requests", "error"]
    assert ids(stream) == ["r0", "r2", "r4"]
    assert stream.document["error"] == {"code": "invariant", "message": "broken"}
    assert caught.value.fault.status == 1


def test_a_fault_before_the_document_is_left_to_the_command_line() -> None:
    stream = Stream()
    with pytest.raises(InvariantError), report_to(Output(stream), as_json=True):
        raise InvariantError("broken")
    assert stream.written.getvalue() == b""


def test_a_reader_who_has_gone_is_told_nothing() -> None:
    stream = Stream()
    with pytest.raises(BrokenPipeError), report_to(Output(stream), as_json=True) as report:
        report.row(result(0))
        raise BrokenPipeError
    assert b"error" not in stream.written.getvalue().rpartition(b"}")[2]


def test_a_full_disk_is_named() -> None:
    with pytest.raises(WorkError, match="standard output cannot be written: no space left"):
        Output(Stream(buffer=Full())).document({})


def test_ctrl_c_waits_for_the_row_that_is_being_written() -> None:
    stream = Stream(buffer=Interrupted())
    report = JsonReport(Output(stream))
    with pytest.raises(KeyboardInterrupt):
        report.row(result(0, "half a row would spoil the document"))
    assert stream.written.getvalue().endswith(b"}")
    assert report.begun


def test_a_second_ctrl_c_does_not_wait() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        reached = True
    assert not reached
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_ignored_ctrl_c_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_lines_show_what_the_encoding_of_the_terminal_lacks_as_escapes() -> None:
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="ascii")
    Output(stream).line("é …")
    stream.flush()
    assert buffer.getvalue() == b"\\xe9 \\u2026\n"
