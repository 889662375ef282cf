"""NODES on the dashboard as a widget: the search beside the batch, if there is one."""

from __future__ import annotations

from textual import events

from batchtui.tui.renderables.empty import nodes_panel as empty_panel
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.grid import Grid
from batchtui.tui.renderables.nodes.panel import grid_on, nodes_panel, rows_on
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.nodes.map import MapPanel
from batchtui.tui.widgets.scrolling import ScrollingPanel


class NodesPanel(ScrollingPanel):
    """The nodes of a cluster, by rack."""

    @property
    def grid(self) -> Grid | None:
        """Where the letters stand; None where there is no search."""
        scene = self.scene
        if scene is None or scene.nodes is None or not self.size.width:
            return None
        return grid_on(scene.nodes, self.bordered(*self.size))

    def num_rows(self, scene: Scene) -> int:
        """As many as the map has."""
        if scene.nodes is None or not self.size.width:
            return 0
        return len(grid_on(scene.nodes, self.bordered(*self.size)).rows)

    @property
    def page(self) -> int:
        """How many rows of the map are seen at once."""
        return max(1, rows_on(self.bordered(*self.size)))

    def show(self, scene: Scene) -> None:
        """The picked node stays in sight."""
        super().show(scene)
        grid = self.grid
        if grid is not None and scene.nodes is not None and scene.nodes.choice.node is not None:
            place = grid.place_of(scene.nodes.choice.node)
            if place is not None:
                self.reveal(place[0])

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The map and what is known; or what would fill it."""
        frame, split = self.bordered(width, height), self.split_of(scene)
        if scene.nodes is None:
            return empty_panel(scene, frame, split=split, focused=self.has_focus)
        return nodes_panel(scene.nodes, frame, self.top, focused=self.has_focus, split=split)

    def on_click(self, event: events.Click) -> None:
        """Pick the node under the mouse."""
        grid = self.grid
        if grid is None or not 1 <= event.y <= self.page:
            return
        left = 1 + self.bordered(*self.size).is_left
        node = grid.node_at(event.y - 1 + self.top, event.x - left)
        if node is not None:
            self.post_message(MapPanel.Picked(node, again=event.chain == 2))
