from __future__ import annotations

from collections.abc import Sequence

import pytest

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.request import Request, Result, SamplingParams, TokenLogprob
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Submitted
from batchtui.engine.model import Reply, Row
from batchtui.engine.simulate import Simulation, TimedFeed
from batchtui.plugins.faults import FaultyCaller
from batchtui.plugins.formats.workload import Fault, Script, ScriptToken
from batchtui.plugins.models.scripted import CALL_US, ScriptedModel
from batchtui.plugins.models.simulated import SimulatedModel


class Ends:
    """A listener that keeps the results."""

    def __init__(self) -> None:
        self.results: list[Result] = []

    def text(self, request_id: str, delta: str) -> None:
        """Deltas come with the result."""

    def finished(self, result: Result) -> None:
        self.results.append(result)


def play(
    faults: list[Fault],
    *,
    timeout_us: int | None = None,
    model: type[ScriptedModel] = ScriptedModel,
) -> tuple[Decoder, list[Result]]:
    """Two requests whose scripts say "123" and "xyz", a token a call."""
    scripts = {
        index: Script(calls=tuple((ScriptToken(letter.encode()),) for letter in text))
        for index, text in enumerate(("123", "xyz"))
    }
    ends, backend = Ends(), model(scripts)
    config = BatchingConfig(call_timeout_us=timeout_us, max_retries=3)
    decoder = Decoder(config, backend, Fcfs(), listener=ends)
    invariants = Invariants(decoder)
    params = SamplingParams(logprobs=0)
    requests = [
        Submitted(body=Request(request_id=f"r{index}", index=index, params=params))
        for index in range(2)
    ]
    for _ in Simulation(decoder, FaultyCaller(backend, faults, scripts), TimedFeed(requests)):
        invariants.check()
    return decoder, ends.results


@pytest.mark.parametrize("kind", Fault.KINDS)
@pytest.mark.parametrize("call", [1, 2, 3, 4])
def test_no_single_fault_loses_or_doubles_a_token(kind: str, call: int) -> None:
    _, results = play([Fault(kind=kind, call=call)])
    ends = {result.request_id: (result.text, result.finish_reason) for result in results}
    assert ends == {"r0": ("123", "stop"), "r1": ("xyz", "stop")}


@pytest.mark.parametrize(
    ("kind", "calls", "stale"),
    [
        ("raise", 5, 0),
        ("short", 5, 0),
        ("late", 5, 2),
        ("duplicate", 4, 2),
        ("swap", 4, 0),
        ("empty", 5, 0),
    ],
)
def test_each_fault_costs_what_it_must(kind: str, calls: int, stale: int) -> None:
    decoder, _ = play([Fault(kind=kind, call=2)])
    assert (decoder.counters.calls, decoder.counters.stale_rows) == (calls, stale)


def test_a_fault_of_a_request_hits_the_calls_that_it_takes_part_in() -> None:
    decoder, results = play([Fault(kind="raise", request_id="r1", always=True)])
    ends = {result.request_id: (result.text, result.finish_reason) for result in results}
    assert ends == {"r0": ("123", "stop"), "r1": ("", "error")}
    assert decoder.counters.calls == 4 + 2 + 3


def test_a_call_that_runs_into_its_timeout_leaves_the_scripts_where_they_are() -> None:
    decoder, results = play([], timeout_us=CALL_US - 1)
    assert {result.error for result in results} == {"the model call failed (timeout)"}
    assert {result.text for result in results} == {""}
    assert decoder.counters.stale_rows == 4 * 2 + 1 + 1
    _, results = play([], timeout_us=CALL_US)
    assert sorted(result.text for result in results) == ["123", "xyz"]


class SlowAtFirst(ScriptedModel):
    """Its first call takes ten times as long."""

    factor = 10

    def forward(self, rows: Sequence[Row]) -> Reply:
        reply = super().forward(rows)
        factor, self.factor = self.factor, 1
        return Reply(reply.keys, reply.tokens, CALL_US * factor)


def test_an_answer_that_was_given_up_is_given_again() -> None:
    decoder, results = play([], timeout_us=CALL_US, model=SlowAtFirst)
    assert sorted(result.text for result in results) == ["123", "xyz"]
    assert (decoder.counters.retried, decoder.counters.stale_rows) == (1, 2)


class Telling(ScriptedModel):
    """Says how likely its tokens were: the request's place in the workload, below 0."""

    def forward(self, rows: Sequence[Row]) -> Reply:
        reply = super().forward(rows)
        logprobs: list[list[TokenLogprob] | None] = [
            [TokenLogprob(token, -float(row.index)) for token in new]
            for row, new in zip(rows, reply.tokens, strict=True)
        ]
        return Reply(reply.keys, reply.tokens, CALL_US, logprobs)


@pytest.mark.parametrize("kind", Fault.KINDS)
def test_logprobs_go_with_their_rows_through_every_fault(kind: str) -> None:
    _, results = play([Fault(kind=kind, call=2)], model=Telling)
    for result in results:
        assert result.logprobs is not None
        assert [entry.token_id for entry in result.logprobs] == result.token_ids
        assert {entry.logprob for entry in result.logprobs} == {-result.index}


class Silent(ScriptedModel):
    """Answers for nobody."""

    def forward(self, rows: Sequence[Row]) -> Reply:
        super().forward(rows)
        return Reply([], [], CALL_US, [])


@pytest.mark.parametrize("kind", Fault.KINDS)
def test_a_fault_of_a_reply_without_rows_is_no_other_fault(kind: str) -> None:
    _, results = play([Fault(kind=kind, call=1)], model=Silent)
    assert {result.finish_reason for result in results} == {"error"}


def injected(kind: str, after: int = 1) -> tuple[Decoder, list[Result]]:
    """Two requests to the simulated model; a fault by hand after so many calls; "" for none."""
    ends, backend = Ends(), SimulatedModel()
    decoder = Decoder(BatchingConfig(), backend, Fcfs(), listener=ends)
    invariants, caller = Invariants(decoder), FaultyCaller(backend)
    params = SamplingParams(max_tokens=5, ignore_eos=True)
    requests = [
        Submitted(body=Request(request_id=f"r{index}", index=index, prompt="a b", params=params))
        for index in range(2)
    ]
    for turn in Simulation(decoder, caller, TimedFeed(requests)):
        invariants.check()
        if kind and turn.phase == "apply" and decoder.counters.calls == after:
            caller.inject(kind)
            kind = ""
    return decoder, ends.results


@pytest.mark.parametrize("kind", Fault.KINDS)
def test_a_fault_by_hand_is_played_once_at_the_next_call_of_any_model(kind: str) -> None:
    plain, expected = injected("")
    decoder, results = injected(kind)
    told = {result.request_id: (result.text, result.token_ids) for result in results}
    assert told == {result.request_id: (result.text, result.token_ids) for result in expected}
    made_again = kind in ("raise", "short", "late", "empty")
    assert decoder.counters.calls == plain.counters.calls + made_again
    assert decoder.counters.stale_rows == (2 if kind in ("late", "duplicate") else 0)


def test_faults_by_hand_take_a_call_each_and_those_of_a_case_are_still_played() -> None:
    caller = FaultyCaller(SimulatedModel(), [Fault(kind="short", call=3)])
    caller.inject("raise")
    caller.inject("empty")
    decoder = Decoder(BatchingConfig(max_retries=9), caller.model, Fcfs())
    request = Request(request_id="a", prompt="x", params=SamplingParams(max_tokens=2))
    faults = [
        getattr(event, "fault", "empty")
        for turn in Simulation(decoder, caller, TimedFeed([Submitted(body=request)]))
        for event in turn.events
        if type(event).__name__ == "CallFailed" or getattr(event, "counts", None) == [0]
    ]
    assert faults == ["raise", "empty", "shape"]


def test_a_fault_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="no fault is called 'rais': want one of raise, short"):
        FaultyCaller(SimulatedModel()).inject("rais")
