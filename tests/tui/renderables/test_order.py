"""Filters and orders of a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.renderables.looking import seen

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables import ended, queue
from batchtui.tui.renderables.order import arranged, matches
from batchtui.tui.renderables.scene import Choice, Sort


@pytest.mark.parametrize(
    ("wanted", "stays"),
    [
        ("", True),
        ("R1", True),
        ("acme", True),
        ("x", False),
        ("!r1", False),
        ("!x", True),
        ("!", True),
    ],
)
def test_a_filter_keeps_rows_that_hold_it(wanted: str, stays: bool) -> None:
    assert matches("r12\nAcme", wanted) is stays


def queued(session: BatchSession, **choice: object) -> list[str]:
    return queue.rows(seen(session, choice=Choice(**choice)))  # type: ignore[arg-type]


def test_the_queue_is_sorted_by_a_column(demo_at_12: BatchSession) -> None:
    waiting = demo_at_12.view.waiting
    blocks = [waiting[name].blocks for name in queued(demo_at_12, queue_sort=Sort("kv"))]
    assert blocks == sorted(blocks)
    blocks = [waiting[name].blocks for name in queued(demo_at_12, queue_sort=Sort("kv", True))]
    assert blocks == sorted(blocks, reverse=True)


def test_to_have_waited_longest_is_to_have_arrived_first(demo_at_12: BatchSession) -> None:
    shortest = queued(demo_at_12, queue_sort=Sort("waited"))
    longest = queued(demo_at_12, queue_sort=Sort("waited", True))
    assert shortest[0] == "r17"
    assert longest[0] == "r12"


def test_without_an_order_the_policy_has_it_and_backwards_turns_it(
    demo_at_12: BatchSession,
) -> None:
    names = queued(demo_at_12)
    assert names[0] == "r12"
    assert queued(demo_at_12, queue_sort=Sort("", True)) == names[::-1]


def test_rows_are_those_that_are_counted(demo_at_12: BatchSession) -> None:
    scene = seen(demo_at_12, choice=Choice(filter="travel"))
    assert queue.rows(scene) == ["r13"]
    assert queue.num_rows(scene) == 1
    assert ended.num_rows(seen(demo_at_12, choice=Choice(filter="eos"))) == 3


@pytest.mark.parametrize("column", ["", *ended.SORTS])
def test_the_ended_can_be_sorted_by_any_column(demo_at_12: BatchSession, column: str) -> None:
    names = ended.rows(seen(demo_at_12, choice=Choice(ended_sort=Sort(column))))
    assert sorted(names) == ["r2", "r3", "r4", "r5", "r8"]


@given(st.lists(st.integers(0, 5)), st.booleans(), st.booleans())
def test_equals_keep_their_order(values: list[int], reverse: bool, flipped: bool) -> None:
    rows = list(enumerate(values))
    got = arranged(rows, {"n": lambda n: n}, Sort("n", reverse), "", str, flipped=flipped)
    keys = [value for _, value in got]
    assert keys == sorted(keys, reverse=reverse is not flipped)
    for value in set(values):
        places = [place for place, each in got if each == value]
        assert places == sorted(places)
