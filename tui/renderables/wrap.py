"""Breaks a line between its words; what was foreign in it keeps its style."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line, broken, width_of


def wrap(line: Line, width: int) -> list[Line]:
    """A line in rows of at most ``width`` cells; only a word that is longer than a row is cut.

    Blanks are kept but where a row ends: two in a row may be what a stop string has.
    """
    rows: list[Line] = [[]]
    room = width = max(1, width)
    for number, word in enumerate(_words(line)):
        size = width_of(word)
        if number and size < room:
            rows[-1] += [(" ", ""), *word]
            room -= size + 1
            continue
        pieces = broken(word, width)
        rows[len(rows) - (number == 0) :] = pieces
        room = width - width_of(pieces[-1])
    return rows


def _words(line: Line) -> list[Line]:
    words: list[Line] = [[]]
    for text, style in line:
        first, *others = text.split(" ")
        words[-1] += [(first, style)] if first else []
        words += [[(other, style)] if other else [] for other in others]
    return words
