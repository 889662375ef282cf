"""WHY: the explanation of a request as of a moment, and in the past what came later.

Docked it is a column of labels and words; laid over low panels, short reasons share lines.
"""

from __future__ import annotations

from batchtui.engine.debugger.explanation import Explanation, Reason
from batchtui.tui.renderables.glyphs import Glyphs
from batchtui.tui.renderables.line import Line, clip, fit, width_of
from batchtui.tui.renderables.text import foreign
from batchtui.tui.renderables.units import counted
from batchtui.tui.renderables.wrap import wrap

_LABEL = 10
_GAP = "   "

_LEAST_FOR_LATER, _LEAST_LATER = 9, 3
"""From this height on what came later has so many lines, whatever else there is to say."""


def why_title(explanation: Explanation, width: int, glyphs: Glyphs) -> Line:
    """What is so and as of when; where both do not fit, what is so is cut."""
    when: Line = [(f" {glyphs.across * 2} ", "border"), (f"as of step {explanation.step} ", "")]
    what: Line = [(" ", ""), ("WHY ", "title")]
    what += foreign(explanation.title, "title", ascii_only=glyphs.ascii)
    room = width - width_of(when)
    return clip([*what, (" ", "")], width) if room < _LABEL else [*clip(what, room), *when]


def why_lines(
    explanation: Explanation, width: int, height: int, glyphs: Glyphs, *, top: int = 0
) -> list[Line]:
    """The reasons and what came later, at most ``height`` lines of at most ``width`` cells.

    Where they are too many short ones share lines; what is hidden even then is counted.
    """
    width = max(1, width)
    reasons, later = _both(explanation, width, glyphs, packed=False)
    if len(reasons) + len(later) > height:
        reasons, later = _both(explanation, width, glyphs, packed=True)
    if len(reasons) + len(later) > height >= _LEAST_FOR_LATER and not top:
        kept = later[:_LEAST_LATER]
        return [*_cut(reasons, height - len(kept), width, len(later) - len(kept)), *kept]
    lines = [*reasons, *later]
    return _cut(lines[max(0, min(top, len(lines) - height)) :], height, width)


def num_why_lines(explanation: Explanation, width: int, height: int, glyphs: Glyphs) -> int:
    """How many lines there are to scroll through in a place of this size."""
    for packed in (False, True):
        reasons, later = _both(explanation, max(1, width), glyphs, packed=packed)
        if len(reasons) + len(later) <= height:
            break
    return len(reasons) + len(later)


def _cut(lines: list[Line], height: int, width: int, num_elsewhere: int = 0) -> list[Line]:
    """The first lines, and how many there are besides; one is given up to say so."""
    hidden = len(lines) - height + num_elsewhere
    if hidden <= 0 or height < 2:
        return lines[: max(0, height)]
    more: Line = [(f"{'..':{_LABEL}}{counted(hidden + 1, 'more line')}", "hint")]
    return [*lines[: height - 1], clip(more, width)]


def _both(
    explanation: Explanation, width: int, glyphs: Glyphs, *, packed: bool
) -> tuple[list[Line], list[Line]]:
    reasons = _rows(explanation.reasons, width, glyphs, packed=packed)
    if not explanation.later:
        return reasons, []
    later = _rows(explanation.later, width, glyphs, packed=False)
    return reasons, [_later_rule(width, glyphs), *later]


def _later_rule(width: int, glyphs: Glyphs) -> Line:
    title: Line = [(glyphs.across * 2, "border"), (" LATER ", "title"), ("(the log knows) ", "dim")]
    title = clip(title, width)
    return [*title, (glyphs.across * (width - width_of(title)), "border")]


def _rows(reasons: list[Reason], width: int, glyphs: Glyphs, *, packed: bool) -> list[Line]:
    """Each reason in as many rows as it takes; ``packed``, short ones go on where one has ended."""
    rows: list[Line] = []
    last = ""
    for reason in reasons:
        label, words = _spans(reason, glyphs, repeated=reason.label == last)
        inline: Line = [(_GAP, ""), *label, (" ", ""), *words]
        if packed and rows and width_of(rows[-1]) + width_of(inline) <= width:
            rows[-1] = [*rows[-1], *inline]
        else:
            rows += _labelled(label, words, width)
        last = reason.label
    return rows


def _spans(reason: Reason, glyphs: Glyphs, *, repeated: bool) -> tuple[Line, Line]:
    label = [] if repeated else foreign(reason.label, "dim", ascii_only=glyphs.ascii)
    style = _STYLES.get(reason.label, "")
    return label, foreign(reason.words, style, ascii_only=glyphs.ascii)


def _labelled(label: Line, words: Line, width: int) -> list[Line]:
    """The label in a column of its own, the words beside it."""
    column = min(_LABEL, width // 2)
    rows = wrap(words, width - column)
    first: Line = [*fit(clip(label, column), column), *rows[0]]
    others: list[Line] = [[(" " * column, ""), *row] for row in rows[1:]]
    return [clip(line, width) for line in (first, *others)]


_STYLES = {"rule": "warning", "why": "name", "so": "warning", "held": "held"}
