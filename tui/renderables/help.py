"""The help: the panel that has the keys, every key, and what the letters and marks mean."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.engine.batching.marks import MARKS as STRENGTH
from batchtui.tui.renderables.glyphs import Glyphs
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.marks import STATES
from batchtui.tui.renderables.ribbon import MARKS as RIBBON
from batchtui.tui.renderables.table import framed, rule
from batchtui.tui.renderables.wrap import wrap

MARKS = {
    "+": ("entered", "entered the slot or the queue in this step"),
    ">": ("moved", "changed its state"),
    "-": ("left", "ended; its blocks are free"),
    "X": ("alarm", "a row for a former resident was dropped"),
    "!": ("warning", "is free while requests wait"),
}

_MEANINGS = {
    "free": "nobody is here",
    "prefill": "admitted; the first token has not come",
    "decode": "tokens are coming",
    "held": "text is held back: it may be the beginning of a stop string",
    "ended": "ended in this step",
}


_PANELS = {
    "slots": (
        "A row for each slot: its state, the generation that grows at every refill, who sits in "
        "it, tokens of the most it may have, KV blocks, and what it says: the bar stands before "
        "what is new, brackets around what is held back. w explains a row, enter shows all of "
        "it, t runs until something happens to it, b stops there."
    ),
    "queue": (
        "Who waits, in the policy's order unless you sort by < > and r; / filters. The last column "
        "says which rule holds the head, and whether those behind it would fit. 3 once more shows "
        "those who have ended."
    ),
    "ended": (
        "Who ended last, the newest first unless you sort by < > and r: after how many tokens, how "
        "long it took from arrival, and how it ended. 3 once more shows the queue."
    ),
    "nodes": "Node tests will be shown here; there are none yet.",
    "evals": "Eval metrics will be shown here; there are none yet.",
}


def help_lines(
    keys: Sequence[tuple[str, str]], width: int = 200, panel: str = "slots"
) -> list[Line]:
    """All of the help, that of a panel first; ``keys`` are pairs of the keys and what they do."""
    lines = panel_and_keys(panel, _PANELS[panel], keys, width)
    lines += [[], [("SLOTS", "title")]]
    for letter, word in STATES.items():
        gap = " " * (9 - len(word))
        lines.append([("  ", ""), (f"{letter} {word}", word), (gap + _MEANINGS[word], "")])
    lines += [[], [("MARKS", "title"), (" of the step that was made last", "dim")]]
    for mark, (style, words) in MARKS.items():
        lines.append([("  ", ""), (mark, style), (f" {words}", "")])
    picked = " beside a number: the row that is picked"
    lines.append([("  ", ""), (">", "picked-mark"), (picked, "")])
    lines += [[], [("RIBBON", "title"), (" a mark for each step; of two the lower here", "dim")]]
    for mark in sorted(RIBBON, key=STRENGTH.index):
        style, _, words = RIBBON[mark]
        lines.append([("  ", ""), (mark, style), (f" {words}", "")])
    return lines


def panel_and_keys(
    panel: str, words: str, keys: Sequence[tuple[str, str]], width: int
) -> list[Line]:
    """What a help begins with: the panel that has the keys, and all keys."""
    column = max((len(shown) for shown, _ in keys), default=0)
    lines: list[Line] = [[(panel.upper(), "title"), (" has the keys", "dim")]]
    lines += [[("  ", ""), *line] for line in wrap([(words, "")], width - 4)]
    lines += [[], [("KEYS", "title")]]
    for shown, does in keys:
        first, *others = wrap([(does, "")], width - column - 4)
        lines.append([(f"  {shown.ljust(column)}  ", "key"), *first])
        lines += [[(" " * (column + 4), ""), *line] for line in others]
    return lines


def help_panel(
    glyphs: Glyphs, lines: Sequence[Line], width: int, height: int, top: int
) -> list[Line]:
    """All of a help in a frame, from line ``top`` on."""
    room = max(0, height - 2)
    title: Line = [(" ", ""), ("HELP", "title"), (" ", "")]
    close: Line = [(" esc ", "key"), ("closes ", "dim")]
    panel = [rule(glyphs, width, (glyphs.top_left, glyphs.top_right), title, right=close)]
    shown = lines[top : top + room]
    panel += [framed(glyphs, [(" ", ""), *line], width) for line in shown]
    panel += [framed(glyphs, [], width)] * (room - len(shown))
    more: Line = [(f" {len(lines) - top - room} more below ", "dim")]
    right = more if len(lines) > top + room else None
    corners = (glyphs.bottom_left, glyphs.bottom_right)
    panel.append(rule(glyphs, width, corners, [], right=right))
    return panel[:height]
