from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from tests.engine.batching.table import Heard, Table, table

from batchtui.engine.batching import events as said
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.request import Message, Request, SamplingParams, TokenLogprob
from batchtui.engine.machine import (
    Aborted,
    Configured,
    Event,
    Failure,
    Injected,
    Replied,
    Submitted,
    Woken,
)
from batchtui.engine.model import Reply


class Raises(Heard):
    def text(self, request_id: str, delta: str) -> None:
        raise RuntimeError


def eventful() -> Table:
    """A run in which everything happens that a decoder has a word for."""
    desk = table(max_num_seqs=2, max_model_len=50, listener=Raises())
    desk.submit("a", stop="en", tenant="t", priority=-3)
    desk.submit("b", index=1)
    desk.submit("c", index=2)
    desk.submit("a", index=3)
    desk.submit("d", index=4, prompt=50)
    desk.fail(desk.call(), "timeout")
    work = desk.call()
    desk.abort("b")
    desk.configure(max_num_seqs=1, policy="priority")
    desk.decoder.take(Injected(body="late"))
    desk.reply(work, {"a": "xe", "b": "y"})
    desk.finish(lambda key: "e.")
    return desk


DESK = eventful()
KINDS: list[type[Event]] = list(get_args(said.EVENT))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_event_comes_back_from_its_bytes(kind: type[Event]) -> None:
    found = DESK.said(kind)
    assert found
    for event in found:
        for codec in (msgspec.json, msgspec.msgpack):
            assert codec.decode(codec.encode(event), type=said.EVENT) == event


def test_the_union_holds_every_event_that_the_module_defines() -> None:
    defined = {
        value
        for value in vars(said).values()
        if isinstance(value, type) and issubclass(value, Event) and value is not Event
    }
    assert defined == set(KINDS)


def test_events_are_numbered_without_a_gap_and_know_their_place() -> None:
    assert [event.seq for event in DESK.events] == list(range(1, len(DESK.events) + 1))
    assert {event.unit for event in DESK.events} == {"batch"}
    steps = [event.step for event in DESK.events]
    assert steps == sorted(steps)
    assert {event.phase for event in DESK.events} == set(DESK.decoder.phases)


def test_events_are_frozen() -> None:
    with pytest.raises(AttributeError):
        DESK.events[0].seq = 9  # type: ignore[misc]


def test_a_blockage_is_written_when_it_changes_only() -> None:
    desk = table(max_num_seqs=1)
    for index in range(3):
        desk.submit(f"r{index}", index=index)
    for _ in range(3):
        desk.reply(desk.call(), {"r0": "x"})
    assert [event.request_id for event in desk.said(said.RequestBlocked)] == ["r1"]
    desk.reply(desk.call(), {"r0": "."})
    desk.call()
    assert [event.request_id for event in desk.said(said.RequestBlocked)] == ["r1", "r2"]


def test_no_event_holds_the_text_of_a_prompt() -> None:
    desk = table(max_model_len=30)
    desk.submit("a", prompt="secretprompt")
    desk.submit("b", index=1, prompt="secretprompt" * 9)
    desk.submit("c", index=2, messages=(Message("user", "secretprompt"),))
    desk.finish(lambda key: ".")
    assert b"secretprompt" not in msgspec.json.encode(desk.events)


CHAT = Request(
    request_id="c",
    params=SamplingParams(logprobs=2),
    messages=(Message("system", "Be brief."), Message("user", "")),
)
LIKELY = TokenLogprob(7, -0.0, ((7, -0.25), (8, -9999.0)))


def test_inputs_can_be_written_down_and_read_again() -> None:
    kinds = (
        Submitted[Request]
        | Aborted
        | Configured[Options]
        | Injected[str]
        | Woken
        | Replied[Reply | Failure]
    )
    inputs = [
        Submitted(seq=1, at=5, unit="batch", body=Request(request_id="a", params=SamplingParams())),
        Replied(seq=2, at=6, work=1, body=Reply([(0, 1, "a")], [[7, 8]], 20)),
        Submitted(seq=2, at=5, unit="batch", body=CHAT),
        Replied(seq=2, at=6, work=1, body=Reply([(0, 1, "c")], [[7]], 20, [[LIKELY], None])),
        Replied(seq=3, at=7, work=2, body=Failure(kind="timeout"), final=False, late=True),
        Aborted(seq=4, at=8, target="a"),
        Woken(seq=5, at=9),
        Configured(seq=6, at=9, body=Options(max_num_seqs=3), by_hand=True),
        Configured(seq=7, at=9, body=Options(policy="priority")),
        Injected(seq=8, at=9, body="raise", by_hand=True),
    ]
    for each in inputs:
        assert msgspec.json.decode(msgspec.json.encode(each), type=kinds) == each
