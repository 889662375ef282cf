"""The search that stands beside a batch on the dashboard: picked in, asked about, stepped.

Its own screen, which lies over this one, has the rest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from batchtui.tui.screens.asking import AskingScreen
from batchtui.tui.screens.nodes.words import NODES_WORDS
from batchtui.tui.screens.stopping import Words
from batchtui.tui.session import Session
from batchtui.tui.widgets.nodes.beside import NodesPanel
from batchtui.tui.widgets.nodes.map import MapPanel

NOTHING_BESIDE = "this run has one unit: batch"
BUSY = "an answer is awaited: the keys can be turned when it has come"
EXCLUDED_THERE = "a node is excluded on the search's own screen: enter goes there"
OWN_SCREEN = "the step keys move the search: 4 and enter go to its own screen, u back to the batch"


class BesideScreen(AskingScreen):
    """The panels, and the search in the one for nodes."""

    @property
    def is_on_nodes(self) -> bool:
        """Whether the panel of the search has the keys, and there is a search."""
        return self.picks is not None and self.choice.panel == "nodes"

    @property
    def is_search_moved(self) -> bool:
        """Whether the step keys move the search."""
        return self.picks is not None and self.session is self.picks.session

    # Units.

    def action_unit(self) -> None:
        """Let the step keys move the next unit."""
        if self.picks is None:
            self.paint(NOTHING_BESIDE)
        elif self.is_calling:
            self.paint(BUSY)
        else:
            self.stop()
            self.turn_to(self.batching if self.is_search_moved else self.picks.session)
            self.paint()

    @property
    def words(self) -> Words:
        """What is said of the system whose session the step keys move; how to pick, of the panel
        that has the keys."""
        words = NODES_WORDS if self.is_search_moved else self.WORDS
        if not self.is_on_nodes:
            return replace(words, nothing="")
        return replace(words, pick=NODES_WORDS.pick, nothing=NODES_WORDS.nothing)

    @property
    def picked_condition(self) -> str:
        """When something happens to what is picked of the unit that the step keys move."""
        if self.picks is not None and self.is_search_moved:
            return self.picks.condition
        return super().picked_condition

    def may_act(self) -> bool:
        """The search is acted upon on its own screen."""
        if self.is_search_moved:
            self.run_freely(False)
            self.paint(OWN_SCREEN)
            return False
        return super().may_act()

    def action_abort(self) -> None:
        """Abort the picked request; a node is excluded on the search's own screen."""
        if self.is_search_moved:
            self.paint(OWN_SCREEN)
        elif self.is_on_nodes:
            self.paint(EXCLUDED_THERE)
        else:
            super().action_abort()

    def action_fork(self) -> None:
        """Begin another run that is the same up to this moment."""
        if self.is_search_moved:
            self.paint(OWN_SCREEN)
        else:
            super().action_fork()

    # Nodes.

    def _move_by(self, count: int) -> None:
        panel = self.query_one(NodesPanel)
        if self.picks is None or not self.is_on_nodes or panel.grid is None:
            super()._move_by(count)
            return
        self.picks.move_down(panel.grid, count)
        self.paint()

    def action_panel_right(self) -> None:
        """Pick the next node; elsewhere, go to the next panel."""
        self._go_beside(1)

    def action_panel_left(self) -> None:
        """Pick the node before; elsewhere, go to the panel before."""
        self._go_beside(-1)

    def _go_beside(self, count: int) -> None:
        if self.picks is not None and self.is_on_nodes:
            self.picks.move_aside(count)
            self.paint()
        elif count > 0:
            self.action_next_panel()
        else:
            self.action_last_panel()

    def action_first_row(self) -> None:
        """Pick the first row, or the first node."""
        if self.picks is None or not self.is_on_nodes:
            super().action_first_row()
            return
        self.picks.pick(0)
        self.paint()

    def action_last_row(self) -> None:
        """Pick the last row, or the last node."""
        if self.picks is None or not self.is_on_nodes:
            super().action_last_row()
            return
        self.picks.pick_last()
        self.paint()

    def on_map_panel_picked(self, event: MapPanel.Picked) -> None:
        """Pick the node under the mouse; twice goes to its screen."""
        if self.picks is None:
            return
        self.picks.pick(event.node)
        self.focus_panel("nodes")
        if event.again:
            self.call_later(self.run_action, "detail")

    def action_why(self) -> None:
        """Say which tests prove what the picked node is, or what is so of the picked request."""
        if self.picks is None or not self.is_on_nodes:
            if self.picks is not None:
                self.picks.asks_why = False
            super().action_why()
            return
        self.stop()
        self.asks_why = False
        self.picks.ask_why()
        self.paint()

    def leave(self) -> bool:
        """Clear what lies nearest, of the search too."""
        if self.picks is not None and self.picks.asks_why:
            self.picks.asks_why = False
        elif (
            self.zoomed
            or not (self.picks is not None and self.is_on_nodes)
            or not self.picks.clear()
        ):
            return super().leave()
        self.paint()
        return True

    def picked_text(self) -> str:
        """The picked row; of nodes the list of bad hosts."""
        if self.picks is not None and self.is_on_nodes:
            return self.picks.copied()
        return super().picked_text()

    def rows(self) -> list[list[str]]:
        """The rows of the panel that has the keys."""
        return self.picks.table() if self.picks is not None and self.is_on_nodes else super().rows()

    def action_detail(self) -> None:
        """Go to the search's own screen; elsewhere, show all of the picked request."""
        if self.picks is None or not self.is_on_nodes:
            super().action_detail()
            return
        if self.is_calling:
            self.paint(BUSY)
            return
        self.run_freely(False)
        # Imported here: few go there, and every start would pay for it.
        from batchtui.tui.screens.nodes.screen import NodesScreen  # noqa: PLC0415

        screen = NodesScreen(self.picks.session, replace(self.options, start_step=None))
        screen.picks = self.picks
        screen.others = (self.unit_of(self.batching),)
        self.app.push_screen(screen, lambda _: self._come_back())

    def _come_back(self) -> None:
        """From the search's own screen, where a fork may have taken its place."""
        if self.picks is not None and self.session is not self.batching:
            self.turn_to(self.picks.session)
        self.paint()

    def show_instead(self, old: Session[Any], fork: Session[Any]) -> None:
        """Show a fork in the place of what it was forked from."""
        if self.picks is not None and fork.unit == "nodes":
            self.picks.show(fork)
        else:
            super().show_instead(old, fork)
