"""What a person has picked: a panel, and a slot or request in it; and what is known about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from batchtui.engine.batching.explain.lints import Lint
from batchtui.engine.batching.explain.why import Explanation
from batchtui.engine.batching.story import Story
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.scene import Choice, Mode, NodesScene, Scene, Unit
from batchtui.tui.screens.painting import Options
from batchtui.tui.screens.panels import FOCUSABLE, PanelsScreen
from batchtui.tui.session import Session
from batchtui.tui.tables import table_of
from batchtui.tui.widgets.scrolling import Pick, ScrollingPanel

if TYPE_CHECKING:
    from batchtui.tui.nodes_session import NodesSession


class SelectingScreen(PanelsScreen):
    """The panels, and what is picked in them."""

    def __init__(
        self, batch: BatchSession, options: Options, beside: NodesSession | None = None
    ) -> None:
        super().__init__(batch, options, beside)
        self.choice = Choice()
        self.asks_why = False
        self.explanation: Explanation | None = None
        self.found: tuple[Lint, ...] = ()
        self.story: Story | None = None
        self._looked: tuple[object, ...] | None = None

    @property
    def scene(self) -> Scene:
        """This moment."""
        batch, head = self.batching, self.session.outlook.head
        return Scene(
            view=batch.view,
            title=batch.title,
            phases=batch.phases,
            mode=self.mode,
            started=batch.started,
            speed=self._speed,
            hint=self._hint,
            fault=batch.fault,
            calling=self._mover.busy,
            calling_s=self._calling_s,
            glyphs=self._glyphs,
            head=head,
            ribbon=batch.outlook.ribbon,
            choice=self.choice,
            why=self.explanation,
            lints=self.found,
            caption=self.caption,
            story=self.story,
            turn=batch.debugger.cursor.turn,
            passed_by=batch.outlook.passed_by(),
            nodes=self._nodes_scene,
            others=() if self.picks is None else (self.unit_of(self.picks.session),),
        )

    @property
    def _nodes_scene(self) -> NodesScene | None:
        """The search beside the batch at this moment."""
        if self.picks is None:
            return None
        is_moved = self.session is self.picks.session
        return NodesScene(
            **self.picks.parts,
            mode=self.mode if is_moved else Mode.PAUSED,
            speed=self._speed,
            hint=self._hint,
            calling=is_moved and self._mover.busy,
            calling_s=self._calling_s,
            glyphs=self._glyphs,
            caption=self.caption,
            is_moved=is_moved,
            others=(self.unit_of(self.batching),),
        )

    def unit_of(self, session: Session[Any]) -> Unit:
        """What the top line says of a session that is shown."""
        name = "batch" if session is self.batching else "nodes"
        return Unit(name, session.step, session is self.session)

    @property
    def looks(self) -> tuple[object, ...]:
        """What else the picture depends on."""
        shown = (self.batching, self.batching.version)
        beside = () if self.picks is None else self.picks.looks
        return *super().looks, *shown, self.choice, self.zoomed, self.asks_why, *beside

    def look_again(self) -> None:
        """Learn what is known about the picked at this moment, if anything has changed."""
        if self.picks is not None:
            self.picks.look_again()
        slot, slots = self.choice.slot, self.batching.view.slots
        if slot is not None:
            here = slots[slot].request_id if slot < len(slots) else ""
            if here != self.choice.request_id:
                self.choice = replace(self.choice, request_id=here)
        now = (self.batching, self.batching.version, self.choice.request_id, self.asks_why)
        if now == self._looked:
            return
        self._looked = now
        self.found = self.batching.outlook.lints()
        self.story = self.batching.outlook.story(self.choice.request_id)
        asked = self.asks_why and self.choice.request_id
        self.explanation = self.batching.outlook.why(self.choice.request_id) if asked else None

    def pick(self, *, request_id: str = "", slot: int | None = None) -> None:
        """Pick a slot, or a request wherever it is."""
        view = self.batching.view
        if slot is None and request_id:
            sits = (each.index for each in view.slots if each.request_id == request_id)
            slot = next(sits, None)
        panel = "slots" if slot is not None else "queue"
        if request_id and slot is None and request_id not in view.waiting:
            panel = "ended"
        self.choice = replace(self.choice, panel=panel, slot=slot, request_id=request_id)
        self.panel(panel).focus()

    @property
    def picked(self) -> str:
        """The request that is picked; else the head of the queue, else somebody who runs."""
        if self.choice.request_id:
            return self.choice.request_id
        view = self.batching.view
        heads = [waiting.request_id for waiting in view.first_waiting(1)]
        runs = [slot.request_id for slot in view.slots if slot.request_id]
        return next(iter(heads + runs), "")

    @property
    def picked_condition(self) -> str:
        """When something happens to what is picked, in the words of a breakpoint."""
        if self.choice.slot is not None:
            return f"slot {self.choice.slot}"
        name = self.picked
        if not name:
            return ""
        is_word = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
        if is_word and name.lower() != "and":
            return f"request {name}"
        quote = "'" if '"' in name else '"'
        return f"request {quote}{name}{quote}"

    def picked_text(self) -> str:
        """The picked row, as it stands on the screen."""
        view, name = self.batching.view, self.picked
        for slot in view.slots if self.choice.panel != "ended" else ():
            if slot.request_id == name and name:
                return f"slot {slot.index} g{slot.generation} {name} {slot.text}{slot.held}"
        for end in reversed(view.ended):
            if end.request_id == name:
                return f"{name} {end.finish_reason} {end.output_tokens} tokens"
        return name

    def ask_why(self, asks: bool) -> None:
        """Explain what is picked, from now on or no longer."""
        self.asks_why = asks
        if asks and not self.choice.request_id:
            self.pick(request_id=self.picked)

    def rows(self) -> list[list[str]]:
        """The rows of the panel that has the keys, its heads first."""
        names = [row.request_id for row in self.panel_rows()]
        return table_of(self.batching.view, self.choice.panel, names)

    def panel_rows(self) -> list[Pick]:
        """What can be picked in the panel that has the keys."""
        return self.focused_panel.picks(self.scene)

    # Panels.

    @property
    def focused_panel(self) -> ScrollingPanel:
        """The panel that has the keys."""
        return self.panel(self.choice.panel)

    def focus_panel(self, name: str) -> None:
        """Give a panel the keys."""
        self.choice = replace(self.choice, panel=name)
        self.zoomed = name if self.zoomed else ""
        self.paint()
        self.panel(name).focus()

    def action_focus_slots(self) -> None:
        """Give the slots the keys."""
        self.focus_panel("slots")

    def action_focus_queue(self) -> None:
        """Give the queue the keys; once more, those who have ended."""
        self.focus_panel("ended" if self.choice.panel == "queue" else "queue")

    def action_focus_nodes(self) -> None:
        """Give the nodes the keys."""
        self.focus_panel("nodes")

    def action_focus_evals(self) -> None:
        """Give the eval metrics the keys."""
        self.focus_panel("evals")

    def action_next_panel(self) -> None:
        """Give the next panel the keys."""
        self._focus_by(1)

    def action_last_panel(self) -> None:
        """Give the panel before the keys."""
        self._focus_by(-1)

    action_panel_right = action_next_panel
    action_panel_left = action_last_panel

    def _focus_by(self, count: int) -> None:
        place = FOCUSABLE.index(self.choice.panel)
        self.focus_panel(FOCUSABLE[(place + count) % len(FOCUSABLE)])

    def action_zoom(self) -> None:
        """Give the panel the whole screen, or take it back."""
        self.zoomed = "" if self.zoomed else self.choice.panel
        self.paint()

    def leave(self) -> bool:
        """Clear what lies nearest: why, zoom, filter, pick. False if there was nothing."""
        choice = self.choice
        if self.asks_why:
            self.asks_why = False
        elif self.zoomed:
            self.zoomed = ""
        elif choice.filter:
            self.choice = replace(choice, filter="")
        elif choice.request_id or choice.slot is not None:
            self.choice = replace(choice, request_id="", slot=None)
        else:
            return False
        self.paint()
        return True

    def action_leave(self) -> None:
        """Clear what lies nearest."""
        if not self.leave():
            self.paint("nothing to leave: q quits")
