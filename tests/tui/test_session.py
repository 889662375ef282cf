"""A session moves a run on, and survives its failures."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.slow_models import PATIENCE_S, InterruptibleModel, SlowModel

from batchtui.engine.machine import Turn
from batchtui.plugins.runs import RunOptions
from batchtui.tui.batch_session import BatchSession

OpenCase = Callable[..., BatchSession]
OpenNamed = Callable[..., BatchSession]
OpenSlow = Callable[[SlowModel], BatchSession]


def moving(session: BatchSession, model: SlowModel) -> threading.Thread:
    """A thread that makes a step, once it has called the model."""
    thread = threading.Thread(target=lambda: session.move(whole_step=True), daemon=True)
    thread.start()
    assert model.called.acquire(timeout=PATIENCE_S)
    return thread


def test_nothing_is_decided_before_the_first_step(demo: BatchSession) -> None:
    assert not demo.started
    assert demo.step == -1
    assert demo.view.totals.arrived == 0


def test_a_step_ends_with_delivery_and_a_phase_is_one_turn(demo: BatchSession) -> None:
    demo.advance_step()
    assert (demo.step, demo.view.phase) == (0, "deliver")
    demo.advance_phase()
    assert (demo.step, demo.view.phase) == (1, "admit")


def test_a_phase_that_decides_nothing_still_moves_the_view(open_case: OpenCase) -> None:
    session = open_case([{"request_id": "r1", "prompt": "p", "calls": [["a"], ["b"], ["c"]]}])
    session.advance_step()
    session.advance_phase()
    assert (session.view.step, session.view.phase) == (1, "admit")
    assert session.view.changed == []


def test_a_run_ends_and_stays_where_it_is(demo: BatchSession) -> None:
    while demo.advance_step():
        pass
    version = demo.version
    assert demo.ended
    assert not demo.advance_step()
    assert demo.version == version
    assert demo.view.totals.finished == demo.view.totals.arrived


def test_a_bug_of_the_engine_is_shown_without_its_message(
    demo: BatchSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> Turn:
        raise KeyError("a secret prompt")

    assert demo.run is not None
    monkeypatch.setattr(demo.run.simulation, "advance", fail)
    assert not demo.advance_step()
    assert demo.ended
    assert "KeyError at test_session.py" in demo.fault
    assert "secret" not in demo.fault


def test_only_a_model_that_may_block_is_real(
    demo: BatchSession, open_workload_named: OpenNamed, tmp_path: Path
) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text('{"request_id": "r", "prompt": "p"}\n')
    foreign = open_workload_named(str(path), RunOptions(backend="function:os:getcwd"))
    assert foreign.title.real and foreign.blocks
    assert not open_workload_named(str(path)).blocks
    assert not demo.blocks


def test_closing_ends_the_call_and_then_closes_the_model_once(open_slow: OpenSlow) -> None:
    model = InterruptibleModel()
    session = open_slow(model)
    thread = moving(session, model)
    assert session.close()
    assert session.close()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert model.story[:2] == ["interrupted", "a call ends"]
    assert model.story.count("closed") == 1
    assert model.story[-1] == "closed"


def test_without_a_call_it_is_closed_at_once_and_never_called_again(open_slow: OpenSlow) -> None:
    model = InterruptibleModel()
    session = open_slow(model)
    assert session.close()
    assert model.story == ["interrupted", "closed"]
    assert not session.move(whole_step=True)
    assert not model.called.acquire(blocking=False)
    assert session.fault == ""


def test_a_model_that_does_not_obey_is_left_behind_and_not_closed(
    open_slow: OpenSlow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("batchtui.tui.session.OBEYS_WITHIN_S", 0.01)
    model = InterruptibleModel(obeys=False)
    session = open_slow(model)
    thread = moving(session, model)
    assert not session.close()
    assert model.story == ["interrupted"]
    model.answer.release(100)
    thread.join(PATIENCE_S)
    assert session.close()
    assert model.story[-1] == "closed"


def test_a_call_that_cannot_be_interrupted_is_not_waited_for(open_slow: OpenSlow) -> None:
    model = SlowModel()
    session = open_slow(model)
    thread = moving(session, model)
    assert not session.close()
    model.answer.release(100)
    thread.join(PATIENCE_S)
    assert session.close()


def test_a_session_that_does_not_block_closes(demo_at_12: BatchSession) -> None:
    assert demo_at_12.close()
    assert not demo_at_12.advance_step()
