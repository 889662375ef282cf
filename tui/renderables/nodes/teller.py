"""Puts one moment of a search in words: what the step decided, and what the search came to."""

from __future__ import annotations

from collections.abc import Iterator

from batchtui.engine.nodes import shown
from batchtui.engine.nodes.changes import ENDINGS
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.letters import set_words
from batchtui.tui.renderables.nodes.verdict import bad_words
from batchtui.tui.renderables.scene import Mode, NodesScene
from batchtui.tui.renderables.sentence import CHANGE, EXCEPTION, ROUTINE, Sentence
from batchtui.tui.renderables.units import counted, duration

_RANKS = {
    "condemned": EXCEPTION,
    "acquitted": EXCEPTION,
    "contradicted": EXCEPTION,
    "overruled": EXCEPTION,
    "given up": EXCEPTION,
    "refused": EXCEPTION,
    "inconclusive": EXCEPTION,
    "failed": CHANGE,
    "reopened": EXCEPTION,
    "options": EXCEPTION,
    "confirming": EXCEPTION,
    "searching": EXCEPTION,
    "confirmed": CHANGE,
    "excluded": EXCEPTION,
    "ended": EXCEPTION,
    "suspected": CHANGE,
    "cleared": CHANGE,
}

_STYLES = {
    "condemned": "alarm",
    "contradicted": "alarm",
    "overruled": "alarm",
    "failed": "warning",
    "inconclusive": "warning",
    "given up": "warning",
    "refused": "alarm",
    "suspected": "held",
    "passed": "entered",
    "cleared": "entered",
    "acquitted": "entered",
    "confirmed": "entered",
    "ended": "left",
}

_TERSE = {
    "started": "",
    "passed": "",
    "suspected": "",
    "released": "",
    "contradicted": "each passed elsewhere",
}
"""Reasons where there is little room: "" for none."""

_MOST = 3
"""Sentences of one verb before they are counted."""


class NodesTeller:
    """What a step of a search decided, and what the search came to."""

    def __init__(self, scene: NodesScene) -> None:
        self._scene = scene

    def sentences(self, *, terse: bool) -> list[Sentence]:
        """What the step has decided so far: the first of each verb, the others by their number."""
        return list(self._told(terse=terse))

    def before(self) -> list[Sentence]:
        """What is to be found out, and how."""
        view = self._scene.view
        number = counted(view.num_nodes - view.num_excluded, "node")
        words = f"{number} to be told apart by tests of two or more, {view.max_parallel:,} at once"
        return [Sentence("", ROUTINE, [(words, "dim")])]

    def outcome(self) -> list[Sentence]:
        """Who is bad, and what that has cost."""
        view = self._scene.view
        why = ENDINGS[view.over] if view.over is not None else "the recording ends here"
        cost = f"{counted(view.totals.planned, 'test')} in {counted(view.totals.rounds, 'round')}"
        return [
            Sentence("", EXCEPTION, bad_words(self._scene)),
            Sentence("", EXCEPTION, [(why, "left")]),
            Sentence("", EXCEPTION, [(f"{cost}, {duration(view.now)}", "")]),
        ]

    def _told(self, *, terse: bool) -> Iterator[Sentence]:
        seen: dict[str, int] = {}
        told = self._scene.view.told
        for change in self._scene.view.changed:
            if change.verb == "ended" and self._scene.mode is Mode.ENDED:
                continue  # the outcome says so
            seen[change.verb] = count = seen.get(change.verb, 0) + 1
            most = 1 if change.verb in ("planned", "started") else _MOST
            if count < most or (count == most and told.get(change.verb, 0) <= most):
                yield self._sentence(change, terse=terse)
            elif count == most:
                more = told[change.verb] - most + 1
                yield Sentence(change.phase, _rank(change), _more(change, more, self._scene))

    def _sentence(self, change: shown.Change, *, terse: bool) -> Sentence:
        words: Line = [(change.verb, _STYLES.get(change.verb, ""))]
        if change.test is not None and change.verb not in ("cleared", "condemned", "acquitted"):
            words.append((f" T{change.test}", "name"))
        if change.nodes:
            words.append((f" {set_words(self._scene, change.nodes)}", "name"))
        reason = _TERSE.get(change.verb, change.reason) if terse else change.reason
        if reason:
            separator = " " if change.verb in ("started", "options") else ": "
            words.append((f"{separator}{reason}", "dim"))
        return Sentence(change.phase, _rank(change), words)


def _rank(change: shown.Change) -> int:
    return _RANKS.get(change.verb, ROUTINE)


def _more(change: shown.Change, count: int, scene: NodesScene) -> Line:
    if change.verb in ("planned", "started"):
        some = f"{counted(count, 'test')}"
        why = f": {change.reason}" if change.verb == "planned" and count == 1 else ""
        first = f", the first {set_words(scene, change.nodes)}" if change.nodes else ""
        return [(change.verb, ""), (f" {some}{first}{why}", "dim")]
    return [(f"{count:,} more {change.verb}", _STYLES.get(change.verb, "dim"))]
