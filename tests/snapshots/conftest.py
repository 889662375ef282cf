"""Pictures are taken in colour, whatever the terminal of the moment can show."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
