"""The clock that calls are timed by, in the hands of a test."""

from __future__ import annotations

import pytest
from tests.plugins.calibration.timed import Clock

from batchtui.plugins import caller


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(caller, "time", clock)
    return clock
