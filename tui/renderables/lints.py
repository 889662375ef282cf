"""What looks wrong: the one line that is always there, and the list of it all."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.engine.batching.explain.lints import Lint
from batchtui.tui.renderables.glyphs import Glyphs
from batchtui.tui.renderables.line import Line, clip, ends, width_of
from batchtui.tui.renderables.text import foreign
from batchtui.tui.renderables.units import counted

_KIND = 13
_LEAST_WORDS = 30
"""Cells that the finding must have for the key to be named beside it."""


def lint_line(lints: Sequence[Lint], width: int, glyphs: Glyphs) -> Line:
    """How many findings there are, the first of them, and the key that lists them; [] for none."""
    if not lints:
        return []
    count: Line = [("! ", "warning"), (f"{counted(len(lints), 'lint')}: ", "warning")]
    told = [(" ", ""), *count, *foreign(lints[0].words, "", ascii_only=glyphs.ascii)]
    key: Line = [("   (", "dim"), ("!", "key"), (" lists) ", "dim")]
    if width - width_of(key) < _LEAST_WORDS:
        return clip(told, width)
    return ends(told, key, width)


def finding_line(lint: Lint, *, ascii_only: bool = False) -> Line:
    """One finding: its kind, the steps in which it was so, and its words."""
    is_over = lint.until is not None
    steps = f"steps {lint.since}-{lint.until}" if is_over else f"since step {lint.since}"
    return [
        (f"{lint.kind:{_KIND}} ", "warning"),
        (f"{steps}  ", "dim"),
        *foreign(lint.words, "", ascii_only=ascii_only),
    ]
