"""Stops what moves: at breakpoints, forwards and back, at the next change, or for good."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from batchtui.engine.errors import BatchtuiError
from batchtui.tui.screens.breakpoints import BreakpointsScreen
from batchtui.tui.screens.prompt import PromptScreen
from batchtui.tui.screens.running import RunningScreen

INTERRUPT_HINT = "ctrl+c pauses a run; q quits"
CALLING_HINT = "the model is being called: ctrl+c again ends the call and quits"


@dataclass(frozen=True)
class Words:
    """What a screen says of the system that it shows.

    ``breaks`` is what a breakpoint may say, ``places`` what one can go to, ``no_place`` what is
    wrong with anything else, ``pick_any`` and ``pick`` how to pick something to wait for, or to
    take away; ``nothing`` why there is nothing to copy, where that does not go by what is picked.
    """

    breaks: str
    places: str
    no_place: str
    pick_any: str
    pick: str
    nothing: str = ""


class StoppingScreen(RunningScreen):
    """Panels on a session that is stopped.

    A screen of a system says its ``WORDS``, and what is picked in it.
    """

    WORDS: ClassVar[Words]

    @property
    def words(self) -> Words:
        """What is said of the system whose session the step keys move."""
        return self.WORDS

    @property
    @abstractmethod
    def picked_condition(self) -> str:
        """When something happens to what is picked, in the words of a breakpoint; "" if nothing
        is."""
        raise NotImplementedError

    # At a breakpoint.

    def action_break_here(self) -> None:
        """Set a breakpoint, on what is picked unless another is typed."""
        self.run_freely(False)
        self.app.push_screen(
            PromptScreen(
                "break when",
                self.picked_condition,
                self.words.breaks,
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
        screen = BreakpointsScreen(breakpoints, hint=self.words.breaks, ascii=self.ascii)
        self.app.push_screen(screen, lambda _: self.paint())

    def action_go_on(self) -> None:
        """Go on to a breakpoint, or pause."""
        self.run_freely(not self.is_free, rushing=True)

    def action_go_back(self) -> None:
        """Go back to a breakpoint."""
        if not any(each.enabled for each in self.session.debugger.breakpoints):
            self.paint("there is no breakpoint: b sets one")
            return
        self.stop()
        session, before = self.session, self.session.debugger.cursor.turn
        job = session.debugger.search_back()

        def found() -> None:
            session.changed()
            same = session.debugger.cursor.turn == before
            self.paint("no breakpoint is hit before" if same else session.stopped)

        self.work_on(job, "back", found)

    def action_until(self) -> None:
        """Run until something happens to what is picked."""
        condition = self.picked_condition
        if not condition:
            self.paint(self.words.pick_any)
            return
        try:
            until = self.session.debugger.breakpoints.until(condition, self.session.view)
        except BatchtuiError as error:  # an id with both kinds of quotes
            self.paint(str(error))
            return
        self.run_freely(True, rushing=True, until=until)

    # For good.

    def action_interrupt(self) -> None:
        """Pause; ctrl+c must never lose a session, but for one that is stuck in a call."""
        if self.mode.value == "running":
            self.run_freely(False)
            if self.is_calling:
                self.paint(CALLING_HINT)
        elif self.is_calling:
            self.action_quit()
        else:
            self.paint(INTERRUPT_HINT)

    def action_suspend(self) -> None:
        """Go to the shell."""
        self.app.action_suspend_process()

    def action_quit(self) -> None:
        """Leave; a run that went on would hold that up."""
        self.stop()
        self.app.exit()
