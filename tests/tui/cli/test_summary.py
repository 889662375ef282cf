"""Summaries: one for each system that recordings know."""

from __future__ import annotations

from batchtui.plugins.recordings.systems import SYSTEMS
from batchtui.tui.cli.summary import SUMMARIES


def test_every_system_has_one() -> None:
    assert set(SUMMARIES) == set(SYSTEMS)
