"""The help as a widget."""

from __future__ import annotations

from collections.abc import Callable

from batchtui.tui.renderables.glyphs import Glyphs
from batchtui.tui.renderables.help import help_panel
from batchtui.tui.renderables.line import Line
from batchtui.tui.widgets.scrolling import ScrollingPanel

WIDTH = 100
"""The most columns it takes, as in the style sheet."""

Contents = Callable[[int], list[Line]]
"""All of the help at a width."""


class HelpPanel(ScrollingPanel):
    """Keys, letters and marks. All that it is shown is how to draw."""

    def __init__(self, contents: Contents) -> None:
        super().__init__()
        self._contents = contents

    def num_rows(self, scene: Glyphs) -> int:
        """All lines of the help, at the width that it has or will have."""
        width = self.size.width or min(WIDTH, self.app.size.width)
        return len(self._contents(width - 3))

    def draw(self, scene: Glyphs, width: int, height: int) -> list[Line]:
        """The help in its frame."""
        return help_panel(scene, self._contents(width - 3), width, height, self.top)
