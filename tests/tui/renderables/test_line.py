"""Lines are measured in cells, whatever they are made of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from batchtui.tui.renderables.line import Line, clip, ends, fit, merged, tail, text_of, width_of

WORDS = st.text(alphabet="ab 日本é", max_size=12)
LINES = st.lists(st.tuples(WORDS, st.just("")), max_size=4)


@given(LINES, st.integers(0, 30))
def test_a_fitted_line_has_exactly_its_width(line: Line, width: int) -> None:
    assert width_of(fit(line, width)) == width


@given(LINES, st.integers(0, 30))
def test_a_clipped_line_and_a_tail_never_exceed_their_width(line: Line, width: int) -> None:
    assert width_of(clip(line, width)) <= width
    assert width_of(tail(line, width)) <= width


@given(LINES, LINES, st.integers(0, 30))
def test_two_ends_fill_a_line(left: Line, right: Line, width: int) -> None:
    assert width_of(ends(left, right, width)) == width


def test_a_wide_character_is_never_cut_in_half() -> None:
    assert text_of(fit([("a日b", "")], 2)) == "a "
    assert text_of(tail([("日本語", "")], 5)) == ".. 語"


def test_a_long_text_shows_its_end() -> None:
    assert text_of(tail([("one two", ""), (" three", "")], 8)) == "..three"[:2] + " three"


@given(st.lists(st.tuples(st.sampled_from(["a", " ", "  "]), st.sampled_from(["x", "y", "f"]))))
def test_merging_keeps_the_text_and_the_style_of_all_that_is_seen(line: Line) -> None:
    def seen(spans: Line) -> list[tuple[str, str]]:
        cells = [(cell, style) for text, style in spans for cell in text]
        return [(cell, "" if cell == " " and style != "f" else style) for cell, style in cells]

    assert seen(merged(line, frozenset("f"))) == seen(line)
    assert len(merged(line, frozenset("f"))) <= len(line)
