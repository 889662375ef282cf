"""The demos reproduce: step by step, back again, from the file, in a fresh process, and whatever
the case."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.reference.random_cases import cases
from tests.reference.row import Case
from tests.tui.saved import assert_replays, encoded, run_on, save, walk_back

from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.case import CaseFormat
from batchtui.plugins.nodes_cases import case_names
from batchtui.plugins.recordings.recording import open_recording
from batchtui.plugins.runs import RunOptions
from batchtui.plugins.workloads import bundled_names
from batchtui.tui.actions import ACTIONS
from batchtui.tui.demo_sessions import session_of_demo
from batchtui.tui.demos import Demo, demo_names, open_demo
from batchtui.tui.session import Session
from batchtui.tui.sessions import open_session

OpenDemo = Callable[[str], Session[Any]]

REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    # tmp_path is only written to, and the same file each time.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

VIEWS = """
import hashlib, json, sys, msgspec
from contextlib import closing
from batchtui.plugins.recordings.recording import open_recording

with closing(open_recording(sys.argv[1])) as recording:
    timeline = recording.timeline
    views = [timeline.view_at(turn) for turn in range(timeline.num_turns + 1)]
    print(json.dumps([hashlib.sha256(msgspec.json.encode(view)).hexdigest() for view in views]))
"""


@pytest.fixture
def opened() -> Iterator[OpenDemo]:
    """Open the session of a demo by its name."""
    sessions: list[Session[Any]] = []

    def open_it(name: str) -> Session[Any]:
        sessions.append(session_of_demo(open_demo(name)))
        return sessions[-1]

    yield open_it
    for session in sessions:
        session.close()


def digests(seen: dict[int, bytes]) -> list[str]:
    return [hashlib.sha256(view).hexdigest() for _, view in sorted(seen.items())]


def of_a_fresh_process(path: Path) -> list[str]:
    """The views of a recording, rebuilt by a process that has never seen the run."""
    ran = subprocess.run(
        [sys.executable, "-c", VIEWS, str(path)], capture_output=True, text=True, check=True
    )
    digests: list[str] = json.loads(ran.stdout)
    return digests


@pytest.mark.parametrize("name", demo_names())
def test_every_view_is_found_again_on_the_way_back(name: str, opened: OpenDemo) -> None:
    session = opened(name)
    seen = run_on(session)
    assert session.ended
    assert len(seen) > 10
    assert walk_back(session) == seen
    assert len(seen) == session.debugger.timeline.num_turns + 1


@pytest.mark.parametrize("name", demo_names())
def test_a_fresh_process_rebuilds_every_view_from_the_file(
    opened: OpenDemo, tmp_path: Path, name: str
) -> None:
    session = opened(name)
    seen = run_on(session)
    path = save(session, tmp_path / "demo.jsonl")
    assert of_a_fresh_process(path) == digests(seen)
    assert_replays(path)


Walk = list[tuple[int, int]]
MOVES: list[Callable[[Debugger, int], object]] = [  # type: ignore[type-arg]  # of any view
    lambda debugger, number: debugger.advance_phase(),
    lambda debugger, number: debugger.advance_step(),
    lambda debugger, number: debugger.back_phase(),
    lambda debugger, number: debugger.back_step(),
    lambda debugger, number: debugger.back_step(10),
    lambda debugger, number: debugger.to_turn(number),
    lambda debugger, number: debugger.to_step(number),
    lambda debugger, number: debugger.to_head(),
]


@settings(REPEATABLE, max_examples=40)
@given(
    case=cases(),
    walk=st.lists(st.tuples(st.integers(0, len(MOVES) - 1), st.integers(0, 90)), max_size=40),
)
def test_any_walk_over_any_case_sees_what_there_was(case: Case, walk: Walk, tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case), encoding="utf-8")
    with closing(open_session(CaseFormat().read(path), RunOptions())) as straight:
        seen = run_on(straight)
        saved = tmp_path / "saved.jsonl"
        saved.unlink(missing_ok=True)
        save(straight, saved)
    with closing(open_session(CaseFormat().read(path), RunOptions())) as session:
        for move, number in walk:
            MOVES[move](session.debugger, number)
            assert encoded(session.view) == seen[session.debugger.cursor.turn]
    assert_replays(saved)
    with closing(open_recording(saved)) as recording:
        timeline = recording.timeline
        for turn in range(timeline.num_turns + 1):
            assert encoded(timeline.view_at(turn)) == seen[turn]


# The scripts.


@pytest.mark.parametrize("name", demo_names())
def test_a_demo_is_over_a_bundled_workload_and_says_something_at_every_stage(name: str) -> None:
    demo = open_demo(name)
    assert demo.workload in [*bundled_names(), *case_names()]
    assert demo.title
    assert all(stage.say for stage in demo.script)
    assert not demo.script[0].press
    assert any(stage.pictured for stage in demo.script)


def keys_of(demo: Demo) -> set[str]:
    return {key for stage in demo.script for key in stage.press}


@pytest.mark.parametrize("name", demo_names())
def test_a_demo_presses_keys_that_there_are(name: str) -> None:
    bound = {key for action in ACTIONS for key in action.keys}
    typed = set("abcdefghijklmnopqrstuvwxyz0123456789-") | {"space", "enter"}
    assert keys_of(open_demo(name)) <= bound | typed


def test_there_is_no_other_demo() -> None:
    with pytest.raises(InputError, match="did you mean poison"):
        open_demo("poisen")
    with pytest.raises(InputError, match="want one of fcfs, gpus, late, link, poison, stops"):
        open_demo("x\x1b")
    with pytest.raises(InputError):
        open_demo("../workloads/demo")
