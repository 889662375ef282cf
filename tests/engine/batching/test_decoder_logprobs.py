"""How likely each token was: an entry for every token kept, whatever happened in between."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.batching.table import Table, letters, table

from batchtui.engine.batching.events import CallFailed
from batchtui.engine.batching.request import TokenLogprob
from batchtui.engine.machine import Failure, Replied, Work
from batchtui.engine.model import Key, Reply

Figures = dict[str, list[float] | None]


def asking(**fields: Any) -> Table:
    """A desk with "a" and "b", who ask, and "c", who does not.

    The fields are those of ``request``, hence ``Any``.
    """
    desk = table(max_num_seqs=3)
    desk.submit("a", logprobs=0, **fields)
    desk.submit("b", index=1, logprobs=2)
    desk.submit("c", index=2)
    return desk


def told(work: Work, tokens: dict[str, str], *, mute: str = "") -> Reply:
    """A reply whose tokens have the figures -1, -2, ...; but for those of ``mute``."""
    keys: list[Key] = list(work.spec.keys)
    new = [letters(tokens.get(name, "z")) for _, _, name in keys]
    return Reply(
        keys,
        new,
        logprobs=[
            None if name == "c" or name in mute else entries(each)
            for (_, _, name), each in zip(keys, new, strict=True)
        ],
    )


def entries(tokens: list[int]) -> list[TokenLogprob]:
    return [TokenLogprob(token, -1.0 - place) for place, token in enumerate(tokens)]


def answer(desk: Table, tokens: dict[str, str], *, mute: str = "") -> Work:
    work = desk.call()
    desk.decoder.take(Replied(work=work.id, body=told(work, tokens, mute=mute)))
    desk.turn()
    return work


def ended(desk: Table) -> Figures:
    """What was kept of each, its ids being those of the tokens."""
    figures: Figures = {}
    for result in desk.heard.results:
        kept = result.logprobs
        assert kept is None or [entry.token_id for entry in kept] == result.token_ids
        figures[result.request_id] = None if kept is None else [each.logprob for each in kept]
    return figures


def finished(desk: Table) -> Figures:
    while desk.decoder.status != "done":
        if desk.decoder.status == "waiting":
            work = desk.works[-1]
            everybody = dict.fromkeys("abc", ".")
            desk.decoder.take(Replied(work=work.id, body=told(work, everybody)))
        desk.turn()
    return ended(desk)


def test_who_asked_has_one_for_each_token_eos_too_and_who_did_not_has_none() -> None:
    desk = asking()
    answer(desk, {"a": "x", "b": "y", "c": "z"})
    answer(desk, {"a": "xyz", "b": "", "c": "z"})
    assert finished(desk) == {"a": [-1, -1, -2, -3, -1], "b": [-1, -1], "c": None}
    asked = {result.request_id: result.wants_logprobs for result in desk.heard.results}
    assert asked == {"a": True, "b": True, "c": False}


def test_those_of_a_row_that_did_not_ask_are_not_kept() -> None:
    desk = table()
    desk.submit("a")
    answer(desk, {"a": "xy"})
    assert finished(desk) == {"a": None}


@pytest.mark.parametrize("count", [1, 3])
def test_rows_that_changed_places_keep_their_own(count: int) -> None:
    desk = asking()
    work = desk.call()
    body = told(work, {"a": "x" * count, "b": "y" * count})
    assert body.logprobs is not None
    swapped = [[TokenLogprob(24, -7.0)] * count, [TokenLogprob(25, -8.0)] * count, None]
    body = Reply(body.keys[::-1], body.tokens[::-1], logprobs=swapped[::-1])
    desk.decoder.take(Replied(work=work.id, body=body))
    desk.turn()
    assert finished(desk) == {"a": [-7] * count + [-1], "b": [-8] * count + [-1], "c": None}


def test_those_behind_an_end_are_dropped_with_their_tokens() -> None:
    desk = asking(stop="xy")
    answer(desk, {"a": "wxyz", "b": "y.z"})
    assert finished(desk) == {"a": [-1, -2, -3], "b": [-1, -2], "c": None}


def test_those_at_the_limit_are_kept() -> None:
    desk = asking(max_tokens=2)
    answer(desk, {"a": "xyz"})
    answer(desk, {})
    assert finished(desk)["a"] == [-1, -2]


def test_a_call_that_is_made_again_and_halved_counts_once() -> None:
    desk = asking()
    for _ in range(2):
        desk.fail(desk.call())
    answer(desk, {"a": "xy"})
    answer(desk, {"b": "xy"})
    assert desk.decoder.counters.retried == 3
    assert finished(desk) == {"a": [-1, -2, -1], "b": [-1, -2, -1], "c": None}


def test_what_is_late_or_stale_is_not_kept() -> None:
    desk = asking()
    given_up = desk.call()
    late = told(given_up, {"a": "zzz", "b": "zzz"})
    desk.decoder.take(Replied(work=given_up.id, body=Failure(kind="timeout")))
    desk.turn()
    work = desk.call()
    desk.decoder.take(Replied(work=given_up.id, body=late, final=False, late=True))
    desk.abort("b")
    desk.decoder.take(Replied(work=work.id, body=told(work, {"a": "xy", "b": "xy"})))
    desk.turn()
    assert finished(desk) == {"a": [-1, -2, -1], "b": [], "c": None}


def test_one_that_is_aborted_has_those_of_what_it_kept() -> None:
    desk = asking()
    answer(desk, {"a": "xy"})
    desk.abort("a")
    assert finished(desk)["a"] == [-1, -2]


def test_one_that_never_ran_has_as_many_as_tokens_none() -> None:
    desk = table(max_num_seqs=1, max_model_len=9)
    for index, asked in enumerate((0, None)):
        desk.submit(f"long{asked}", index=index, prompt=9, logprobs=asked)
        desk.submit(f"gone{asked}", index=2 + index, logprobs=asked)
        desk.abort(f"gone{asked}")
    assert finished(desk) == {"long0": [], "gone0": [], "longNone": None, "goneNone": None}


@pytest.mark.parametrize("first", ["x", "xy"])
def test_a_call_that_leaves_a_rows_out_leaves_that_request_without_any(first: str) -> None:
    desk = asking()
    answer(desk, {"a": first, "b": first}, mute="a")
    answer(desk, {"a": "xy", "b": "xy"})
    figures = finished(desk)
    assert (figures["a"], figures["c"]) == (None, None)
    assert figures["b"] is not None
    assert {result.wants_logprobs for result in desk.heard.results} == {True, False}


def test_a_reply_without_any_leaves_everybody_without() -> None:
    desk = asking()
    desk.reply(desk.call(), {"a": "x", "b": "x"})
    assert finished(desk) == {"a": None, "b": None, "c": None}


def test_a_reply_without_tokens_lacks_nothing() -> None:
    desk = asking()
    answer(desk, {"a": "x", "b": "x"})
    desk.reply(desk.call(), {"a": "", "b": "", "c": ""})
    assert finished(desk) == {"a": [-1, -1], "b": [-1, -1], "c": None}


def test_a_reply_with_another_number_of_rows_of_them_is_refused_whole() -> None:
    desk = asking()
    work = desk.call()
    body = told(work, {})
    assert body.logprobs is not None
    short = Reply(body.keys, body.tokens, logprobs=body.logprobs[1:])
    desk.decoder.take(Replied(work=work.id, body=short))
    desk.turn()
    (failed,) = desk.said(CallFailed)
    assert (failed.fault, failed.detail) == ("shape", "2 rows of logprobs for 3 rows")
    assert finished(desk) == {"a": [-1], "b": [-1], "c": None}
