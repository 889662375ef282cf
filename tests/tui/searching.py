"""Searches to look at: the bundled ones, or of any nodes; and how a screen sees them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from batchtui.engine.nodes.inventory import Inventory, Node, numbered
from batchtui.plugins.formats.nodes_case import NodesCase
from batchtui.plugins.nodes_cases import open_case
from batchtui.plugins.recordings.recording import open_recording
from batchtui.plugins.searches import SearchOptions
from batchtui.tui.nodes_picks import NodesPicks
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.nodes_sessions import open_search, session_of_nodes_recording
from batchtui.tui.renderables.scene import Mode, NodesChoice, NodesScene

HOSTILE = ("[bold]a[/]", "b\x1b[31m\x07", "c\u202eevil", "日本語", "e\nf", "g\u0301\u0301\u0301")
"""Names that a terminal would obey, or take for markup, or that are wide."""


def search(name: str) -> NodesSession:
    """A bundled search that has not begun."""
    return open_search(open_case(name), SearchOptions(), command=f"batchtui nodes {name}")


def search_of(
    nodes: int | Inventory,
    bad: Iterable[int] = (),
    strategy: str = "fewest-tests",
    **simulated: Any,  # options of the simulated probe
) -> NodesSession:
    """A search among so many nodes, or those of an inventory."""
    inventory = numbered(nodes) if isinstance(nodes, int) else nodes
    says = {"bad": tuple(bad), **simulated}
    case = NodesCase("cluster", inventory, simulated=says, strategy=strategy, max_parallel=8)
    return open_search(case, SearchOptions(), command="batchtui nodes")


def hostile_inventory() -> Inventory:
    """Nodes and racks whose names must not reach a terminal as they are."""
    names = [f"{name}{number}" for number in range(4) for name in HOSTILE]
    return Inventory(
        nodes=tuple(Node(name=name, rack=names[at // 8]) for at, name in enumerate(names))
    )


def at_step(session: NodesSession, step: int) -> NodesSession:
    """The same session, run on to the end of a step, or looking back at it."""
    while session.step < step and session.advance_step():
        pass
    session.look(lambda debugger: debugger.to_step(step))
    return session


def to_end(session: NodesSession) -> NodesSession:
    """The same session, run to its end."""
    while session.advance_step():
        pass
    return session


def scene_of(
    session: NodesSession,
    choice: NodesChoice = NodesChoice(),  # noqa: B008
    *,
    asks: bool = False,
    **fields: Any,  # a scene's own
) -> NodesScene:
    """What a screen shows of a search where one looks; ``asks`` why of the picked node."""
    picks = NodesPicks(session)
    picks.choice, picks.asks_why = choice, asks
    picks.look_again()
    mode = Mode.PAST if session.in_past else Mode.ENDED if session.ended else Mode.PAUSED
    return NodesScene(**{**picks.parts, "mode": mode, **fields})


def reopened(session: NodesSession, path: Path) -> NodesSession:
    """A session of the recording of another one."""
    assert session.log is not None
    session.log.save_as(path)
    recording: Any = open_recording(path)
    return session_of_nodes_recording(recording, path)
