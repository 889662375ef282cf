"""``batchtui bench``: its figures by name; what they are is the machine's affair, not a test's."""

from __future__ import annotations

import pytest
from tests.tui.cli.ran import Cli, Write

from batchtui.plugins.benches import debugger, scheduler, trace
from batchtui.plugins.benches.figures import Figure

SCHEDULER = ["floor_us", "bare_us", "full_us", "bare_ratio", "full_ratio", "queue_growth"]
DEBUGGER = ["record_8", "record_256", "indexed_8", "open_tokens_s", "open_events_s", "seek_ms"]
TRACE = ["tokens_per_s", "seconds", "output_tokens", "requests", "steps", "events"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "NUM_STEPS", 1)
    monkeypatch.setattr(scheduler, "WARM_UP", 0)


@pytest.mark.usefixtures("small")
def test_the_scheduler_has_its_ratios_by_name(cli: Cli) -> None:
    ran = cli("bench", "scheduler", "--repeat", "1", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert list(ran.document) == SCHEDULER
    assert all(value > 0 for value in ran.document.values())


def test_a_trace_is_played_as_often_as_is_said(cli: Cli, write: Write) -> None:
    name = write({"request_id": "a", "prompt_tokens": 3, "max_tokens": 4, "ignore_eos": True})
    ran = cli("bench", "trace", name, "--repeat", "3", "--json")
    assert ran.status == 0
    assert list(ran.document) == TRACE
    assert (ran.document["requests"], ran.document["output_tokens"]) == (3, 12)


def test_without_a_file_the_bundled_burst_is_played(cli: Cli) -> None:
    assert cli("bench", "trace", "--repeat", "1", "--json").document["requests"] == 60


def test_a_figure_stands_beside_its_bar(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(file: str | None, repeat: int | None) -> list[Figure]:
        return [
            Figure("cost", 2.0, "x the floor", 2.5),
            Figure("speed", 1000.0, "tokens/s", 2000, at_least=True),
            Figure("steps", 7, "steps", None),
        ]

    monkeypatch.setattr(trace, "run", run)
    kept, missed, free = cli("bench", "trace").out.splitlines()
    assert " ".join(kept.split()) == "cost 2.000 x the floor bar at most 2.5: ok"
    assert " ".join(missed.split()) == "speed 1,000.000 tokens/s bar at least 2,000: MISSED"
    assert free.split() == ["steps", "7.000", "steps"]


def test_the_debugger_has_its_figures_by_name_and_says_where_it_records(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debugger, "MILLION", 400)
    monkeypatch.setattr(debugger, "TOKENS_TO_TIME", 50)
    monkeypatch.setattr(debugger, "SEEKS", 3)
    ran = cli("bench", "debugger", "--repeat", "1", "--json")
    assert ran.status == 0
    assert ran.err.startswith("bench debugger: recording a million tokens and a million events")
    assert list(ran.document) == DEBUGGER
    assert all(value > 0 for value in ran.document.values())
