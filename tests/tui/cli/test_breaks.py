"""``--break``: where a run stops, and the command that opens it there."""

from __future__ import annotations

import re
import shlex
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.tui.cli.ran import Cli, Write
from tests.tui.saved import assert_replays

from batchtui.plugins.recordings.recording import open_recording
from batchtui.tui import app
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.cli import open as open_module

STOPPED = 3


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[BatchSession, Any]]:
    """What the dashboard was opened on, and how; nothing is shown."""
    found: list[tuple[BatchSession, Any]] = []

    class Dashboard:
        return_code = 0

        # Any: as the app takes them.
        def __init__(self, session: BatchSession, **options: Any) -> None:
            self.session = session
            self.sessions = [session]
            found.append((session, options))

        def run(self) -> None:
            step = found[-1][1]["start_step"]
            while step is not None and self.session.step < step and self.session.run:
                self.session.advance_step()

    monkeypatch.setattr(app, "BatchtuiApp", Dashboard)
    monkeypatch.setattr(open_module, "_check_terminal", lambda: None)
    return found


def pasted(err: str) -> list[str]:
    """The command at the end of a line."""
    found = re.search(r"(batchtui open .*)$", err.strip())
    assert found is not None, err
    return shlex.split(found[1])[1:]


def test_a_run_stops_where_a_condition_hits_and_says_how_to_open_it_there(
    cli: Cli, opened: list[tuple[BatchSession, Any]]
) -> None:
    ran = cli("run", "demo", "--break", "finish r5")
    assert ran.status == STOPPED
    assert ran.err == (
        'batchtui: breakpoint "finish r5" at step 12, apply: batchtui open demo --step 12\n'
    )
    assert cli(*pasted(ran.err)).status == 0
    ((session, options),) = opened
    assert options["start_step"] == 12
    assert session.view.ended[-1].request_id == "r5"


def test_the_command_has_the_options_of_the_run_and_quotes_what_must_be(
    cli: Cli, write: Write, opened: list[tuple[BatchSession, Any]]
) -> None:
    rows = [{"request_id": f"r{n}", "prompt": "p", "max_tokens": 9} for n in range(9)]
    path = write(*rows, name="my load.jsonl")
    asked = ["--slots", "2", "--policy", "priority", "--seed", "4", "--break", "queue < 5"]
    ran = cli("run", path, *asked)
    assert ran.status == STOPPED
    assert cli(*pasted(ran.err)).status == 0
    ((session, _),) = opened
    assert (session.title.policy, len(session.view.slots)) == ("priority", 2)
    assert len(session.view.waiting) < 5


def test_what_was_recorded_is_opened_instead_and_is_whole(
    cli: Cli, write: Write, tmp_path: Path, opened: list[tuple[BatchSession, Any]]
) -> None:
    write()
    ran = cli("run", "demo", "--record", "r.jsonl", "--break", "discard")
    assert ran.status == STOPPED
    assert pasted(ran.err) == ["open", "r.jsonl", "--step", "12"]
    assert cli(*pasted(ran.err)).status == 0
    assert opened[0][1]["start_step"] == 12
    assert_replays(tmp_path / "r.jsonl")
    with closing(open_recording(tmp_path / "r.jsonl")) as recording:
        assert recording.timeline.view.totals.dropped_rows == 7


def test_with_json_the_document_is_whole_and_the_line_is_on_stderr(cli: Cli) -> None:
    ran = cli("run", "demo", "--json", "--break", "step 5")
    assert ran.status == STOPPED
    assert list(ran.document) == ["requests", "run"]
    assert "batchtui open demo --step 5" in ran.err


def test_the_first_of_several_stops_it(cli: Cli) -> None:
    ran = cli("run", "demo", "--break", "finish r5", "--break", "step 3 and admit")
    assert 'breakpoint "finish r5"' in ran.err or 'breakpoint "step 3 and admit"' in ran.err
    assert cli("run", "demo", "--break", "step 5", "--break", "step 3").err.count("step 3") >= 1


def test_one_that_is_never_hit_changes_nothing(cli: Cli) -> None:
    plain = cli("run", "demo", "--json")
    watched = cli("run", "demo", "--json", "--break", "finish nobody")
    assert (watched.status, watched.err) == (0, "batchtui: no breakpoint was hit\n")
    assert watched.out == plain.out


@pytest.mark.parametrize("verb", ["run", "open"])
@pytest.mark.parametrize("text", ["finsh r7", "queue >", "", "wait > 2 parsecs", "and", "x\x1b[1m"])
def test_one_that_makes_no_sense_is_one_line_before_anything_is_run(
    cli: Cli, verb: str, text: str
) -> None:
    ran = cli(verb, "nowhere.jsonl", "--break", text)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("batchtui: ")
    assert ran.err.count("\n") == 1
    assert "\x1b" not in ran.err
    assert "nowhere" not in ran.err


def test_those_of_the_dashboard_are_set_as_it_opens(
    cli: Cli, opened: list[tuple[BatchSession, Any]]
) -> None:
    assert cli("open", "demo", "--break", "finish r5", "--break", "queue > 3").status == 0
    ((session, _),) = opened
    assert [each.text for each in session.debugger.breakpoints] == ["finish r5", "queue > 3"]


# Recordings, opened.


@pytest.fixture
def recorded(cli: Cli, write: Write) -> str:
    write()
    assert cli("run", "demo", "--record", "r.jsonl").status == 0
    return "r.jsonl"


def test_a_recording_opens_at_its_end_or_at_a_step(
    cli: Cli, recorded: str, opened: list[tuple[BatchSession, Any]]
) -> None:
    assert cli("open", recorded).status == 0
    assert cli("open", recorded, "--step", "7", "--break", "finish").status == 0
    assert [options["start_step"] for _, options in opened] == [None, 7]
    assert opened[0][0].run is None
    assert len(opened[1][0].debugger.breakpoints) == 1


@pytest.mark.usefixtures("opened")
def test_a_step_beyond_the_end_is_told_with_the_last_one(cli: Cli, recorded: str) -> None:
    ran = cli("open", recorded, "--step", "4000")
    assert ran.status == 2
    assert ran.err.splitlines()[-1] == ("batchtui: --step 4000: the recording ends with step 44")


def test_a_recording_has_its_options(cli: Cli, recorded: str) -> None:
    for asked in (["--slots", "2"], ["--record", "x.jsonl"], ["--policy", "fcfs"]):
        ran = cli("open", recorded, *asked)
        assert ran.status == 2
        assert "a recording has its options" in ran.err


@pytest.mark.usefixtures("opened")
def test_a_newer_recording_is_refused(cli: Cli, recorded: str, tmp_path: Path) -> None:
    path = tmp_path / recorded
    path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":9', 1))
    ran = cli("open", recorded)
    assert ran.status == 2
    assert "recording version 9: this batchtui reads up to 1; install a newer one" in ran.err


def test_one_that_was_cut_off_opens_and_says_so(
    cli: Cli, recorded: str, tmp_path: Path, opened: list[tuple[BatchSession, Any]]
) -> None:
    path = tmp_path / recorded
    path.write_bytes(path.read_bytes()[:-30])
    assert cli("open", recorded).status == 0
    assert "cut off" in opened[0][0].torn
