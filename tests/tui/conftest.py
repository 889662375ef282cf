"""Sessions to look at: the bundled demo, or any case written down in a test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.tui.searching import search, search_of

from batchtui.engine.nodes.inventory import Inventory
from batchtui.plugins.runs import RunOptions
from batchtui.plugins.workloads import open_workload
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.line import Line, text_of
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.sessions import open_session

if TYPE_CHECKING:
    from tests.tui.pseudoterminal import Terminal
    from tests.tui.slow_models import SlowModel

GOLDEN = Path(__file__).parent.parent / "golden"

OpenCase = Callable[..., BatchSession]
OpenNamed = Callable[..., BatchSession]
Find = Callable[..., NodesSession]
CheckGolden = Callable[[str, list[Line]], None]


def open_named(name: str, options: RunOptions | None = None) -> BatchSession:
    return open_session(open_workload(name), options or RunOptions())


def scene_of(session: BatchSession, **fields: Any) -> Scene:  # Any: whatever a scene has
    made: dict[str, Any] = {
        "view": session.view,
        "title": session.title,
        "phases": session.phases,
        "started": session.started,
        "mode": Mode.ENDED if session.ended else Mode.PAUSED,
    }
    return Scene(**{**made, **fields})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def sessions() -> Iterator[list[BatchSession]]:
    """Sessions that a test has opened: closed at its end, and their temporary files with them."""
    opened: list[BatchSession] = []
    yield opened
    for session in opened:
        close(session)


def close(session: BatchSession) -> None:
    """Close a session, once nothing moves it: whoever answers slowly is told to, before."""
    with session._moving:  # a move that is being made ends first
        pass
    assert session.close()


@pytest.fixture
def open_workload_named(sessions: list[BatchSession]) -> OpenNamed:
    """Open a workload by its path or its bundled name."""

    def opened(name: str, options: RunOptions | None = None) -> BatchSession:
        sessions.append(open_named(name, options))
        return sessions[-1]

    return opened


@pytest.fixture
def demo(open_workload_named: OpenNamed) -> BatchSession:
    return open_workload_named("demo")


@pytest.fixture
def demo_at_12(demo: BatchSession) -> BatchSession:
    while demo.step < 12:
        demo.advance_step()
    return demo


@pytest.fixture
def searches() -> Iterator[list[NodesSession]]:
    """Searches that a test has opened: closed at its end, and their temporary files with them."""
    opened: list[NodesSession] = []
    yield opened
    for session in opened:
        session.close()


@pytest.fixture
def find(searches: list[NodesSession]) -> Find:
    """Open a bundled search by its name, or one among so many nodes (``search_of``)."""

    def opened(nodes: str | int | Inventory, *said: Any, **more: Any) -> NodesSession:
        made = search(nodes) if isinstance(nodes, str) else search_of(nodes, *said, **more)
        searches.append(made)
        return made

    return opened


@pytest.fixture
def gpus(find: Find) -> NodesSession:
    return find("gpus")


@pytest.fixture
def link(find: Find) -> NodesSession:
    return find("link")


@pytest.fixture
def draw() -> Callable[..., Scene]:
    return scene_of


@pytest.fixture
def open_case(tmp_path: Path, open_workload_named: OpenNamed) -> OpenCase:
    """Open a case: its requests, and whatever else a case may say."""

    def opened(requests: list[dict[str, Any]], **options: Any) -> BatchSession:  # Any: JSON
        path = tmp_path / "case.json"
        case = {"slots": 2, "policy": "fcfs", **options, "requests": requests}
        path.write_text(json.dumps(case), encoding="utf-8")
        return open_workload_named(str(path))

    return opened


@pytest.fixture
def open_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sessions: list[BatchSession]
) -> Iterator[Callable[[SlowModel], BatchSession]]:
    """Open a session of three requests in two slots over a model; it answers all at last."""
    models: list[SlowModel] = []

    def opened(model: SlowModel) -> BatchSession:
        models.append(model)
        monkeypatch.setattr("batchtui.plugins.runs._model", lambda workload, options, config: model)
        path = tmp_path / "three.jsonl"
        lines = [f'{{"request_id": "r{n}", "prompt": "p", "max_tokens": 3}}\n' for n in range(3)]
        path.write_text("".join(lines))
        sessions.append(open_named(str(path), RunOptions(slots=2)))
        return sessions[-1]

    yield opened
    for model in models:
        model.answer.release(10_000)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> CheckGolden:
    """Compare lines with a file; ``--snapshot-update`` writes it anew."""

    def check(name: str, lines: list[Line]) -> None:
        seen = "\n".join(text_of(line).rstrip() for line in lines) + "\n"
        path = GOLDEN / f"{name}.txt"
        if request.config.getoption("update_snapshots"):
            path.write_text(seen, encoding="utf-8")
        assert seen == path.read_text(encoding="utf-8")

    return check


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals that a test has opened: closed at its end, and their processes with them."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()
