"""The dashboard's keys: each action of the table as a method, and the help made of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType

from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.errors import BatchtuiError
from batchtui.tui.actions import ACTIONS
from batchtui.tui.screens.asking import AskingScreen
from batchtui.tui.screens.help import HelpScreen
from batchtui.tui.screens.prompt import PromptScreen
from batchtui.tui.widgets.ribbon import Ribbon

_IN_WORDS = {"^": "ctrl+", "↑": "up", "↓": "down", "←": "left", "→": "right"}

INTERRUPT_HINT = "ctrl+c pauses a run; q quits"
CALLING_HINT = "the model is being called: ctrl+c again ends the call and quits"

SCRUB_STEPS = 10

_STEPS = re.compile(r"[+-]?\d{1,15}")


class DashboardScreen(AskingScreen):
    """Slots, streams, queue and decisions of one session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(action.keys), action.name, action.label, id=action.name)
        for action in ACTIONS
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what does nothing in this mode."""
        for known in ACTIONS:
            if known.name == action and self.mode not in known.modes:
                return None
        return True

    # Move.

    def action_step(self) -> None:
        """Make one step."""
        self.move(whole_step=True)

    def action_phase(self) -> None:
        """Make one phase."""
        self.move(whole_step=False)

    def action_step_back(self) -> None:
        """Look at the step before."""
        self._back(Debugger.back_step)

    def action_phase_back(self) -> None:
        """Look at the phase before."""
        self._back(Debugger.back_phase)

    def _back(self, move: Callable[[Debugger[BatchView]], bool]) -> None:
        moved = True

        def back(debugger: Debugger[BatchView]) -> None:
            nonlocal moved
            moved = move(debugger)

        self.look(lambda session: session.look(back))
        if not moved:
            self.paint("this is the beginning")

    def action_scrub_back(self) -> None:
        """Look some steps back."""
        if not self.session.started:
            self.paint("this is the beginning")
            return
        self._look_at_step(self.session.step - SCRUB_STEPS)

    def action_scrub_on(self) -> None:
        """Look some steps on."""
        if not self.session.in_past:
            self.paint("this is NOW: n and space go on")
            return
        self._look_at_step(self.session.step + SCRUB_STEPS)

    def _look_at_step(self, step: int) -> None:
        self.look(lambda session: session.look(lambda debugger: debugger.to_step(step)))

    def on_ribbon_picked(self, event: Ribbon.Picked) -> None:
        """Look at the step under the mouse."""
        self._look_at_step(event.step)

    def action_to_now(self) -> None:
        """Look at NOW."""
        if not self.session.in_past:
            self.paint("this is NOW")
            return
        self.look(lambda session: session.look(lambda debugger: debugger.to_head()))

    def action_go_to(self) -> None:
        """Go to a step, by steps, or to where a request began."""
        self.run_freely(False)
        hint = "a step (41), steps (+10, -10), or a request (r12)"
        prompt = PromptScreen("go to", "", hint, self._no_place, ascii=self.ascii)
        self.app.push_screen(prompt, self._go_to)

    def _no_place(self, text: str) -> str:
        text = text.strip()
        if _STEPS.fullmatch(text) or self.session.history.story(text) is not None:
            return ""
        return "want a step, as in 41, steps, as in +10, or the id of a request that has come"

    def _go_to(self, text: str | None) -> None:
        if text is None:
            return
        text = text.strip()
        story = self.session.history.story(text)
        if story is not None and not _STEPS.fullmatch(text):
            first = story.moments[0].turn
            self.look(lambda session: session.look(lambda debugger: debugger.to_turn(first)))
            # The request, not the slot that it has at one moment.
            self.choice = replace(self.choice, slot=None, request_id=text)
            self.paint(self.session.trouble)
            return
        step = int(text) + (self.session.step if text[0] in "+-" else 0)
        self.go_to_step(max(0, step))

    def action_toggle_run(self) -> None:
        """Run, or pause."""
        self.run_freely(not self.is_free)

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
            self.paint("pick a slot or a request first")
            return
        try:
            until = self.session.debugger.breakpoints.until(condition, self.session.view)
        except BatchtuiError as error:  # an id with both kinds of quotes
            self.paint(str(error))
            return
        self.run_freely(True, rushing=True, until=until)

    def action_faster(self) -> None:
        """Run faster."""
        self.free_run.faster()
        self._speed_changed()

    def action_slower(self) -> None:
        """Run slower."""
        self.free_run.slower()
        self._speed_changed()

    def _speed_changed(self) -> None:
        if self.is_free:
            self.run_freely(True)
        else:
            self.paint(f"speed {self.free_run.words}: space runs")

    def action_unit(self) -> None:
        """Let the step keys move the next unit."""
        self.paint("this run has one unit: batch")

    # Leave.

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

    def action_palette(self) -> None:
        """Find a command by its name."""
        self.app.action_command_palette()

    def action_help(self) -> None:
        """Show the keys."""
        self.run_freely(False)
        self.app.push_screen(HelpScreen(self.scene, self._keys()))

    def action_suspend(self) -> None:
        """Go to the shell."""
        self.app.action_suspend_process()

    def action_quit(self) -> None:
        """Leave; a run that went on would hold that up."""
        self.stop()
        self.app.exit()

    def _keys(self) -> list[tuple[str, str]]:
        """Each action's keys as they are bound now, and what it does."""
        bound: dict[str, list[str]] = {}
        for active in self.active_bindings.values():
            # The app binds ctrl+p and ctrl+q itself, under names of its own.
            name = active.binding.action.rpartition(".")[2].removeprefix("command_")
            display = self.app.get_key_display(active.binding)
            for symbol, word in _IN_WORDS.items():
                display = display.replace(symbol, word)
            bound.setdefault(name, []).append(display)
        return [(" ".join(bound.get(action.name, ["-"])), action.description) for action in ACTIONS]
