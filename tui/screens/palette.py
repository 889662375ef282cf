"""The command palette: Textual's own, but for keys that come before its list is there."""

from __future__ import annotations

from contextlib import suppress

from textual.command import CommandPalette


class Palette(CommandPalette):
    """Finds any command by its name."""

    def _action_command_list(self, action: str) -> None:
        # Textual looks up where a row stands before the rows have been laid out.
        with suppress(KeyError):
            super()._action_command_list(action)
