"""What must hold of the turns of a recording, since everything that looks at them relies on it.

A fold that raises says by itself that entries contradict each other; here is what it would take
without a word.
"""

from __future__ import annotations

from typing import Any

from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Timeline
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.lines import printable


class Checks:
    """Looks at each turn before it is taken in.

    Args:
        timeline: what has been taken in; its view says the time as ``now``.
        phases: of the system.
    """

    # Any: a view of whatever system.
    def __init__(self, timeline: Timeline[Any], phases: tuple[str, ...]) -> None:
        self._timeline = timeline
        self._phases = phases
        self._now: int = timeline.view.now

    def check(self, record: TurnRecord) -> None:
        """Check a turn.

        Raises:
            InputError: its step does not follow, its phase is none, or time runs backwards.
        """
        step, at = record.step, record.at
        last = max(0, self._timeline.step)
        if not last <= step <= last + 1:
            raise InputError(f"step {step} does not follow step {last}")
        if at < self._now:
            raise InputError(f"time {at} does not follow {self._now}")
        if record.phase not in self._phases:
            wanted = ", ".join(self._phases)
            raise InputError(f"{printable(record.phase)} is no phase: want {wanted}")
        self._now = at
