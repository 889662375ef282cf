"""Makes foreign text fit to be shown: what a model or a file wrote is hostile until it was here.

What a terminal would obey, or what has no width of its own, is shown as its escape (``\\x1b``,
``\\u202e``) in a style of its own, so that a real backslash cannot be taken for one. Nothing is
dropped, nothing is markup.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import get_character_cell_size

from batchtui.tui.renderables.line import Line

MAX_MARKS = 2
"""Combining marks on one character; more would climb over the rows above."""

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
# Invisible, though Unicode calls them marks or letters: joiners, fillers, variation selectors.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5")


def foreign(text: str, style: str, *, ascii_only: bool = False) -> Line:
    """Spans that show ``text`` in ``style``, with what must not reach a terminal in ``escape``."""
    return [(piece, "escape" if hidden else style) for piece, hidden in _pieces(text, ascii_only)]


def plain(text: str, *, ascii_only: bool = False) -> str:
    """The same as one string, for names and numbers that have no spans of their own."""
    return "".join(piece for piece, _ in _pieces(text, ascii_only))


@lru_cache(maxsize=2048)
def _pieces(text: str, ascii_only: bool) -> tuple[tuple[str, bool], ...]:
    if text.isascii() and text.isprintable():
        return ((text, False),) if text else ()
    pieces: list[tuple[str, bool]] = []
    run = ""
    num_marks = 0
    for character in text:
        is_mark = unicodedata.category(character) in ("Mn", "Me")
        num_marks = num_marks + 1 if is_mark else 0
        loose = is_mark and (not run or num_marks > MAX_MARKS)
        if loose or _is_hidden(character, is_mark) or (ascii_only and not character.isascii()):
            pieces += [(run, False)] if run else []
            pieces.append((_escape(character), True))
            run = ""
        else:
            run += character
    return (*pieces, (run, False)) if run else tuple(pieces)


def _is_hidden(character: str, is_mark: bool) -> bool:
    if character.isascii():
        return not character.isprintable()
    if unicodedata.category(character) in _HIDDEN_CATEGORIES or character in _INVISIBLE:
        return True
    if is_mark:
        return "VARIATION SELECTOR" in unicodedata.name(character, "")
    return get_character_cell_size(character) == 0


def _escape(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
