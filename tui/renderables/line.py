"""A line of the screen: spans of text, each with a style's name, measured in terminal cells."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size, split_text

Span = tuple[str, str]
"""Text that is safe to be shown, and the name of its style; "" is the panel's own."""

Line = list[Span]


def cells(text: str) -> int:
    """How many cells a text takes; most are ASCII, which need not be looked at by the letter."""
    return len(text) if text.isascii() else cell_len(text)


def width_of(line: Line) -> int:
    """How many cells a line takes."""
    return sum(cells(text) for text, _ in line)


def text_of(line: Line) -> str:
    """A line without its styles."""
    return "".join(text for text, _ in line)


def fit(line: Line, width: int) -> Line:
    """Cut or fill a line to exactly ``width`` cells; a wide character is never cut in half."""
    fitted: Line = []
    for text, style in line:
        size = cells(text)
        if size >= width:
            fitted.append((set_cell_size(text, width), style))
            return fitted
        fitted.append((text, style))
        width -= size
    fitted.append((" " * width, ""))
    return fitted


def clip(line: Line, width: int) -> Line:
    """Cut a line that is too long and say so with two dots."""
    if width_of(line) <= width:
        return line
    return [*fit(line, max(0, width - 2)), ("..."[: min(2, width)], "dim")]


def tail(line: Line, width: int) -> Line:
    """The end of a line that is too long, with two dots before it."""
    excess = width_of(line) - width
    if excess <= 0:
        return line
    excess += 2
    kept: Line = [(".."[:width], "dim")]
    for text, style in line:
        size = cells(text)
        if excess < size:
            kept.append((split_text(text, excess)[1], style))
        excess = max(0, excess - size)
    return fit(kept, width)


def broken(line: Line, width: int) -> list[Line]:
    """A long line in rows of at most ``width`` cells, wherever a word may be cut by that."""
    rows: list[Line] = [[]]
    room = width
    for text, style in line:
        rest = text
        while cells(rest) > room:
            cut = within(rest, room)
            rows[-1] += [(rest[:cut], style)] if cut else []
            if not cut and room == width:  # not even one wide character has room
                return rows
            rest, room = rest[cut:], width
            rows.append([])
        rows[-1].append((rest, style))
        room -= cells(rest)
    return rows


def within(text: str, width: int) -> int:
    """How many characters of a text have room in ``width`` cells."""
    if text.isascii():
        return min(len(text), width)
    for count, character in enumerate(text):
        width -= cell_len(character)
        if width < 0:
            return count
    return len(text)


def ends(left: Line, right: Line, width: int) -> Line:
    """Two lines at the ends of one; where both do not fit, the left one is cut."""
    room = width - width_of(right)
    if room <= 0:
        return fit(right, width)
    return [*fit(clip(left, room), room), *right]


def merged(line: Line, filled: frozenset[str]) -> Line:
    """The same picture in fewer spans: a blank may have any style that does not fill its cell.

    Each span costs a terminal some twenty bytes of colour, and half of a table is blanks.
    """
    spans: Line = []
    for text, style in line:
        last = spans[-1] if spans else ("", "")
        if style == last[1] or (text.isspace() and not {style, last[1]} & filled):
            spans[-1:] = [(last[0] + text, last[1])]
        else:
            spans.append((text, style))
    return spans


def join(lines: Iterable[Line], separator: str) -> Line:
    """Lines in a row, a separator between them."""
    joined: Line = []
    for line in lines:
        if joined:
            joined.append((separator, ""))
        joined.extend(line)
    return joined
