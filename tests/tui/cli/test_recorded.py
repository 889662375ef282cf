"""Verbs that speak of batching alone refuse recordings of other systems, and say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plugins.recordings.pairs import know_pairs, record_pairs
from tests.tui.cli.ran import Cli


@pytest.mark.parametrize("verb", [("why", "r1"), ("lint", None)])
def test_another_system_is_refused(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, str | None]
) -> None:
    know_pairs(monkeypatch)
    monkeypatch.chdir(tmp_path)
    record_pairs(Path("a.rec"))
    name, asked = verb
    ran = cli(name, "a.rec", *([asked] if asked else []))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.strip() == (
        f"batchtui: a.rec is a recording of pairs: `batchtui {name}` looks into recordings of "
        "batching alone; see what it came to with `batchtui replay`"
    )
