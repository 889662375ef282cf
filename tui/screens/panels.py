"""The panels: where each of them stands, and how the screen is shared out among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.frame import ends_below, frames
from batchtui.tui.renderables.layout import PANELS, Layout, Rect, Wish, layout
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.screens.forking import ForkingScreen
from batchtui.tui.screens.painting import Options
from batchtui.tui.widgets.changed import ChangedPanel
from batchtui.tui.widgets.dock import DockPanel
from batchtui.tui.widgets.empty import EvalsPanel
from batchtui.tui.widgets.ended import EndedPanel
from batchtui.tui.widgets.footer import FooterLine
from batchtui.tui.widgets.nodes.beside import NodesPanel
from batchtui.tui.widgets.panel import Panel
from batchtui.tui.widgets.queue import QueuePanel
from batchtui.tui.widgets.ribbon import Ribbon
from batchtui.tui.widgets.scrolling import ScrollingPanel
from batchtui.tui.widgets.slots import SlotsPanel
from batchtui.tui.widgets.top_line import TopLine

if TYPE_CHECKING:
    from batchtui.tui.nodes_picks import NodesPicks
    from batchtui.tui.nodes_session import NodesSession

FOCUSABLE = ("slots", "queue", "ended", "nodes", "evals")
"""The panels that can have the keys, in the order of their digits."""


class PanelsScreen(ForkingScreen):
    """Panels that cover the screen.

    ``batching`` is what they are about, whatever the step keys move; ``picks`` are those of the
    search beside it, if there is one. ``zoomed`` is the name of the panel that has all the room,
    if any.
    """

    def __init__(
        self, batch: BatchSession, options: Options, beside: NodesSession | None = None
    ) -> None:
        super().__init__(batch, options)
        self.batching = batch
        self.picks: NodesPicks | None = None
        if beside is not None:
            # Imported here: most dashboards have no search beside them.
            from batchtui.tui.nodes_picks import NodesPicks  # noqa: PLC0415

            self.picks = NodesPicks(beside)
        self.zoomed = ""
        self._is_ended_shown = False
        self._shared: tuple[object, ...] | None = None

    def compose(self) -> ComposeResult:
        """They share their borders."""
        yield TopLine(id="top")
        yield Ribbon(id="ribbon")
        yield ChangedPanel(id="changed")
        yield SlotsPanel(id="slots")
        yield QueuePanel(id="queue")
        yield EndedPanel(id="ended")
        yield NodesPanel(id="nodes")
        yield EvalsPanel(id="evals")
        yield DockPanel(id="dock")
        yield FooterLine(id="footer")

    def panel(self, name: str) -> ScrollingPanel:
        """One of those that can have the keys."""
        panel = self.query_one(f"#{name}")
        assert isinstance(panel, ScrollingPanel), name
        return panel

    def share_out(self, scene: Scene) -> None:
        """Give each panel its place, if anything that it depends on has changed."""
        chosen = scene.choice.panel
        if chosen in ("queue", "ended"):
            self._is_ended_shown = chosen == "ended"
        below = chosen if chosen in ("nodes", "evals") else "queue"
        zoomed = "queue" if self.zoomed == "ended" else self.zoomed
        wish = Wish(below, scene.asked.why is not None, zoomed)
        width, height = self.size
        shared = (width, height, len(scene.view.slots), wish, self._is_ended_shown)
        if shared != self._shared and width and height:
            self._shared = shared
            num_slots = len(scene.view.slots)
            self._put(layout(width, height, num_slots, wish), num_slots)

    def _put(self, places: Layout, num_slots: int) -> None:
        framed = frames(places, num_slots)
        self.query_one(Ribbon).phases = not (places.framed and places.changed.is_shown)
        self.query_one(QueuePanel).is_finding = places.footer.height < 3
        footer = self.query_one(FooterLine)
        footer.up, footer.slots_width = ends_below(places)
        for name in PANELS:
            for panel, rect in self._rects(name, getattr(places, name)):
                panel.frame = framed.get(name) if rect.is_shown else None
                self._place(panel, rect)

    def _rects(self, name: str, rect: Rect) -> list[tuple[Panel, Rect]]:
        """The widgets of a place: queue and ended have the same one, and one of them is seen."""
        panel = self.query_one(f"#{name}", Panel)
        if name != "queue":
            return [(panel, rect)]
        shown, hidden = self.query_one("#ended", Panel), panel
        if not self._is_ended_shown:
            shown, hidden = hidden, shown
        return [(shown, rect), (hidden, Rect())]

    @staticmethod
    def _place(panel: Panel, rect: Rect) -> None:
        panel.display = rect.is_shown
        if rect.is_shown:
            panel.styles.offset = (rect.x, rect.y)
            panel.styles.width, panel.styles.height = rect.width, rect.height
            panel.redraw()
