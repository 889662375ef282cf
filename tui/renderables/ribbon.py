"""The ribbon: a mark for each step, the cursor in brackets, and where it is wide how many waited.

At its right stand the phases, or what the marks mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from batchtui.tui.renderables.line import Line, ends, fit, width_of
from batchtui.tui.renderables.scene import Moment, Ribbon

Marks = Mapping[str, tuple[str, str, str]]
"""For each mark its style, its word in the legend, and what it means."""

MARKS: Marks = {
    "+": ("entered", "in", "a request entered a slot"),
    "f": ("left", "out", "one ended"),
    "H": ("held", "held", "text was held back"),
    "X": ("alarm", "drop", "a row was dropped"),
    "w": ("warning", "wait", "the head of the queue waits"),
    "v": ("moved", "preempted", "one was preempted"),
    "*": ("moved", "options", "options were changed"),
    "!": ("alarm", "fault", "a model call failed, or was told to"),
}
"""Those of batching."""

_SPACED_FROM = 120
_LABEL = 8


class _Shape(NamedTuple):
    """Where the steps are: each ``pitch`` cells wide, the first of ``shown`` at ``left``."""

    left: int
    pitch: int
    shown: range


def ribbon_lines(
    scene: Moment, width: int, height: int, *, phases: bool = False, marks: Marks = MARKS
) -> list[Line]:
    """One line of marks, and a second of queue lengths if there is one more.

    ``marks`` are those of the system.
    """
    shape = _shape(scene.ribbon, width)
    right = phase_words(scene) if phases else _legend(width, marks)
    lines = [_line(_marks(scene, shape, width, marks), right, width)]
    if height > 1:
        lines.append(_line(_lengths(scene, shape), _totals(scene), width))
    return lines[:height]


def step_at(scene: Moment, width: int, column: int) -> int | None:
    """The step whose mark is at a column, or the nearest one; None where there is none at all."""
    shape = _shape(scene.ribbon, width)
    if not shape.shown:
        return None
    place = max(0, column - shape.left) // shape.pitch
    cursor = scene.ribbon.cursor
    # Without gaps the brackets round the cursor push apart what stands beside them.
    if shape.pitch == 1 and cursor in shape.shown:
        at = cursor - shape.shown.start
        place -= min(2 if at else 1, max(0, place - at))
    return shape.shown[min(max(0, place), len(shape.shown) - 1)]


def phase_words(scene: Moment, separator: str = " ") -> Line:
    """The phases of a step, the one that was made last in brackets."""
    line: Line = []
    for phase in scene.phases:
        is_last = scene.started and phase == scene.view.phase
        line += [(separator, "border")] if line else []
        line.append((f"[{phase.upper()}]", "unit") if is_last else (phase, "dim"))
    return [*line, (" ", "")]


def _shape(ribbon: Ribbon, width: int) -> _Shape:
    """All steps if they fit, else those round the cursor: two thirds of them before it."""
    spaced = width >= _SPACED_FROM
    pitch = 2 if spaced else 1
    left = _left_of(ribbon, spaced=spaced)
    room = max(1, (width - left - _room_at_right(width)) // pitch - (0 if spaced else 2))
    last = ribbon.first + len(ribbon.marks)
    cursor = ribbon.cursor if ribbon.cursor >= 0 else ribbon.first
    start = max(ribbon.first, min(cursor - room * 2 // 3, last - room))
    return _Shape(left, pitch, range(start, min(last, start + room)))


def _left_of(ribbon: Ribbon, *, spaced: bool) -> int:
    """The column of the first mark: a label if there is room, and the first step's number."""
    digits = max(3, len(str(max(ribbon.last, 0))))
    return (_LABEL if spaced else 0) + digits + 2


def _room_at_right(width: int) -> int:
    """Phases at the narrow one; the last step's number and the legend at the wide one."""
    if width >= _SPACED_FROM:
        return 38
    return 28 if width >= 60 else 0


def _line(left: Line, right: Line, width: int) -> Line:
    if width_of(left) + width_of(right) <= width:
        return ends(left, right, width)
    return fit(left, width)


def _marks(scene: Moment, shape: _Shape, width: int, known: Marks) -> Line:
    ribbon = scene.ribbon
    if not shape.shown:
        return [(" ", ""), ("a mark for every step will stand here"[: max(0, width - 1)], "dim")]
    line = _label("events", str(shape.shown.start), shape)
    marks = [ribbon.marks[step - ribbon.first] for step in shape.shown]
    styles = [known[mark][0] if mark in known else "dim" for mark in marks]
    line += _spread(list(zip(marks, styles, strict=True)), ribbon.cursor, shape)
    return [*line, (f" {ribbon.last}", "dim")] if shape.pitch > 1 else line


def _label(word: str, number: str, shape: _Shape) -> Line:
    """What stands before the first mark; its last cell is the bracket's."""
    word = word.ljust(_LABEL - 1) if shape.pitch > 1 else ""
    return [((" " + word + number.rjust(shape.left - len(word) - 2)), "dim")]


def _spread(cells: list[tuple[str, str]], cursor: int, shape: _Shape) -> Line:
    """Marks in a row; the cursor's stands in brackets, which take the place of gaps if any."""
    line: Line = []
    at = cursor - shape.shown.start
    for place, (text, style) in enumerate(cells):
        gap = "[" if place == at else "]" if place == at + 1 and at >= 0 else " "
        if shape.pitch > 1 or gap != " " or place == 0:
            line.append((gap, "unit" if gap != " " else ""))
        line.append((text, "unit" if place == at else style))
    if at == len(cells) - 1:
        line.append(("]", "unit"))
    return line


def _lengths(scene: Moment, shape: _Shape) -> Line:
    """How many waited at the end of each step: digits, or bars where a digit is not enough."""
    ribbon = scene.ribbon
    if not shape.shown or not ribbon.queue_lengths:
        return []
    lengths = [ribbon.queue_lengths[step - ribbon.first] for step in shape.shown]
    bars, most = scene.glyphs.bars, max(*lengths, 1)
    if most < 10:
        cells = [str(length) for length in lengths]
    else:
        top = len(bars) - 1
        cells = [bars[-(-length * top // most)] if length else "." for length in lengths]
    styles = ["warning" if cell not in "0." else "dim" for cell in cells]
    line = _label("queue" if scene.unit == "batch" else "open", "", shape)
    return line + _spread(list(zip(cells, styles, strict=True)), ribbon.cursor, shape)


def _totals(scene: Moment) -> Line:
    lengths = scene.ribbon.queue_lengths
    place = scene.ribbon.cursor - scene.ribbon.first
    here = lengths[place] if 0 <= place < len(lengths) else 0
    words = f"{here:,} here, at most {max(lengths):,}   " if lengths else ""
    keys: Line = [("[ ]", "key"), (" scrub ", "dim"), ("g", "key"), (" go to ", "dim")]
    return [(words, "dim"), *keys]


def _legend(width: int, marks: Marks) -> Line:
    """As many of the marks' words as there is room for."""
    if width < 60:
        return []
    legend: Line = []
    for mark, (style, word, _) in marks.items():
        entry: Line = [(mark, style), (f" {word} ", "dim")]
        if width_of(legend) + width_of(entry) > _room_at_right(width) - 5:
            break
        legend += entry
    return legend
