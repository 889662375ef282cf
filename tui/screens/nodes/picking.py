"""Moves among the nodes and the tests of a search."""

from __future__ import annotations

from dataclasses import replace

from batchtui.tui.renderables.nodes.grid import Grid
from batchtui.tui.renderables.nodes.map import grid_in
from batchtui.tui.renderables.nodes.tests import test_ids
from batchtui.tui.screens.nodes.panels import NodesPanelsScreen
from batchtui.tui.widgets.nodes.map import MapPanel
from batchtui.tui.widgets.nodes.tests import TestsPanel


class NodesPickingScreen(NodesPanelsScreen):
    """The panels of a search, and what is picked in them."""

    def action_row_down(self) -> None:
        """Pick the node below, or the next test."""
        self._move_by(1)

    def action_row_up(self) -> None:
        """Pick the node above, or the test before."""
        self._move_by(-1)

    def action_page_down(self) -> None:
        """Move down by a page."""
        self._move_by(self.panel(self.choice.panel).page)

    def action_page_up(self) -> None:
        """Move up by a page."""
        self._move_by(-self.panel(self.choice.panel).page)

    def action_panel_right(self) -> None:
        """Pick the next node."""
        self._pick_beside(1)

    def action_panel_left(self) -> None:
        """Pick the node before."""
        self._pick_beside(-1)

    def action_first_row(self) -> None:
        """Pick the first node, or the first test."""
        if self.choice.panel == "tests":
            self._pick_row(0)
        else:
            self.picks.pick(0)
            self.paint()

    def action_last_row(self) -> None:
        """Pick the last node, or the last test."""
        if self.choice.panel == "tests":
            self._pick_row(len(test_ids(self.scene)) - 1)
        else:
            self.picks.pick_last()
            self.paint()

    def _move_by(self, count: int) -> None:
        if self.choice.panel == "map":
            self.picks.move_down(self._grid, count)
            self.paint()
            return
        ids = test_ids(self.scene)
        here = ids.index(self.choice.test) if self.choice.test in ids else None
        self._pick_row((0 if count > 0 else len(ids) - 1) if here is None else here + count)

    def _pick_beside(self, count: int) -> None:
        if self.choice.panel == "map":
            self.picks.move_aside(count)
            self.paint()
        else:
            self.action_next_panel()

    @property
    def _grid(self) -> Grid:
        panel = self.query_one(MapPanel)
        return grid_in(self.scene, panel.bordered(*panel.size))

    def _pick_row(self, row: int) -> None:
        ids = test_ids(self.scene)
        if ids:
            row = min(max(0, row), len(ids) - 1)
            self.choice = replace(self.choice, test=ids[row])
            self.panel("tests").reveal(row)
        self.paint()

    def on_map_panel_picked(self, event: MapPanel.Picked) -> None:
        """Pick the node under the mouse; twice shows all of it."""
        self.choice = replace(self.choice, panel="map")
        self.picks.pick(event.node)
        self.paint()
        if event.again:
            self.call_later(self.run_action, "detail")

    def on_tests_panel_picked(self, event: TestsPanel.Picked) -> None:
        """Pick the test under the mouse; twice shows all of it."""
        self.choice = replace(self.choice, panel="tests", test=event.test)
        self.paint()
        if event.again:
            self.call_later(self.run_action, "detail")

    @property
    def picked_condition(self) -> str:
        """When something happens to the picked node or test, in the words of a breakpoint."""
        return self.picks.condition

    def picked_text(self) -> str:
        """The host list of the bad ones; "" where there is none."""
        return self.picks.copied()

    def rows(self) -> list[list[str]]:
        """Every test, or every node, its heads first."""
        return self.picks.table()

    def find_place(self, text: str) -> int | None:
        """The moment at which a node's verdict came, or a test was planned."""
        return self.picks.find_place(text)

    def show_place(self, text: str) -> None:
        """Pick what was gone to by its name."""
        self.picks.show_place(text)

    def leave(self) -> bool:
        """Clear what lies nearest: why, zoom, pick. False if there was nothing."""
        if self.asks_why:
            self.asks_why = False
        elif self.zoomed:
            self.zoomed = ""
        elif not self.picks.clear():
            return False
        self.paint()
        return True
