"""The help as a widget."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.tui.renderables.help import help_lines, help_panel
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.widgets.scrolling import ScrollingPanel


class HelpPanel(ScrollingPanel):
    """Keys, letters and marks."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._keys = keys

    def num_rows(self, scene: Scene) -> int:
        """All lines of the help."""
        return len(help_lines(self._keys))

    def draw(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The help in its frame."""
        return help_panel(scene.glyphs, self._keys, width, height, self.top)
