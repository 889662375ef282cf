"""Puts one moment of batching in words."""

from __future__ import annotations

from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.sentence import EXCEPTION, Sentence
from batchtui.tui.renderables.sentences import sentences
from batchtui.tui.renderables.units import clock, counted


class BatchTeller:
    """What a step of a batching run decided, and what the run came to."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def sentences(self, *, terse: bool) -> list[Sentence]:
        """What the step has decided so far."""
        return sentences(self._scene, terse=terse)

    def before(self) -> list[Sentence]:
        """Nothing."""
        return []

    def outcome(self) -> list[Sentence]:
        """How many requests ended, and how."""
        view, totals = self._scene.view, self._scene.view.totals
        per_second = f", {totals.kept * 1_000_000 / view.now:,.0f} tokens/s" if view.now else ""
        refused = f", {totals.refused:,} refused" if totals.refused else ""
        run = (
            f"{counted(totals.finished, 'request')} done{refused} in {clock(view.now)}{per_second}"
        )
        reasons = [f"{reason} {number:,}" for reason, number in sorted(totals.reasons.items())]
        told = [Sentence("", EXCEPTION, [(run, "title")])]
        return told + [Sentence("", EXCEPTION, [(reason, "ended-note")]) for reason in reasons]
