"""``batchtui open`` and ``batchtui`` alone: what they open the dashboard on."""

from __future__ import annotations

import atexit
import os
from typing import Any

import pytest
from tests.tui.cli.ran import Cli, Write

from batchtui.tui import app
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.cli import open as open_module
from batchtui.tui.cli import parent
from batchtui.tui.demos import Demo
from batchtui.tui.nodes_session import NodesSession


class Dashboard:
    """Stands where the app does and notes what it was opened on."""

    def __init__(
        self,
        session: BatchSession,
        *,
        start_step: int | None,
        fps: int,
        ascii: bool,
        demo: Demo | None = None,
        beside: NodesSession | None = None,
        crash: bool = False,
    ) -> None:
        self.session, self.beside = session, beside
        self.sessions = [session, *([beside] if beside else [])]
        self.options = (start_step, fps, ascii)
        self.demo = demo
        self.return_code = int(crash)

    def run(self) -> None:
        """Nothing is shown."""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Dashboard]:
    """The dashboards that were opened, as if on a terminal."""
    found: list[Dashboard] = []

    def open(session: BatchSession, **options: Any) -> Dashboard:  # Any: as the app takes them
        found.append(Dashboard(session, **options))
        return found[-1]

    monkeypatch.setattr(app, "BatchtuiApp", open)
    on_a_terminal(monkeypatch)
    return found


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_module, "_check_terminal", lambda: None)


def test_alone_it_opens_the_demo_at_its_step_12(cli: Cli, opened: list[Dashboard]) -> None:
    assert cli().status == 0
    (dashboard,) = opened
    assert dashboard.session.title.workload == "demo.json"
    assert dashboard.options == (12, 10, False)


def test_a_workload_opens_before_its_first_step(cli: Cli, opened: list[Dashboard]) -> None:
    assert cli("open", "burst").status == 0
    (dashboard,) = opened
    assert dashboard.options == (None, 10, False)
    assert not dashboard.session.started


def test_the_options_of_a_run_and_of_the_screen_reach_the_dashboard(
    cli: Cli, opened: list[Dashboard]
) -> None:
    asked = "open burst --slots 3 --policy priority --kv-blocks 64 --step 5 --fps 30 --ascii"
    assert cli(*asked.split()).status == 0
    (dashboard,) = opened
    assert dashboard.options == (5, 30, True)
    assert dashboard.session.title.policy == "priority"
    assert len(dashboard.session.view.slots) == 3


def test_without_a_terminal_it_says_what_to_do(cli: Cli) -> None:
    for arguments in ([], ["open", "demo"]):
        ran = cli(*arguments)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == (
            "batchtui: the dashboard wants a terminal: use `batchtui run` without one\n"
        )


def test_a_bad_file_is_told_before_the_terminal_is_missed(cli: Cli, write: Write) -> None:
    assert "cut short" in cli("open", write(data=b'{"request_id": "a')).err


def test_without_a_terminal_no_model_is_opened(cli: Cli, write: Write) -> None:
    ran = cli("open", write({"request_id": "a"}), "--backend", "function:nowhere:f")
    assert "wants a terminal" in ran.err


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["open", "demo"], False),
        (["open", "burst"], False),
        (["open", "burst", "--backend", "simulated:"], False),
        (["open", "burst", "--backend", "function:nowhere:f"], True),
    ],
)
@pytest.mark.usefixtures("opened")
def test_only_a_model_that_may_have_native_code_is_given_a_process_of_its_own(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, arguments: list[str], wanted: bool
) -> None:
    forks: list[str] = []
    monkeypatch.setattr(parent, "go_on_in_child", lambda: forks.append("before it is loaded"))
    cli(*arguments)
    assert bool(forks) == wanted


def test_a_session_is_closed_after_its_dashboard(
    cli: Cli, opened: list[Dashboard], monkeypatch: pytest.MonkeyPatch
) -> None:
    def close(session: BatchSession) -> bool:
        story.append("closed")
        return really_close(session)

    story: list[str] = []
    really_close = BatchSession.close
    monkeypatch.setattr(Dashboard, "run", lambda self: story.append("shown"))
    monkeypatch.setattr(BatchSession, "close", close)
    assert cli("open", "demo").status == 0
    assert story == ["shown", "closed"]


@pytest.mark.parametrize(
    ("error", "status"), [(None, 0), (ValueError, 1), (KeyboardInterrupt, 130)]
)
def test_while_a_thread_is_in_a_models_code_the_interpreter_does_not_go_down(
    cli: Cli,
    opened: list[Dashboard],
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException] | None,
    status: int,
) -> None:
    def run(dashboard: Dashboard) -> None:
        if error:
            raise error

    def close(session: BatchSession) -> bool:
        assert really_close(session)
        return False

    really_close = BatchSession.close
    at_exit: list[tuple[object, int]] = []
    monkeypatch.setattr(Dashboard, "run", run)
    monkeypatch.setattr(BatchSession, "close", close)
    monkeypatch.setattr(atexit, "register", lambda *call: at_exit.append(call))
    assert cli("open", "demo").status == status
    assert at_exit == [(os._exit, status)]


def test_a_dashboard_that_crashed_has_failed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(session: BatchSession, **options: object) -> Dashboard:
        return Dashboard(session, start_step=0, fps=1, ascii=False, crash=True)

    on_a_terminal(monkeypatch)
    monkeypatch.setattr(app, "BatchtuiApp", crash)
    ran = cli("open", "demo")
    assert ran.status == 1
    assert ran.err == "batchtui: the dashboard ended with an error, which stands above\n"


def test_alone_a_search_stands_beside_it(cli: Cli, opened: list[Dashboard]) -> None:
    assert cli().status == 0
    (dashboard,) = opened
    assert dashboard.beside is not None
    assert dashboard.beside.title.workload == "gpus.json"
    assert dashboard.beside.step == 9


def test_a_search_is_put_beside_a_workload_and_both_are_closed(
    cli: Cli, opened: list[Dashboard]
) -> None:
    assert cli("open", "demo", "--nodes", "link").status == 0
    (dashboard,) = opened
    assert dashboard.beside is not None
    assert dashboard.beside.title.workload == "link.json"
    assert not dashboard.beside.started
    assert dashboard.session._closed
    assert dashboard.beside._closed


def test_a_nodes_case_opens_alone(cli: Cli, opened: list[Dashboard]) -> None:
    assert cli("open", "gpus").status == 0
    (dashboard,) = opened
    assert isinstance(dashboard.session, NodesSession)
    assert dashboard.beside is None
