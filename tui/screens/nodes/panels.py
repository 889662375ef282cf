"""The panels of a search: where each of them stands, and what they show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual.app import ComposeResult

from batchtui.tui.nodes_picks import NodesPicks
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.frame import ends_at, frames_of
from batchtui.tui.renderables.layout import Rect
from batchtui.tui.renderables.nodes.grid import grid_of
from batchtui.tui.renderables.nodes.layout import (
    BORDERED,
    PANELS,
    NodesWish,
    map_width,
    nodes_layout,
)
from batchtui.tui.renderables.scene import NodesChoice, NodesScene, Unit
from batchtui.tui.screens.forking import ForkingScreen
from batchtui.tui.screens.painting import Options
from batchtui.tui.session import Session
from batchtui.tui.widgets.changed import ChangedPanel
from batchtui.tui.widgets.dock import DockPanel
from batchtui.tui.widgets.footer import FooterLine
from batchtui.tui.widgets.nodes.map import MapPanel
from batchtui.tui.widgets.nodes.tests import TestsPanel
from batchtui.tui.widgets.nodes.verdict import VerdictPanel
from batchtui.tui.widgets.panel import Panel
from batchtui.tui.widgets.ribbon import Ribbon
from batchtui.tui.widgets.scrolling import ScrollingPanel
from batchtui.tui.widgets.top_line import TopLine

FOCUSABLE = ("map", "tests")
"""The panels that can have the keys."""

ALL_ROWS = 10_000


class NodesPanelsScreen(ForkingScreen):
    """Panels on a search that cover the screen.

    ``zoomed`` is the name of the one that has all the room, if any; ``below`` that of tests and
    verdict which is seen where not both have room; ``others`` are units that stand on the dashboard
    beside this one.
    """

    session: NodesSession

    def __init__(self, session: NodesSession, options: Options) -> None:
        super().__init__(session, options)
        self.picks = NodesPicks(session)
        self.zoomed = ""
        self.below = "tests"
        self.others: tuple[Unit, ...] = ()
        self._shared: tuple[object, ...] | None = None

    def compose(self) -> ComposeResult:
        """They share their borders."""
        yield TopLine(id="top")
        yield Ribbon(id="ribbon")
        yield ChangedPanel(id="changed")
        yield MapPanel(id="map")
        yield TestsPanel(id="tests")
        yield VerdictPanel(id="verdict")
        yield DockPanel(id="dock")
        yield FooterLine(id="footer")

    @property
    def choice(self) -> NodesChoice:
        """What is picked."""
        return self.picks.choice

    @choice.setter
    def choice(self, choice: NodesChoice) -> None:
        self.picks.choice = choice

    @property
    def asks_why(self) -> bool:
        """Whether the picked node is explained."""
        return self.picks.asks_why

    @asks_why.setter
    def asks_why(self, asks: bool) -> None:
        self.picks.asks_why = asks

    @property
    def scene(self) -> NodesScene:
        """This moment."""
        return NodesScene(
            **self.picks.parts,
            mode=self.mode,
            speed=self._speed,
            hint=self._hint,
            calling=self._mover.busy,
            calling_s=self._calling_s,
            glyphs=self._glyphs,
            caption=self.caption,
            others=self.others,
        )

    @property
    def looks(self) -> tuple[object, ...]:
        """What else the picture depends on."""
        return *super().looks, *self.picks.looks, self.zoomed, self.below

    def look_again(self) -> None:
        """Explain the picked node at this moment, if anything has changed."""
        self.picks.look_again()

    def show_instead(self, old: Session[Any], fork: Session[Any]) -> None:
        """Show a fork in the place of the search."""
        self.picks.show(fork)

    # Panels.

    def panel(self, name: str) -> ScrollingPanel:
        """One of those that can have the keys."""
        panel = self.query_one(f"#{name}")
        assert isinstance(panel, ScrollingPanel), name
        return panel

    def share_out(self, scene: NodesScene) -> None:
        """Give each panel its place, if anything that it depends on has changed."""
        width, height = self.size
        wish = NodesWish(scene.why is not None, self.zoomed, self.below)
        shared = (width, height, wish)
        if shared == self._shared or not width or not height:
            return
        self._shared = shared
        num_rows = len(grid_of(scene.racks, max(1, map_width(width) - 4), ALL_ROWS).rows)
        self._put(nodes_layout(width, height, num_rows, wish))

    def _put(self, places: dict[str, Rect]) -> None:
        is_framed = places.get("changed", Rect()).height >= 5 or self.zoomed == "changed"
        names = [name for name in BORDERED if name in places and (name != "changed" or is_framed)]
        boxes = {name: places[name] for name in names}
        framed = frames_of(boxes)
        self.query_one(Ribbon).phases = not is_framed
        self.query_one(FooterLine).up = ends_at(boxes, places.get("footer", Rect()).y)
        for name in PANELS:
            panel, rect = self.query_one(f"#{name}", Panel), places.get(name, Rect())
            panel.frame = framed.get(name)
            panel.display = rect.is_shown
            if rect.is_shown:
                panel.styles.offset = (rect.x, rect.y)
                panel.styles.width, panel.styles.height = rect.width, rect.height
                panel.redraw()

    def focus_panel(self, name: str) -> None:
        """Give a panel the keys."""
        self.choice = replace(self.choice, panel=name)
        self.zoomed = name if self.zoomed else ""
        self.paint()
        self.panel(name).focus()

    def action_focus_slots(self) -> None:
        """Give the map the keys."""
        self.focus_panel("map")

    def action_focus_queue(self) -> None:
        """Give the tests the keys; once more, show the verdict where not both have room."""
        has_keys = self.choice.panel == "tests" and not self.zoomed
        self.below = "verdict" if has_keys and self.below == "tests" else "tests"
        self.focus_panel("tests")

    def action_next_panel(self) -> None:
        """Give the other panel the keys."""
        place = FOCUSABLE.index(self.choice.panel)
        self.focus_panel(FOCUSABLE[(place + 1) % len(FOCUSABLE)])

    action_last_panel = action_next_panel

    def action_zoom(self) -> None:
        """Give the panel the whole screen, or take it back."""
        self.zoomed = "" if self.zoomed else self.choice.panel
        self.paint()
