"""A guided tour over the screen of a search."""

from __future__ import annotations

from batchtui.tui.screens.nodes.screen import NodesScreen
from batchtui.tui.screens.tour import Touring


class NodesTourScreen(Touring, NodesScreen):
    """The screen of a search on a demo session."""
