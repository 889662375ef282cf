"""Summaries: one for each system that recordings know."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tests.engine.nodes.film import Film, config, faultless
from tests.plugins.recordings.nodes.test_system import recorded

from batchtui.plugins.recordings.recording import open_recording
from batchtui.plugins.recordings.systems import SYSTEMS
from batchtui.tui.cli.summary import SUMMARIES


def test_every_system_has_one() -> None:
    assert set(SUMMARIES) == set(SYSTEMS)


def test_a_search_says_what_it_found_and_what_that_took(tmp_path: Path) -> None:
    path = recorded(Film(config(8), faultless({2, 5})), tmp_path / "a.jsonl")
    with closing(open_recording(path)) as recording:
        told = SUMMARIES["nodes"]
        assert list(told.lines(recording)) == [
            "workload   nodes by simulated (SIM), strategy fewest-rounds",
            "nodes      8 (2 bad, 6 good, 0 undetermined, 0 excluded)",
            "tests      8 of 8 planned in 2 rounds "
            "(4 passed, 4 failed, 0 inconclusive, 0 made again)",
            "steps      5 in 200.000 s, 13 turns, 1,120 node-seconds",
            "faults     0 contradictions, 0 sets refused, 0 replies discarded",
        ]
        assert told.document(recording)["bad"] == 2
        assert told.counted(recording) == ("tests", 8)
