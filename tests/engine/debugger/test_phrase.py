from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.debugger.conditions import Bound, Compares, Find, Happens, Reading
from batchtui.engine.debugger.phrase import MAX_SHOWN, parse
from batchtui.engine.debugger.recording import Turned, TurnRecord
from batchtui.engine.errors import InputError


class Asked:
    """A vocabulary of four words that remembers what it was asked for."""

    def __init__(self) -> None:
        self.subjects: list[object] = []
        self.bounds: list[str] = []
        finds: dict[type, Find] = {Turned: self._find}
        self.words: dict[str, Happens | Compares] = {
            "ring": Happens(finds),
            "call": Happens(finds, "id"),
            "line": Happens(finds, "number"),
            "rain": Happens(finds, ""),
            "heat": Compares(self._bound, "10"),
            "hour": Compares(self._bound, "12", ">="),
        }

    def _find(self, event: Any, view: Any, subject: object) -> bool:  # Any: as conditions do
        self.subjects.append(subject)
        return True

    def _bound(self, text: str) -> Bound | None:
        self.bounds.append(text)
        return Bound(Reading(lambda view: 5.0), float(text)) if text.isdigit() else None


TURN = TurnRecord(0, "admit", 0, "batch", [Turned(step=0, phase="admit", at=0, unit="batch")])


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("ring", [None]),
        ("RING r7", ["r7"]),
        ("ring R7", ["R7"]),
        ("  ring   r7 \t and\n rain ", ["r7", None]),
        ("ring and Rain", [None, None]),
        ('ring "and" AND ring "a b"', ["and", "a b"]),
        ("ring 'say \"no\"'", ['say "no"']),
        ("ring a=b>c", ["a=b>c"]),
        ("ring it's", ["it's"]),
        ('ring"r7"', ["r7"]),
        ("call and2", ["and2"]),
        ("line 3", [3]),
        ('ring ""', [""]),
    ],
)
def test_words_are_read_in_either_case_and_ids_as_they_are(
    text: str, subjects: list[object]
) -> None:
    asked = Asked()
    assert parse(text, asked.words).hits(TURN, None)
    assert asked.subjects == subjects


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("heat > 4", True),
        ("heat > 5", False),
        ("heat>=5", True),
        ("heat<5", False),
        ("heat <=5", True),
        ("HEAT= 5", True),
        ("heat = 4", False),
        ("hour 5", True),
        ("hour 6", False),
        ("hour < 6", True),
        ("heat > 4 and hour 6", False),
        ("heat > 4 and hour 5", True),
    ],
)
def test_figures_are_compared(text: str, is_so: bool) -> None:
    assert parse(text, Asked().words).hits(TURN, None) == is_so


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the end at place 1: known are ring, call, line, rain, heat, hour"),
        ("   ", "the end at place 4: known are ring"),
        ("rong r7", "'rong' at place 1: did you mean `ring`? known are ring, call"),
        ("xyzzy", "'xyzzy' at place 1: known are ring"),
        ("ring and", "the end at place 9: known are"),
        ("ring r7 or rain", "'or' at place 9: terms are joined by `and`"),
        ("rain r7", "'r7' at place 6: terms are joined by `and`"),
        ("and ring", "'and' at place 1: known are"),
        ("> 3", "'>' at place 1: known are"),
        ("call", "the end at place 5: `call` wants an id"),
        ("call and ring", "'and' at place 6: `call` wants an id"),
        ('ring "r7', "'\"r7' at place 6: the quotes of the id after `ring` are not closed"),
        ("line x", "'x' at place 6: `line` wants a number"),
        ("line -1", "'-1' at place 6: `line` wants a number"),
        ("line", "the end at place 5: `line` wants a number"),
        ("line ٣", "'٣' at place 6: `line` wants a number"),
        ("heat", "the end at place 5: `heat` wants one of > >= < <= = and a value such as 10"),
        ("heat r7", "'r7' at place 6: `heat` wants one of"),
        ("heat => 3", "'=>' at place 6: `heat` wants one of"),
        ("heat >", "the end at place 7: `heat` wants a value such as 10"),
        ("heat > lots", "'lots' at place 8: `heat` wants a value such as 10"),
        ("heat>x and ring", "'x' at place 6: `heat` wants a value such as 10"),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_what_would_be_right(
    text: str, message: str
) -> None:
    with pytest.raises(InputError) as raised:
        parse(text, Asked().words)
    assert str(raised.value).startswith(f"breakpoint: {message}")


def test_a_long_or_hostile_word_is_repeated_short_and_harmless() -> None:
    with pytest.raises(InputError) as raised:
        parse("\x1b[2J" + "x" * 500, Asked().words)
    message = str(raised.value)
    assert message.isprintable()
    assert message.count("x") < MAX_SHOWN


_PIECES = st.sampled_from(
    ["finish", "r7", "and", "queue", ">", "10", "2s", "wait", '"', "'", "slot", "3", "\x00", "é"]
)


@given(pieces=st.lists(_PIECES, max_size=8), gap=st.sampled_from([" ", "", "\n"]))
def test_any_text_is_read_or_refused_in_one_line(pieces: list[str], gap: str) -> None:
    try:
        parse(gap.join(pieces), BATCHING)
    except InputError as error:
        assert str(error).isprintable()
