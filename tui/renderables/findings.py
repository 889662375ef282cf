"""What looks wrong, in the last rows of a small panel: where the screen has no line for it."""

from __future__ import annotations

from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, ends, fit
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.wrap import wrap

_MOST_LINES = 2
_LEAST_ROOM = 5
"""Rows that the panel has before some of them are given away."""

_MORE = "[!] more"


def found_lines(scene: Scene, frame: Frame) -> list[Line]:
    """The worst finding in two rows, and how to see the others; none where nothing is found."""
    if not scene.lints or frame.room < _LEAST_ROOM:
        return []
    width = frame.inner
    words = f"lint: {plain(scene.lints[0].words, ascii_only=scene.glyphs.ascii)}"
    rows = wrap([(words, "warning")], width - 2)
    lines: list[Line] = [[("  ", ""), *row] for row in rows[:_MOST_LINES]]
    lines[0][0] = ("! ", "warning")
    if len(scene.lints) > 1 or len(rows) > _MOST_LINES:
        lines[-1] = ends(lines[-1], [(f"  {_MORE}", "key")], width)
    return [fit(line, width) for line in lines]


def num_found_lines(scene: Scene, frame: Frame) -> int:
    """How many rows that takes."""
    return len(found_lines(scene, frame))
