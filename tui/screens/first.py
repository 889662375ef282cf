"""The first screen: the one that fits a session, with a guided tour over it if there is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from batchtui.tui.demos import Demo
from batchtui.tui.screens.painting import Options
from batchtui.tui.session import Session

if TYPE_CHECKING:
    from batchtui.tui.nodes_session import NodesSession

First = Callable[[Any, Options], Screen[None]]
"""Makes the first screen, on a session of the kind that it shows (hence Any)."""


def first_screen(session: Session[Any], beside: NodesSession | None, demo: Demo | None) -> First:
    """What makes the first screen for a session.

    Args:
        session: what is looked at.
        beside: a search that is shown beside a batch.
        demo: a guided tour.
    """
    # Imported here: nobody should pay for the screens that are not shown.
    if session.unit == "nodes" and demo is not None:
        from batchtui.tui.screens.nodes.tour import NodesTourScreen  # noqa: PLC0415

        return partial(NodesTourScreen, demo=demo)
    if session.unit == "nodes":
        from batchtui.tui.screens.nodes.screen import NodesScreen  # noqa: PLC0415

        return NodesScreen
    if demo is not None:
        from batchtui.tui.screens.tour import TourScreen  # noqa: PLC0415

        return partial(TourScreen, demo=demo, beside=beside)
    from batchtui.tui.screens.dashboard import DashboardScreen  # noqa: PLC0415

    return partial(DashboardScreen, beside=beside)
