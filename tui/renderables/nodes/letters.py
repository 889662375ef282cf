"""The letters of the map, the marks of the ribbon, and how sets of nodes are named."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.engine.nodes import shown
from batchtui.tui.renderables.line import Line, clip, text_of
from batchtui.tui.renderables.ribbon import Marks
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.text import plain

STYLES = {
    shown.UNKNOWN: "free",
    shown.SUSPECT: "held",
    shown.GOOD: "decode",
    shown.BAD: "dropped",
    shown.CONTRADICTED: "alarm",
    shown.EXCLUDED: "dim",
    shown.ABANDONED: "warning",
}
"""The style of a letter; that of a running test has its own."""

RUNNING_STYLE = "prefill"

WORDS = {
    shown.UNKNOWN: "untested",
    "a-z": "in test a-z",
    shown.SUSPECT: "suspect",
    shown.GOOD: "good",
    shown.BAD: "bad",
    shown.CONTRADICTED: "contradiction",
    shown.EXCLUDED: "excluded",
    shown.ABANDONED: "given up",
}
"""What the letters mean, in the order of a legend."""

_WORST_FIRST = (
    shown.BAD,
    shown.CONTRADICTED,
    shown.ABANDONED,
    "",  # a running test
    shown.SUSPECT,
    shown.UNKNOWN,
    shown.EXCLUDED,
    shown.GOOD,
)

NODES_MARKS: Marks = {
    "+": ("entered", "test", "tests began"),
    "c": ("moved", "pass", "a test passed, and cleared nodes"),
    "f": ("warning", "fail", "a test failed"),
    "#": ("alarm", "bad", "a node was condemned"),
    "!": ("alarm", "contra", "a contradiction, or a set that breaks a rule"),
    "i": ("warning", "none", "a test proved nothing, or a node was given up"),
    "*": ("moved", "options", "options were changed, or nodes excluded"),
}
"""The marks of a search's steps."""


def style_of(letter: str) -> str:
    """The style of a letter of the map."""
    return STYLES.get(letter, RUNNING_STYLE)


_RANKS = bytes(_WORST_FIRST.index(chr(code) if chr(code) in STYLES else "") for code in range(128))


def ranks_of(letters: str) -> bytes:
    """How badly each letter must be seen, the lowest first: of several nodes that share a cell the
    one with the least is shown."""
    return letters.encode("ascii").translate(_RANKS.ljust(256, b"\xff"))


def name_of(scene: NodesScene, node: int) -> str:
    """The name of a node as it may be shown."""
    return plain(scene.inventory.nodes[node].name, ascii_only=scene.glyphs.ascii)


def set_words(scene: NodesScene, nodes: Sequence[int], most: int = 24) -> str:
    """A set in few cells: neighbours by the first and the last, a pair by both, else how many."""
    if not nodes:
        return "nobody"
    first, last = name_of(scene, nodes[0]), name_of(scene, nodes[-1])
    if len(nodes) == 1:
        words = first
    elif len(nodes) == 2:
        words = f"{first}+{_short(first, last)}"
    elif nodes[-1] - nodes[0] == len(nodes) - 1:
        words = f"{first}..{_short(first, last)}"
    else:
        words = f"{first} +{len(nodes) - 1:,}"
    return text_of(clip([(words, "")], most))


def _short(first: str, last: str) -> str:
    """What of a name is another than in the one before it: its last number, whole."""
    if not (first and first[-1].isdigit()):
        return last
    stem = first.rstrip("0123456789")
    return last[len(stem) :] if last.startswith(stem) and last != stem else last


def legend(width: int) -> Line:
    """What the letters mean, as far as there is room."""
    line: Line = []
    for letter, word in WORDS.items():
        shown_as = word if letter == "a-z" else f"{letter} {word}"
        size = len(shown_as) + (2 if line else 0)
        if size > width:
            break
        line += [("  ", "")] if line else []
        style = RUNNING_STYLE if letter == "a-z" else STYLES[letter]
        line += [(word, style)] if letter == "a-z" else [(letter, style), (f" {word}", "dim")]
        width -= size
    return line
