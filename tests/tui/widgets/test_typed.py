"""What an input shows in the place of what must not reach the terminal."""

from __future__ import annotations

import pytest

from batchtui.tui.widgets.typed import disguised


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [bold]text[/]", "plain [bold]text[/]"),
        ("a\x1b[31mb", "a?[31mb"),
        ("a\tb\nc", "a?b?c"),
        ("\u202eabc", "?abc"),
        ("日本e\u0301", "日本e\u0301"),
        ("\u0301", "?"),
        ("", ""),
    ],
)
def test_hostile_characters_are_marks(text: str, shown: str) -> None:
    assert disguised(text, ascii=False) == shown


def test_in_ascii_so_is_what_is_not_ascii() -> None:
    assert disguised("é日\x1b", ascii=True) == "???"


@pytest.mark.parametrize("ascii", [False, True])
def test_each_character_stands_for_one(ascii: bool) -> None:
    text = "aé日\x1b\u202e\u0301e\u0301\u0301\u0301\t\U000e0001z"
    assert len(disguised(text, ascii=ascii)) == len(text)
