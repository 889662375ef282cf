"""Sessions are made of runs, of recordings and of forks; a fork goes the same way up to its
moment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.reference.random_cases import cases
from tests.reference.row import Case
from tests.tui.saved import assert_replays, by_hand, encoded, run_on, save, walk_back
from tests.tui.slow_models import InterruptibleModel, SlowModel

from batchtui.engine.batching.options import Options
from batchtui.engine.batching.request import Request, SamplingParams
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Aborted, Configured, Injected, Input, Submitted
from batchtui.plugins.formats.case import CaseFormat
from batchtui.plugins.recordings.recording import open_recording
from batchtui.plugins.runs import RunOptions
from batchtui.plugins.workloads import open_workload
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.forking import forked
from batchtui.tui.sessions import open_session, session_of_recording

REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    # tmp_path is only written to, and the same file each time.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

OpenNamed = Callable[..., BatchSession]
OpenSlow = Callable[[SlowModel], BatchSession]


@pytest.fixture
def reopened(
    sessions: list[BatchSession], tmp_path: Path
) -> Callable[[BatchSession], BatchSession]:
    """Save a session and open the recording."""

    def open(session: BatchSession) -> BatchSession:
        path = save(session, tmp_path / f"saved-{len(sessions)}.jsonl")
        sessions.append(session_of_recording(open_recording(path), path))
        return sessions[-1]

    return open


@pytest.fixture
def fork_of(sessions: list[BatchSession]) -> Callable[[BatchSession], BatchSession]:
    """Fork a session where one looks, and go there."""

    def fork(session: BatchSession) -> BatchSession:
        made = forked(session)
        sessions.append(made)
        assert made.rehearsal is not None
        for _ in made.rehearsal:
            pass
        return made

    return fork


Fork = Callable[[BatchSession], BatchSession]


def to_step(session: BatchSession, step: int) -> BatchSession:
    session.look(lambda debugger: debugger.to_step(step))
    return session


def typed(name: str, index: int) -> Submitted[Request]:
    params = SamplingParams(max_tokens=4)
    body = Request(request_id=name, params=params, index=index, prompt="by hand")
    return Submitted(body=body, by_hand=True)


def test_a_session_is_recorded_though_nobody_asked(
    demo_at_12: BatchSession, tmp_path: Path
) -> None:
    path = save(demo_at_12, tmp_path / "s.jsonl")
    assert_replays(path)
    with pytest.raises(InputError, match="exists"):
        save(demo_at_12, path)


def test_it_is_recorded_to_the_file_that_was_asked_for(
    sessions: list[BatchSession], tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    session = open_session(open_workload("fcfs"), RunOptions(), asked="fcfs", record=path)
    sessions.append(session)
    run_on(session)
    session.close()
    assert_replays(path)


@pytest.mark.parametrize("moment", [0, 1, 4, 6, 23, 48])
def test_a_fork_looks_like_its_origin_at_its_moment_and_lives_on(
    demo_at_12: BatchSession, fork_of: Fork, moment: int
) -> None:
    demo_at_12.look(lambda debugger: debugger.to_turn(moment))
    wanted = encoded(demo_at_12.view)
    fork = fork_of(demo_at_12)
    assert not fork.in_past
    assert fork.debugger.timeline.num_turns == moment
    assert encoded(fork.view) == wanted
    to_step(demo_at_12, 10_000)
    assert run_on(fork) == {
        turn: view for turn, view in run_on_from(demo_at_12, fork).items() if turn >= moment
    }


def run_on_from(session: BatchSession, fork: BatchSession) -> dict[int, bytes]:
    """Every view of the origin, once it has run as far as its fork."""
    run_on(session)
    return walk_back(session)


def test_a_fork_of_a_fork_repeats_what_was_done_by_hand(
    demo: BatchSession, fork_of: Fork, tmp_path: Path
) -> None:
    for input in acts(demo):
        demo.advance_step()
        demo.do(input)
    run_on(demo)
    wanted = encoded(demo.view)
    second = fork_of(fork_of(demo))
    assert encoded(second.view) == wanted
    assert [type(input) for input in by_hand(second)] == [type(each) for each in acts(demo)]
    assert_replays(save(second, tmp_path / "fork.jsonl"))


def acts(session: BatchSession) -> list[Input]:
    """Everything that can be done by hand, once."""
    return [
        typed("mine", session.next_index),
        Aborted(target="r1", by_hand=True),
        Injected(body="swap", by_hand=True),
        Configured(body=Options(max_num_seqs=3, policy="priority"), by_hand=True),
    ]


@pytest.mark.parametrize("place", range(4))
def test_what_is_done_by_hand_is_a_recorded_input_and_replays(
    demo_at_12: BatchSession, place: int, tmp_path: Path
) -> None:
    input = acts(demo_at_12)[place]
    demo_at_12.do(input)
    demo_at_12.advance_phase()
    (recorded,) = by_hand(demo_at_12)
    assert type(recorded) is type(input)
    record = demo_at_12.debugger.cursor.record
    assert record is not None and recorded in record.inputs
    run_on(demo_at_12)
    assert_replays(save(demo_at_12, tmp_path / "s.jsonl"))


def test_a_run_that_had_ended_goes_on_with_what_is_added(
    demo: BatchSession, tmp_path: Path
) -> None:
    run_on(demo)
    assert demo.ended
    demo.do(typed("mine", demo.next_index))
    assert not demo.ended
    run_on(demo)
    assert demo.ended
    ending = demo.view.ended[-1]
    assert (ending.request_id, ending.finish_reason) == ("mine", "stop")
    assert_replays(save(demo, tmp_path / "s.jsonl"))


def test_a_fault_that_was_injected_is_played_once(open_workload_named: OpenNamed) -> None:
    session = open_workload_named("stops")
    session.advance_step()
    session.do(Injected(body="raise", by_hand=True))
    run_on(session)
    assert session.view.totals.failed_calls == 1


def test_nobody_by_hand_has_the_number_of_another(
    demo: BatchSession, fork_of: Fork, reopened: Fork
) -> None:
    assert demo.next_index == 20
    demo.do(typed("one", demo.next_index))
    assert demo.next_index == 21
    demo.advance_step()
    fork = fork_of(reopened(demo))
    assert fork.next_index == 21  # though no more than eight had come


# Recordings.


def test_a_recording_shows_every_moment_as_it_was(demo: BatchSession, reopened: Fork) -> None:
    seen = run_on(demo)
    session = reopened(demo)
    assert session.ended
    assert (session.run, session.title.workload) == (None, "demo.json")
    assert walk_back(session) == seen


@pytest.mark.parametrize("name", ["demo", "late", "poison", "stops", "fcfs"])
@pytest.mark.parametrize("step", [-1, 3, 7])
def test_a_fork_of_a_recording_goes_the_same_way_as_far_as_it_is_known(
    open_workload_named: OpenNamed,
    reopened: Fork,
    fork_of: Fork,
    name: str,
    step: int,
    tmp_path: Path,
) -> None:
    session = open_workload_named(name)
    seen = run_on(session)
    recording = to_step(reopened(session), step)
    fork = fork_of(recording)
    assert fork.debugger.timeline.num_turns == recording.debugger.cursor.turn
    assert encoded(fork.view) == encoded(recording.view)
    run_on(fork)
    assert walk_back(fork) == seen
    assert_replays(save(fork, tmp_path / "fork.jsonl"))


def test_a_fork_in_the_middle_of_a_workload_by_time_goes_the_same_way(
    open_workload_named: OpenNamed, reopened: Fork, fork_of: Fork
) -> None:
    session = open_workload_named("burst", RunOptions(slots=8, seed=3))
    while session.step < 40:
        session.advance_step()
    recording = to_step(reopened(session), 25)
    fork = fork_of(recording)
    while fork.step < 40:
        fork.advance_step()
    to_step(recording, 40)
    assert encoded(fork.view) == encoded(recording.view)


def test_what_a_recording_was_opened_from_is_copied_and_never_overwritten(
    demo_at_12: BatchSession, reopened: Fork, tmp_path: Path
) -> None:
    session = reopened(demo_at_12)
    copy = save(session, tmp_path / "copy.jsonl")
    assert_replays(copy)
    with pytest.raises(InputError, match="exists"):
        save(session, copy)


def test_a_recording_that_was_cut_off_says_so(
    demo_at_12: BatchSession, sessions: list[BatchSession], tmp_path: Path
) -> None:
    path = save(demo_at_12, tmp_path / "s.jsonl")
    path.write_bytes(path.read_bytes()[:-40])
    session = session_of_recording(open_recording(path), path)
    sessions.append(session)
    assert "cut off" in session.torn


# A real model.


def finish(session: BatchSession, model: SlowModel) -> None:
    model.answer.release(100)
    while session.move(whole_step=True):
        session.settle()


def test_a_fork_of_a_real_run_does_not_ask_the_model_again_and_has_it_then(
    open_slow: OpenSlow, fork_of: Fork, tmp_path: Path
) -> None:
    model = SlowModel()
    session = open_slow(model)
    finish(session, model)
    calls = session.view.totals.calls
    to_step(session, 1)
    while model.called.acquire(blocking=False):
        pass
    fork = fork_of(session)
    assert session.shares_backend(fork)
    assert encoded(fork.view) == encoded(session.view)
    assert not model.called.acquire(blocking=False)
    session.close(and_backend=False)
    finish(fork, model)
    assert fork.view.totals.calls == calls
    assert model.called.acquire(blocking=False)
    assert_replays(save(fork, tmp_path / "fork.jsonl"))


def test_a_fork_of_a_recording_of_a_real_run_does_not_ask_the_model_what_it_has_said(
    open_slow: OpenSlow, reopened: Fork, fork_of: Fork, tmp_path: Path
) -> None:
    model = SlowModel()
    session = open_slow(model)
    finish(session, model)
    seen = walk_back(session)
    recording = to_step(reopened(session), 1)
    while model.called.acquire(blocking=False):
        pass
    fork = fork_of(recording)
    assert not model.called.acquire(blocking=False)
    assert encoded(fork.view) == seen[recording.debugger.cursor.turn]
    finish(fork, model)
    assert model.called.acquire(blocking=False)
    assert_replays(save(fork, tmp_path / "fork.jsonl"))


def test_a_fork_that_is_given_up_closes_its_log_and_not_the_model(open_slow: OpenSlow) -> None:
    model = InterruptibleModel()
    session = open_slow(model)
    finish(session, model)
    to_step(session, 1)
    fork = forked(session)
    assert fork.rehearsal is not None
    next(fork.rehearsal)
    fork.rehearsal.close()
    assert not fork.advance_phase()
    assert "closed" not in model.story
    assert not session._closed


# Random cases.


@settings(REPEATABLE, max_examples=15)
@given(case=cases(), moment=st.integers(0, 60))
def test_a_fork_of_any_case_is_the_same_run(case: Case, moment: int, tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case), encoding="utf-8")
    session = open_session(CaseFormat().read(path), RunOptions())
    seen = run_on(session)
    session.look(lambda debugger: debugger.to_turn(moment))
    fork = forked(session)
    assert fork.rehearsal is not None
    for _ in fork.rehearsal:
        pass
    assert encoded(fork.view) == encoded(session.view)
    run_on(fork)
    assert walk_back(fork) == seen
    fork.close()
    session.close()
