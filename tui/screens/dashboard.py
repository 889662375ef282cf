"""The dashboard: what it says of batching to the keys that move any session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from batchtui.tui.renderables.help import help_lines
from batchtui.tui.renderables.line import Line
from batchtui.tui.screens.asking import PICK_HINT
from batchtui.tui.screens.beside import BesideScreen
from batchtui.tui.screens.breakpoints import HINT
from batchtui.tui.screens.stopping import Words


class DashboardScreen(BesideScreen):
    """Slots, streams, queue and decisions of one session."""

    WORDS: ClassVar[Words] = Words(
        breaks=HINT,
        places="a step (41), steps (+10, -10), or a request (r12)",
        no_place="want a step, as in 41, steps, as in +10, or the id of a request that has come",
        pick_any="pick a slot or a request first",
        pick=PICK_HINT,
    )

    def find_place(self, text: str) -> int | None:
        """Where a request began."""
        if self.picks is not None and self.is_search_moved:
            return self.picks.find_place(text)
        story = self.batching.history.story(text)
        return None if story is None else story.moments[0].turn

    def show_place(self, text: str) -> None:
        """Pick the request, not the slot that it has at one moment; or the node, or the test."""
        if self.picks is not None and self.is_search_moved:
            self.picks.show_place(text)
            return
        self.choice = replace(self.choice, slot=None, request_id=text)

    def help_lines(self, keys: Sequence[tuple[str, str]], width: int) -> list[Line]:
        """That of the panel that has the keys, the keys, and what letters and marks mean."""
        return help_lines(keys, width, self.choice.panel)
