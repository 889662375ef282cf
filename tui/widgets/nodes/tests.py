"""The tests as a widget."""

from __future__ import annotations

from textual import events
from textual.message import Message

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.tests import num_tests, test_ids, tests_panel
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.widgets.scrolling import ScrollingPanel


class TestsPanel(ScrollingPanel):
    """A row for each test."""

    __test__ = False

    class Picked(Message):
        """A test was clicked; ``again`` if it was the second time at once."""

        def __init__(self, test: int, *, again: bool) -> None:
            super().__init__()
            self.test = test
            self.again = again

    def num_rows(self, scene: NodesScene) -> int:
        """As many as there are tests."""
        return num_tests(scene)

    @property
    def frame_lines(self) -> int:
        """The title."""
        return 1

    def draw(self, scene: NodesScene, width: int, height: int) -> list[Line]:
        """The rows from ``top`` on."""
        return tests_panel(scene, self.bordered(width, height), self.top, focused=self.has_focus)

    def on_click(self, event: events.Click) -> None:
        """Pick the test under the mouse."""
        if self.scene is None or event.y < 1:
            return
        ids, row = test_ids(self.scene), event.y - 1 + self.top
        if event.y >= 1 and row < len(ids):
            self.post_message(self.Picked(ids[row], again=event.chain == 2))
