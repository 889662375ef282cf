"""The rows of a panel as plain cells: figures as they are, texts in full."""

from __future__ import annotations

import pytest

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.tables import table_of


def test_the_slots_have_a_row_each_with_their_whole_text(demo_at_12: BatchSession) -> None:
    heads, *rows = table_of(demo_at_12.view, "slots", [])
    assert heads[:4] == ["slot", "state", "generation", "request_id"]
    assert [row[0] for row in rows] == [str(index) for index in range(8)]
    assert [row[3] for row in rows] == [slot.request_id for slot in demo_at_12.view.slots]
    assert rows[0][-1] == demo_at_12.view.slots[0].text
    assert {len(row) for row in rows} == {len(heads)}


def test_the_queue_is_in_the_order_that_was_asked_for(demo_at_12: BatchSession) -> None:
    heads, *rows = table_of(demo_at_12.view, "queue", ["r14", "gone", "r12"])
    assert [row[0] for row in rows] == ["r14", "r12"]
    waiting = dict(zip(heads, rows[1], strict=True))
    assert waiting["blocks"] == "14"
    now = float(waiting["arrival_s"]) + float(waiting["waited_s"])
    assert now == pytest.approx(demo_at_12.view.now / 1e6)


def test_the_ended_say_why(demo_at_12: BatchSession) -> None:
    heads, *rows = table_of(demo_at_12.view, "ended", ["r5", "gone", "r4"])
    ended = [dict(zip(heads, row, strict=True)) for row in rows]
    assert [row["request_id"] for row in ended] == ["r5", "r4"]
    assert (ended[0]["finish_reason"], ended[0]["stop_reason"]) == ("stop", ";")
    assert (ended[1]["finish_reason"], ended[1]["stop_reason"]) == ("abort", "")
