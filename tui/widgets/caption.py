"""The caption of a guided tour, over the last lines of the screen."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.widgets import Static

KEYS = "enter next  backspace before  esc leave"


class Caption(Static):
    """Where one is in the tour, what is to be seen, and the keys."""

    DEFAULT_CSS: ClassVar[str] = """
    Caption {
        dock: bottom;
        layer: above;
        height: auto;
        max-height: 6;
        padding: 0 1;
        background: $primary-muted;
        color: $foreground;
        border-top: solid $primary;
    }
    Caption.-ascii { border-top: ascii $primary; }
    """

    def __init__(self, *, ascii: bool) -> None:
        super().__init__("", markup=False, classes="-ascii" if ascii else "")

    def say(self, place: str, words: str) -> None:
        """Show a stage."""
        text = Text(words)
        text.append(f"\n{place}   {KEYS}", style="dim")
        self.update(text)
