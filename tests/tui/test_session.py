"""A session moves a run on, and survives its failures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from batchtui.engine.machine import Turn
from batchtui.plugins.runs import RunOptions, prepare
from batchtui.plugins.workloads import open_workload
from batchtui.tui.session import Session, session_of

OpenCase = Callable[..., Session]


def test_nothing_is_decided_before_the_first_step(demo: Session) -> None:
    assert not demo.started
    assert demo.step == -1
    assert demo.view.totals.arrived == 0


def test_a_step_ends_with_delivery_and_a_phase_is_one_turn(demo: Session) -> None:
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


def test_a_run_ends_and_stays_where_it_is(demo: Session) -> None:
    while demo.advance_step():
        pass
    version = demo.version
    assert demo.ended
    assert not demo.advance_step()
    assert demo.version == version
    assert demo.view.totals.finished == demo.view.totals.arrived


def test_a_bug_of_the_engine_is_shown_without_its_message(
    demo: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> Turn:
        raise KeyError("a secret prompt")

    monkeypatch.setattr(demo.driver.simulation, "advance", fail)
    assert not demo.advance_step()
    assert demo.ended
    assert "KeyError at test_session.py" in demo.fault
    assert "secret" not in demo.fault


def test_only_a_model_that_may_block_is_real(demo: Session, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text('{"request_id": "r", "prompt": "p"}\n')
    workload, options = open_workload(str(path)), RunOptions(backend="function:os:getcwd")
    assert session_of(prepare(workload, options)).blocks
    assert not session_of(prepare(workload, RunOptions())).blocks
    assert not demo.blocks
