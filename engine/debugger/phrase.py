"""Reads conditions: ``finish r7``, ``queue > 10 and admit``, ``wait > 2s``, ``slot 3``.

Terms are joined by ``and``. Words are read in either case; an id is what is written up to the next
space, or what stands in quotes. What is wrong is said in one line: the word, its place (from 1),
and what would be right there.
"""

from __future__ import annotations

import difflib
import re

from batchtui.engine.debugger.conditions import (
    COMPARISONS,
    Compares,
    Condition,
    Happening,
    Happens,
    Level,
    Subject,
    Vocabulary,
)
from batchtui.engine.errors import InputError

MAX_SHOWN = 40
"""Characters of a wrong word that are repeated."""

_WORD = re.compile(r"[^\s<>=\"']+")
_SIGN = re.compile(r"[<>=]+")
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_ANY = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]{1,9}")


def parse(text: str, vocabulary: Vocabulary) -> Condition:
    """Read a condition in the words of a system.

    Raises:
        InputError: a word is not known, or not in its place.
    """
    return _Reader(text, vocabulary).condition()


class _Reader:
    """Goes through a text once. ``_mark`` is where the piece at hand begins."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._at = self._mark = 0

    def condition(self) -> Condition:
        """Everything up to the end."""
        terms = [self._term()]
        while self._see():
            if self._take(_WORD).lower() != "and":
                raise self._odd("terms are joined by `and`")
            terms.append(self._term())
        happenings = [term for term in terms if isinstance(term, Happening)]
        return Condition(happenings, [term for term in terms if isinstance(term, Level)])

    def _term(self) -> Happening | Level:
        word = self._take(_WORD).lower()
        meaning = self._vocabulary.get(word)
        if isinstance(meaning, Happens):
            return Happening(meaning.finds, self._known(meaning, word))
        if isinstance(meaning, Compares):
            return self._level(word, meaning)
        near = difflib.get_close_matches(word, self._vocabulary, 1)
        hint = f"did you mean `{near[0]}`? " if near else ""
        raise self._odd(f"{hint}known are {', '.join(self._vocabulary)}")

    def _known(self, meaning: Happens, word: str) -> Subject:
        subject = self._subject(word, meaning.subject)
        if isinstance(subject, str) and meaning.wrong_with is not None:
            wrong = meaning.wrong_with(subject)
            if wrong:
                raise self._odd(wrong)
        return subject

    def _subject(self, word: str, kind: str) -> Subject:
        if kind == "":
            return None
        seen = self._see()
        if kind == "number":
            if not _NUMBER.fullmatch(seen):
                raise self._odd(f"`{word}` wants a number")
            return int(self._take(_ANY))
        if seen.startswith(('"', "'")):
            return self._quoted(word)
        if seen and seen.lower() != "and":
            return self._take(_ANY)
        if kind == "id":
            raise self._odd(f"`{word}` wants an id")
        return None

    def _quoted(self, word: str) -> str:
        found = _QUOTED.match(self._text, self._at)
        if found is None:
            raise self._odd(f"the quotes of the id after `{word}` are not closed")
        self._at = found.end()
        return found[1] if found[1] is not None else found[2]

    def _level(self, word: str, meaning: Compares) -> Level:
        sign = self._take(_SIGN) or meaning.usual
        if sign not in COMPARISONS:
            signs = " ".join(COMPARISONS)
            raise self._odd(f"`{word}` wants one of {signs} and a value such as {meaning.example}")
        bound = meaning.bound(self._take(_ANY).lower())
        if bound is None:
            raise self._odd(f"`{word}` wants a value such as {meaning.example}")
        return Level(bound, COMPARISONS[sign])

    def _see(self) -> str:
        """What comes next up to a space; "" at the end."""
        seen = self._take(_ANY)
        self._at = self._mark
        return seen

    def _take(self, pattern: re.Pattern[str]) -> str:
        """Go on over what comes next if it is such; "" if it is not."""
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1
        self._mark = self._at
        found = pattern.match(self._text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found[0]

    def _odd(self, why: str) -> InputError:
        found = _ANY.match(self._text, self._mark)
        word = found[0] if found else ""
        shown = repr(word if len(word) <= MAX_SHOWN else word[: MAX_SHOWN - 1] + "…")
        what = shown if word else "the end"
        return InputError(f"breakpoint: {what} at place {self._mark + 1}: {why}")
