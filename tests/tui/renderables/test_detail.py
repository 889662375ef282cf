"""All of a request in lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.renderables.looking import back_to, seen

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.detail import detail_lines, matched, summary_lines
from batchtui.tui.renderables.glyphs import ASCII, UNICODE
from batchtui.tui.renderables.line import Line, text_of, width_of
from batchtui.tui.renderables.scene import Choice

OpenCase = Callable[..., BatchSession]
CheckGolden = Callable[[str, list[Line]], None]


def detail(session: BatchSession, request_id: str, width: int = 80, **fields: Any) -> list[Line]:
    story = session.outlook.story(request_id)
    assert story is not None
    return detail_lines(seen(session, **fields), story, session.debugger.cursor.turn, width)


def text(lines: list[Line]) -> str:
    return "\n".join(text_of(line) for line in lines)


def test_one_that_holds_text_back(demo_at_12: BatchSession, golden: CheckGolden) -> None:
    golden("detail-held", detail(demo_at_12, "r6"))


def test_the_past_says_what_came_later(demo_at_12: BatchSession, golden: CheckGolden) -> None:
    golden("detail-past", detail(back_to(demo_at_12, 8), "r5"))


def test_one_that_waits_has_its_way_so_far(demo_at_12: BatchSession) -> None:
    said = text(detail(demo_at_12, "r12"))
    assert "arrive step 7" in said
    assert "waits" in said
    assert "STREAM" not in said


def test_one_that_ended_before_says_where_to_read_it(demo_at_12: BatchSession) -> None:
    assert "is not kept after the end: look at step 9" in text(detail(demo_at_12, "r8"))


@pytest.mark.parametrize(
    ("stop", "held", "size"),
    [("END", "EN", 2), ("END", "", 0), ("END", "E", 1), ("ENEMY", "xENE", 3), ("é!", "é", 2)],
)
def test_how_much_of_a_stop_is_there(stop: str, held: str, size: int) -> None:
    assert matched(stop, held) == size


@given(st.text("ab", min_size=1, max_size=6), st.text("ab", max_size=8))
def test_it_is_the_longest_beginning_that_the_text_ends_with(stop: str, held: str) -> None:
    ends = [size for size in range(len(stop) + 1) if held.endswith(stop[:size])]
    assert matched(stop, held) == max(ends)


@pytest.mark.parametrize("width", [20, 33, 80, 120])
def test_hostile_texts_stay_harmless_and_within(open_case: OpenCase, width: int) -> None:
    hostile = "[b]x[/b]\x1b[2J\u202e\r\n" + "漢字" * 300
    request = {"request_id": "r\x1b", "prompt": hostile, "tenant": hostile, "stop": [hostile]}
    session = open_case([{**request, "calls": [[hostile[:-1]], ["y"]]}])
    session.advance_step()
    for glyphs in (UNICODE, ASCII):
        scene = seen(session, choice=Choice(request_id="r\x1b"), glyphs=glyphs)
        whole = detail(session, "r\x1b", width, glyphs=glyphs)
        for lines in (whole, summary_lines(scene, width)):
            assert not set(text(lines)) & set("\x1b\u202e\r")
            assert all(width_of(line) <= width for line in lines)
            assert not glyphs.ascii or text(lines).isascii()


def test_a_long_prompt_is_shortened_and_its_length_said(open_case: OpenCase) -> None:
    session = open_case([{"request_id": "r", "prompt": "word " * 4000, "calls": [["a"]]}])
    session.advance_step()
    said = detail(session, "r")
    assert "20,000 characters in all" in text(said)
    assert len(said) < 40


def test_a_prompt_known_by_its_length_says_so(open_case: OpenCase) -> None:
    session = open_case([{"request_id": "r", "prompt_tokens": 300, "calls": [["a"]]}])
    session.advance_step()
    assert "300 tokens: its length alone is known" in text(detail(session, "r"))


def test_the_summary_names_whose_it_is_and_its_path(demo_at_12: BatchSession) -> None:
    said = text(summary_lines(seen(demo_at_12, choice=Choice(request_id="r11")), 60))
    assert "tenant office" in said
    assert "slot 3 gen 2 at 12" in said


def test_without_its_story_the_summary_has_what_the_view_knows(demo_at_12: BatchSession) -> None:
    scene = seen(demo_at_12, choice=Choice(request_id="r12"), story=None)
    said = text(summary_lines(scene, 60))
    assert "60 tok" in said
    assert "160ms so far" in said
