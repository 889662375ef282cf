"""The two ways through the inner loop, by columns and row by row, must come to the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.table import Table, letters, table

from batchtui.engine.batching import events as said
from batchtui.engine.machine import Replied
from batchtui.engine.model import Reply

_REQUESTS = st.lists(
    st.fixed_dictionaries(
        {
            "max_tokens": st.integers(5, 9),
            "min_tokens": st.integers(0, 5),
            "stop": st.lists(st.text("ab", min_size=1, max_size=3), max_size=2).map(tuple),
            "include_stop_str_in_output": st.booleans(),
            "ignore_eos": st.booleans(),
        }
    ),
    min_size=1,
    max_size=5,
)
_OUTPUTS = st.lists(st.text("ab.", min_size=10, max_size=10), min_size=5, max_size=5)


def play(fields: list[dict[str, object]], outputs: list[str], cuts: list[int]) -> Table:
    """Give each request its output; ``cuts`` says how many tokens a row gets in each call."""
    desk = table(max_num_seqs=3)
    for index, each in enumerate(fields):
        desk.submit(f"r{index}", index=index, **each)
    places, number = dict.fromkeys(range(len(fields)), 0), 0
    while desk.decoder.status != "done":
        for work in desk.turn().start:
            tokens = []
            for row in work.spec.rows:
                place, count = places[row.index], cuts[number % len(cuts)]
                tokens.append(letters(outputs[row.index][place : place + count] or "."))
                places[row.index] += count
                number += len(cuts) > 1
            body = Reply(list(work.spec.keys), tokens)
            desk.decoder.take(Replied(work=work.id, body=body))
    return desk


def ends(desk: Table) -> dict[str, tuple[str, str, object, list[int]]]:
    return {
        result.request_id: (
            result.text,
            result.finish_reason,
            result.stop_reason,
            result.token_ids,
        )
        for result in desk.heard.results
    }


@settings(max_examples=200)
@given(fields=_REQUESTS, outputs=_OUTPUTS, cuts=st.lists(st.integers(1, 3), min_size=2, max_size=4))
def test_one_token_a_call_and_several_come_to_the_same(
    fields: list[dict[str, object]], outputs: list[str], cuts: list[int]
) -> None:
    by_columns = play(fields, outputs, [1])
    assert all(event.counts is None for event in by_columns.said(said.TokensApplied))
    assert ends(play(fields, outputs, cuts)) == ends(by_columns)


@settings(max_examples=100)
@given(fields=_REQUESTS, outputs=_OUTPUTS)
def test_what_happened_before_does_not_matter_to_who_joins_later(
    fields: list[dict[str, object]], outputs: list[str]
) -> None:
    """Columns, then rows, then columns again: the calendar is made anew in between."""
    assert ends(play(fields, outputs, [1, 1, 2, 1, 1, 1])) == ends(play(fields, outputs, [1]))


def test_the_first_token_is_timed_at_its_reply_whatever_it_does() -> None:
    desk = table()
    desk.submit("stops", stop="x")
    desk.submit("waits", index=1)
    desk.submit("none", index=2)
    desk.reply(desk.call(), {"stops": "x", "waits": "ab", "none": ""}, now=40)
    desk.turn()
    desk.reply(desk.call(), {"waits": ".", "none": "."}, now=70)
    desk.turn()
    times = {result.request_id: result.first_token_us for result in desk.heard.results}
    assert times == {"stops": 40, "waits": 40, "none": 70}


def test_what_is_held_is_said_by_slot_and_only_while_it_is() -> None:
    desk = table()
    desk.submit("a", stop="xyz")
    desk.submit("b", index=1, stop="q")
    held = []
    for answer in ("x", "y", "a", "xx"):
        desk.reply(desk.call(), {"a": answer, "b": "b"})
        desk.turn()
        held.append(desk.said(said.TokensApplied)[-1].held)
    assert held == [{0: "x"}, {0: "xy"}, {}, {0: "x"}]


@pytest.mark.parametrize("answers", [["x", "y"], ["xy"]])
def test_what_an_end_at_the_limit_releases_is_no_longer_held(answers: list[str]) -> None:
    desk = table()
    desk.submit("a", stop="xyz", max_tokens=2)
    for answer in answers:
        desk.reply(desk.call(), {"a": answer})
        desk.turn()
    assert desk.said(said.TokensApplied)[-1].held == {}
    assert desk.result("a").deltas == ["xy"]


def test_a_row_that_leaves_before_its_first_call_is_forgotten() -> None:
    desk = table()
    desk.submit("a")
    desk.turn()
    desk.abort("a")
    desk.finish(lambda key: ".")
    assert not desk.decoder._applier._uneven
    assert not desk.decoder._applier._calendar


def test_a_row_that_ends_leaves_no_date_behind() -> None:
    desk = table()
    desk.submit("a", max_tokens=10**6)
    desk.reply(desk.call(), {"a": "x"})
    assert desk.decoder._applier._calendar
    desk.abort("a")
    desk.finish(lambda key: ".")
    assert not desk.decoder._applier._calendar
    assert not desk.decoder._applier._uneven


def test_prefills_are_the_rows_of_which_the_model_has_read_nothing() -> None:
    desk = table()
    desk.submit("a", prompt=7)
    desk.reply(desk.call(), {"a": ""})
    desk.turn()
    desk.submit("b", index=1, prompt=2)
    desk.reply(desk.call(), {"a": "x", "b": "y"})
    desk.reply(desk.call(), {"a": "x", "b": "y"})
    calls = [(call.num_prefills, call.prefill_tokens) for call in desk.said(said.CallStarted)]
    assert calls == [(1, 7), (1, 2), (0, 0)]
