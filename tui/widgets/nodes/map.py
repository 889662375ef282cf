"""The map as a widget."""

from __future__ import annotations

from textual import events
from textual.message import Message

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.map import grid_in, map_panel, map_rows
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.widgets.scrolling import ScrollingPanel


class MapPanel(ScrollingPanel):
    """A letter for each node."""

    class Picked(Message):
        """A node was clicked; ``again`` if it was the second time at once."""

        def __init__(self, node: int, *, again: bool) -> None:
            super().__init__()
            self.node = node
            self.again = again

    def num_rows(self, scene: NodesScene) -> int:
        """As many as the map has."""
        return len(grid_in(scene, self.bordered(*self.size)).rows)

    @property
    def page(self) -> int:
        """How many rows of the map are seen at once."""
        if self.scene is None:
            return 1
        return max(1, map_rows(self.scene.racks, self.bordered(*self.size)))

    def show(self, scene: NodesScene) -> None:
        """The picked node stays in sight."""
        super().show(scene)
        if scene.choice.node is not None and self.size.width:
            place = grid_in(scene, self.bordered(*self.size)).place_of(scene.choice.node)
            if place is not None:
                self.reveal(place[0])

    def draw(self, scene: NodesScene, width: int, height: int) -> list[Line]:
        """The map from ``top`` on."""
        return map_panel(scene, self.bordered(width, height), self.top, focused=self.has_focus)

    def on_click(self, event: events.Click) -> None:
        """Pick the node under the mouse."""
        if self.scene is None or not 1 <= event.y <= self.page:
            return
        grid = grid_in(self.scene, self.bordered(*self.size))
        left = 1 + self.bordered(*self.size).is_left
        node = grid.node_at(event.y - 1 + self.top, event.x - left)
        if node is not None:
            self.post_message(self.Picked(node, again=event.chain == 2))
