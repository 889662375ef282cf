"""What a model writes never reaches the terminal as anything but text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from batchtui.tui.renderables.text import foreign, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("\x7f\x00", "\\x7f\\x00"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("a\u200bb\u200d\ufeff", "a\\u200bb\\u200d\\ufeff"),
        ("line\u2028end", "line\\u2028end"),
        ("\ud800", "\\ud800"),
        ("\ue000\U000e0041", "\\ue000\\U000e0041"),
        ("\u3164", "\\u3164"),
        ("heart\ufe0f", "heart\\ufe0f"),
        ("[bold]no markup[/bold]", "[bold]no markup[/bold]"),
        ("café 日本語", "café 日本語"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_an_escape_has_a_style_of_its_own_and_a_real_backslash_has_not() -> None:
    assert foreign("\\n\n", "said") == [("\\n", "said"), ("\\n", "escape")]


def test_combining_marks_need_a_base_and_do_not_pile_up() -> None:
    assert plain("e\u0301") == "e\u0301"
    assert plain("\u0301e") == "\\u0301e"
    assert plain("e" + "\u0301" * 4) == "e\u0301\u0301\\u0301\\u0301"


def test_ascii_shows_nothing_else() -> None:
    assert plain("café 日", ascii_only=True) == "caf\\u00e9 \\u65e5".replace("\\u00e9", "\\xe9")


@given(st.text(max_size=40))
def test_no_text_holds_anything_that_a_terminal_would_obey(text: str) -> None:
    shown = plain(text)
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in shown)
    assert cell_len(shown) == sum(cell_len(character) for character in shown)


@given(st.text(max_size=40))
def test_ascii_text_of_anything_is_ascii(text: str) -> None:
    assert plain(text, ascii_only=True).isascii()
