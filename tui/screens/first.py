"""The first screen: the one that fits a session, with a guided tour over it if there is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.screen import Screen

from batchtui.tui.demos import Demo
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.screens.dashboard import DashboardScreen
from batchtui.tui.screens.nodes.screen import NodesScreen
from batchtui.tui.screens.painting import Options
from batchtui.tui.screens.tour import NodesTourScreen, TourScreen
from batchtui.tui.session import Session

First = Callable[[Any, Options], Screen[None]]
"""Makes the first screen, on a session of the kind that it shows (hence Any)."""


def first_screen(session: Session[Any], beside: NodesSession | None, demo: Demo | None) -> First:
    """What makes the first screen for a session.

    Args:
        session: what is looked at.
        beside: a search that is shown beside a batch.
        demo: a guided tour.
    """
    if isinstance(session, NodesSession):
        return NodesScreen if demo is None else partial(NodesTourScreen, demo=demo)
    if demo is None:
        return partial(DashboardScreen, beside=beside)
    return partial(TourScreen, demo=demo, beside=beside)
