"""The mark of a step: a letter for the most notable thing that happened in it."""

from __future__ import annotations

from collections.abc import Iterable

from batchtui.engine.debugger.recording import Entry
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.view import NodesView

MARKS = ".+cf#!i*"
"""The mark of a step, each beating those before it: nothing, a test began, one passed, one failed,
a node was condemned, a contradiction was found, results were overruled or a set refused, a test was
inconclusive or a node given up, options were changed or nodes excluded."""


def mark(entries: Iterable[Entry]) -> int:
    """The mark of a turn, an index into ``MARKS``."""
    return max((_mark(entry) for entry in entries), default=0)


def mark_of(view: NodesView) -> str:
    """The mark of the step at work, as far as it has come."""
    return MARKS[max((_VERBS.get(verb, 0) for verb in view.told), default=0)]


def _mark(entry: Entry) -> int:
    if isinstance(entry, said.TestEnded):
        return MARKS.index(_VERDICTS[entry.verdict])
    return _MARK_OF.get(type(entry), 0)


_VERDICTS = {"pass": "c", "fail": "f", "inconclusive": "i"}

_MARK_OF: dict[type, int] = {
    said.TestStarted: MARKS.index("+"),
    said.NodesCleared: MARKS.index("c"),
    said.NodeCondemned: MARKS.index("#"),
    said.ContradictionFound: MARKS.index("!"),
    said.ResultsOverruled: MARKS.index("!"),
    said.TestRefused: MARKS.index("!"),
    said.NodeAbandoned: MARKS.index("i"),
    said.OptionsChanged: MARKS.index("*"),
    said.NodesExcluded: MARKS.index("*"),
}

_VERBS = {
    "started": MARKS.index("+"),
    "passed": MARKS.index("c"),
    "cleared": MARKS.index("c"),
    "acquitted": MARKS.index("c"),
    "failed": MARKS.index("f"),
    "condemned": MARKS.index("#"),
    "contradicted": MARKS.index("!"),
    "overruled": MARKS.index("!"),
    "refused": MARKS.index("!"),
    "inconclusive": MARKS.index("i"),
    "given up": MARKS.index("i"),
    "options": MARKS.index("*"),
    "excluded": MARKS.index("*"),
}
