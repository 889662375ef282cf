"""Makes the sessions that come with the package: of a demo, and what ``batchtui`` alone shows."""

from __future__ import annotations

from typing import Any

from batchtui.plugins.nodes_cases import is_case, open_case
from batchtui.plugins.runs import RunOptions
from batchtui.plugins.searches import SearchOptions
from batchtui.plugins.workloads import open_workload
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.demos import Demo
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.nodes_sessions import open_search
from batchtui.tui.session import Session
from batchtui.tui.sessions import open_session

DEFAULT_WORKLOAD, DEFAULT_STEP = "demo", 12
DEFAULT_NODES, DEFAULT_NODES_STEP = "gpus", 9


def session_of_demo(demo: Demo) -> Session[Any]:
    """The session of whichever system a demo is over, that has not begun."""
    return bundled_search(demo.workload) if is_case(demo.workload) else bundled_run(demo.workload)


def default_sessions() -> tuple[BatchSession, NodesSession]:
    """A batch that has not begun, to be shown at ``DEFAULT_STEP``, and a search under way."""
    search = bundled_search(DEFAULT_NODES)
    while search.step < DEFAULT_NODES_STEP and search.advance_step():
        pass
    return bundled_run(DEFAULT_WORKLOAD), search


def bundled_run(name: str) -> BatchSession:
    """A session of a bundled workload."""
    return open_session(open_workload(name), RunOptions(), asked=name)


def bundled_search(name: str) -> NodesSession:
    """A session of a bundled nodes case."""
    return open_search(open_case(name), SearchOptions(), command=f"batchtui nodes {name}")
