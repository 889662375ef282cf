"""The help as a widget."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.tui.renderables.help import help_lines, help_panel
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.scrolling import ScrollingPanel

WIDTH = 100
"""The most columns it takes, as in the style sheet."""


class HelpPanel(ScrollingPanel):
    """Keys, letters and marks."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._keys = keys

    def num_rows(self, scene: Scene) -> int:
        """All lines of the help, at the width that it has or will have."""
        width = self.size.width or min(WIDTH, self.app.size.width)
        return len(help_lines(self._keys, width - 3, scene.choice.panel))

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The help in its frame."""
        return help_panel(scene, self._keys, width, height, self.top)
