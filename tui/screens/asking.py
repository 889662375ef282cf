"""What a person asks: why, what looks wrong, all of a request."""

from __future__ import annotations

from batchtui.tui.renderables.detail import detail_lines
from batchtui.tui.renderables.lints import finding_line
from batchtui.tui.renderables.text import plain
from batchtui.tui.screens.detail import DetailScreen
from batchtui.tui.screens.findings import FindingsScreen
from batchtui.tui.screens.hands import HandsScreen

PICK_HINT = "pick a request first: up and down in the slots or the queue"


class AskingScreen(HandsScreen):
    """The panels, and what can be asked about the run in them."""

    def action_why(self) -> None:
        """Say why the picked request waits, runs or has ended; once more, no longer."""
        if not self.picked:
            self.paint(PICK_HINT)
            return
        self.stop()
        self.ask_why(not self.asks_why)
        self.paint()

    def action_lints(self) -> None:
        """List what looks wrong."""
        self.run_freely(False)
        lints = self.batching.outlook.lints()
        screen = FindingsScreen(
            "What looks wrong",
            [finding_line(lint, ascii_only=self.ascii) for lint in lints],
            empty="nothing looks wrong at this moment",
            ascii=self.ascii,
        )

        def go(place: int | None) -> None:
            if place is not None:
                lint = lints[place]
                self.pick(request_id=lint.request_id, slot=next(iter(lint.slots), None))
                self.paint()

        self.app.push_screen(screen, go)

    def action_detail(self) -> None:
        """Show all of the picked request."""
        self.run_freely(False)
        request_id, batch = self.picked, self.batching
        turn, view = batch.debugger.cursor.turn, batch.view
        story = batch.history.story(request_id, turn) if request_id else None
        if story is None:
            self.paint(PICK_HINT)
            return
        title = f"{plain(request_id)} as of step {view.step}"
        screen = DetailScreen(
            lambda width: detail_lines(self.scene, story, turn, width),
            title,
            ascii=self.ascii,
        )
        self.app.push_screen(screen)
