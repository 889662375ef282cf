"""What a person asks: why, what looks wrong, where to stop, all of a request; and takes away."""

from __future__ import annotations

from batchtui.engine.errors import BatchtuiError
from batchtui.tui.renderables.detail import detail_lines
from batchtui.tui.renderables.lints import finding_line
from batchtui.tui.renderables.text import plain
from batchtui.tui.screens.breakpoints import HINT, BreakpointsScreen
from batchtui.tui.screens.choose import ChooseScreen
from batchtui.tui.screens.detail import DetailScreen
from batchtui.tui.screens.findings import FindingsScreen
from batchtui.tui.screens.hands import HandsScreen
from batchtui.tui.screens.prompt import PromptScreen
from batchtui.tui.takeaway import SAVES, save, suggested

PICK_HINT = "pick a request first: up and down in the slots or the queue"


class AskingScreen(HandsScreen):
    """The session, and what can be asked of it."""

    def picture(self) -> str:
        """What stands on the screen, as SVG."""
        return self.app.export_screenshot(title="batchtui")

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
        lints = self.session.outlook.lints()
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

    def action_break_here(self) -> None:
        """Set a breakpoint, on what is picked unless another is typed."""
        self.run_freely(False)
        self.app.push_screen(
            PromptScreen(
                "break when",
                self.picked_condition,
                HINT,
                self._wrong_breakpoint,
                ascii=self.ascii,
            ),
            self._set_breakpoint,
        )

    def _wrong_breakpoint(self, text: str) -> str:
        try:
            self.session.debugger.breakpoints.parse(text)
        except BatchtuiError as error:
            return str(error)
        return ""

    def _set_breakpoint(self, text: str | None) -> None:
        if text is not None:
            self.session.debugger.breakpoints.add(text)
            self.session.changed()
            self.paint(f"breakpoint set: {text}; c goes on to it, C back to it")

    def action_breakpoints(self) -> None:
        """List the breakpoints."""
        self.run_freely(False)
        breakpoints = self.session.debugger.breakpoints
        screen = BreakpointsScreen(breakpoints, ascii=self.ascii)
        self.app.push_screen(screen, lambda _: self.paint())

    def action_detail(self) -> None:
        """Show all of the picked request."""
        self.run_freely(False)
        request_id, session = self.picked, self.session
        turn, view = session.debugger.cursor.turn, session.view
        story = session.history.story(request_id, turn) if request_id else None
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

    def action_copy(self) -> None:
        """Copy the picked row."""
        text = self.picked_text()
        if not text:
            self.paint(PICK_HINT)
            return
        self.app.copy_to_clipboard(text)
        self.paint(f"copied, if the terminal allows it: {text}")

    def action_export(self) -> None:
        """Save the session, the rows of the panel, or a picture."""
        self.run_freely(False)
        screen = ChooseScreen("Save", SAVES, ascii=self.ascii)
        self.app.push_screen(screen, self._ask_path)

    def _ask_path(self, what: str | None) -> None:
        if what is None:
            return
        screen = PromptScreen(
            f"save the {what} as",
            suggested(what, self.session.title.workload, self.session.step),
            "a file that is not there yet",
            lambda text: "" if text.strip() else "want a name",
            ascii=self.ascii,
        )

        def write(name: str | None) -> None:
            if name is not None:
                self.paint(save(what, name, self))

        self.app.push_screen(screen, write)
