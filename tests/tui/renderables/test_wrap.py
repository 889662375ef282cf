from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.wrap import wrap


def texts(text: str, width: int) -> list[str]:
    return [text_of(row) for row in wrap([(text, "")], width)]


def test_a_line_is_broken_between_its_words() -> None:
    assert texts("one two three", 7) == ["one two", "three"]


def test_a_word_that_is_longer_than_a_row_is_cut_and_begins_a_row() -> None:
    assert texts("a bcdefgh i", 3) == ["a", "bcd", "efg", "h i"]


def test_blanks_in_a_row_are_kept() -> None:
    assert texts("a  b", 9) == ["a  b"]


def test_a_word_of_several_styles_is_one_word() -> None:
    rows = wrap([("ab ", "x"), ("c", "y"), ("d", "z"), (" e", "x")], 4)
    assert rows == [[("ab", "x")], [("c", "y"), ("d", "z"), (" ", ""), ("e", "x")]]


def test_nothing_is_one_empty_row() -> None:
    assert wrap([], 5) == [[]]


@given(st.text("ab 漢é", max_size=40), st.integers(2, 12))
def test_no_row_is_too_wide_and_no_letter_is_lost(text: str, width: int) -> None:
    rows = wrap([(text, "")], width)
    assert all(width_of(row) <= width for row in rows)
    assert "".join(map(text_of, rows)).replace(" ", "") == text.replace(" ", "")
