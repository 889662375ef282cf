"""What batching puts in words besides names and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.engine.debugger.words import NAMED, counted, listed, moment, named, quoted, span

__all__ = ["NAMED", "counted", "listed", "moment", "named", "quoted", "slots", "span"]


def slots(indices: Sequence[int]) -> str:
    """``slot 7``, ``slots 7 15``, ``slots 0-63``."""
    runs: list[list[int]] = []
    for index in sorted(indices):
        if runs and runs[-1][-1] == index - 1:
            runs[-1][1:] = [index]
        else:
            runs.append([index])
    places = ["-".join(map(str, run)) for run in runs]
    return f"slot{'s' * (len(indices) > 1)} {listed(places)}"
