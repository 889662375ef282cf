"""The help screen: made from the bindings that are in force, so it cannot be out of date."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from batchtui.tui.renderables.glyphs import Glyphs
from batchtui.tui.widgets.help import Contents, HelpPanel


class HelpScreen(ModalScreen[None]):
    """Lies over another screen until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss", "close", id="close_help"),
        Binding("down,j", "scroll(1)", "down", id="help_down"),
        Binding("up,k", "scroll(-1)", "up", id="help_up"),
        Binding("pagedown,space", "scroll(10)", "page down", id="help_page_down"),
        Binding("pageup", "scroll(-10)", "page up", id="help_page_up"),
    ]

    def __init__(self, glyphs: Glyphs, contents: Contents) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._contents = contents

    def compose(self) -> ComposeResult:
        """One panel."""
        yield HelpPanel(self._contents)

    def on_mount(self) -> None:
        """Be as high as what there is to say."""
        panel = self.query_one(HelpPanel)
        panel.styles.height = panel.num_rows(self._glyphs) + panel.frame_lines
        panel.show(self._glyphs)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing does anything any more once it is closed: keys may come faster than that."""
        return self.is_current

    def action_scroll(self, count: int) -> None:
        """Scroll by some lines."""
        self.query_one(HelpPanel).scroll_rows(count)
