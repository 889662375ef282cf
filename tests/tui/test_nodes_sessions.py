"""Sessions of searches are made of a case or a recording, and forked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.tui.saved import assert_replays, encoded, run_on, save
from tests.tui.searching import at_step, reopened, to_end

from batchtui.plugins.nodes_cases import open_case
from batchtui.plugins.recordings.recording import open_recording
from batchtui.plugins.searches import SearchOptions, prepare_search
from batchtui.tui.forking import forked
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.nodes_sessions import open_search, session_of_search

Find = Callable[..., NodesSession]


def test_one_that_has_not_begun_has_a_title_and_can_move(gpus: NodesSession) -> None:
    assert (gpus.title.workload, gpus.title.backend) == ("gpus.json", "simulated")
    assert (gpus.title.policy, gpus.title.real) == ("fewest-tests", False)
    assert gpus.phases == ("plan", "run", "deduce")
    assert gpus.can_move
    assert not gpus.started
    assert [rack.name for rack in gpus.racks] == list("ABCD")


def test_the_options_of_the_user_win_over_the_case() -> None:
    session = open_search(open_case("gpus"), SearchOptions(strategy="anchor", max_parallel=2))
    assert session.view.strategy == session.title.policy == "anchor"
    assert session.view.max_parallel == 2
    session.close()


def test_it_is_recorded_in_the_file_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    session = open_search(open_case("gpus"), SearchOptions(), command="c", record=path)
    to_end(session)
    session.close()
    assert_replays(path)
    with closing(open_recording(path)) as recording:
        assert recording.header.command == "c"


def test_one_without_a_recorder_is_a_bug_of_the_caller() -> None:
    run = prepare_search(open_case("gpus"), SearchOptions())
    with pytest.raises(AssertionError):
        session_of_search(run, "gpus")


def test_a_recording_opens_at_its_end_and_cannot_move(
    gpus: NodesSession, searches: list[NodesSession], tmp_path: Path
) -> None:
    at_step(gpus, 9)
    searches.append(reopened(gpus, tmp_path / "r.jsonl"))
    opened = searches[-1]
    assert encoded(opened.view) == encoded(gpus.view)
    assert not opened.can_move
    assert opened.ended
    assert not opened.advance_step()
    assert opened.inventory == gpus.inventory
    assert opened.racks == gpus.racks
    assert opened.outlook.ribbon == gpus.outlook.ribbon
    copy = save(opened, tmp_path / "copy.jsonl")
    assert_replays(copy)


@pytest.mark.parametrize("is_recorded", [False, True])
def test_forked_at_any_moment_the_same_comes_out(
    gpus: NodesSession, searches: list[NodesSession], tmp_path: Path, is_recorded: bool
) -> None:
    seen = run_on(gpus)
    if is_recorded:
        searches.append(reopened(gpus, tmp_path / "r.jsonl"))
    session = searches[-1]
    for turn in range(0, len(seen), 7):
        session.look(lambda debugger, turn=turn: debugger.to_turn(turn))  # type: ignore[misc]
        fork = forked(session)
        assert fork.rehearsal is not None
        for _ in fork.rehearsal:
            pass
        searches.append(fork)
        assert encoded(fork.view) == seen[turn]
        assert run_on(fork)[len(seen) - 1] == seen[len(seen) - 1]
