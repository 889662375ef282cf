"""Times and shares as a person types them."""

from __future__ import annotations

import pytest
import typer

from batchtui.tui.cli.amounts import seconds, share, time_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [("40", 40), ("40s", 40), ("10m", 600), ("1h30m", 5400), ("250ms", 0.25), ("1.5h", 5400)],
)
def test_a_time_is_read(text: str, expected: float) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize(
    "text", ["", "0", "0s", "-1", "m", "10x", "1 h", "s10", "nan", "inf", "1e9", "99999999999"]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="want 40s, 10m or 1h30m"):
        seconds(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("1%", 0.01), ("0.25", 0.25), ("0", 0), ("100%", 1)]
)
def test_a_share_is_read(text: str, expected: float) -> None:
    assert share(text) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["", "%", "2", "101%", "-1%", "nan", "a"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match=r"want 1% or 0\.01"):
        share(text)


@pytest.mark.parametrize(
    ("total", "words"),
    [
        (0, "0 s"),
        (2.5, "2.5 s"),
        (160, "160 s"),
        (599.6, "10 min"),
        (750, "12 min 30 s"),
        (36000, "10 h"),
        (40000, "11 h 6 min"),
    ],
)
def test_a_time_is_said_in_words(total: float, words: str) -> None:
    assert time_of(total) == words
