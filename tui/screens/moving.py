"""Moves a session by keys: each action of the table that every system has, and the help.

It knows no system. A screen of one says what can be gone to, taken away and told about it, and has
the actions that only it has; keys of actions that a screen has not do nothing there.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from batchtui.engine.debugger.debugger import Debugger
from batchtui.tui.actions import ACTIONS, Action
from batchtui.tui.renderables.line import Line
from batchtui.tui.screens.choose import Choice, ChooseScreen
from batchtui.tui.screens.help import HelpScreen
from batchtui.tui.screens.prompt import PromptScreen
from batchtui.tui.screens.stopping import StoppingScreen
from batchtui.tui.takeaway import SAVES, save, suggested
from batchtui.tui.widgets.ribbon import Ribbon

_IN_WORDS = {"^": "ctrl+", "↑": "up", "↓": "down", "←": "left", "→": "right"}

SCRUB_STEPS = 10

_STEPS = re.compile(r"[+-]?\d{1,15}")


class MovingScreen(StoppingScreen):
    """Panels on a session, and the keys that move it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(action.keys), action.name, action.label, id=action.name)
        for action in ACTIONS
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what does nothing in this mode, and pass over what is not done here."""
        for known in ACTIONS:
            if known.name == action and not self._has(known):
                return False
            if known.name == action and self.mode not in known.modes:
                return None
        return True

    def _has(self, action: Action) -> bool:
        return hasattr(self, f"action_{action.name}")

    # What a screen of a system says.

    @abstractmethod
    def find_place(self, text: str) -> int | None:
        """The moment at which something of that name began; None if there is none."""
        raise NotImplementedError

    @abstractmethod
    def show_place(self, text: str) -> None:
        """Pick what was gone to by its name."""
        raise NotImplementedError

    @abstractmethod
    def help_lines(self, keys: Sequence[tuple[str, str]], width: int) -> list[Line]:
        """All of the help; ``keys`` are pairs of the keys and what they do."""
        raise NotImplementedError

    @abstractmethod
    def picked_text(self) -> str:
        """The picked row, as it stands on the screen; "" if none is."""
        raise NotImplementedError

    @abstractmethod
    def rows(self) -> list[list[str]]:
        """The rows of the panel that has the keys, its heads first."""
        raise NotImplementedError

    @property
    def saves(self) -> Sequence[Choice]:
        """What can be taken away."""
        return SAVES

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

    def _back(self, move: Callable[[Debugger[Any]], bool]) -> None:
        moved = True

        def back(debugger: Debugger[Any]) -> None:
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
        """Go to a step, by steps, or to where something began."""
        self.run_freely(False)
        prompt = PromptScreen("go to", "", self.words.places, self._no_place, ascii=self.ascii)
        self.app.push_screen(prompt, self._go_to)

    def _no_place(self, text: str) -> str:
        text = text.strip()
        if _STEPS.fullmatch(text) or self.find_place(text) is not None:
            return ""
        return self.words.no_place

    def _go_to(self, text: str | None) -> None:
        if text is None:
            return
        text = text.strip()
        turn = None if _STEPS.fullmatch(text) else self.find_place(text)
        if turn is not None:
            self.look(lambda session: session.look(lambda debugger: debugger.to_turn(turn)))
            self.show_place(text)
            self.paint(self.session.trouble)
            return
        step = int(text) + (self.session.step if text[0] in "+-" else 0)
        self.go_to_step(max(0, step))

    def action_toggle_run(self) -> None:
        """Run, or pause."""
        self.run_freely(not self.is_free)

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

    # Take away.

    def picture(self) -> str:
        """What stands on the screen, as SVG."""
        return self.app.export_screenshot(title="batchtui")

    def action_copy(self) -> None:
        """Copy the picked row."""
        text = self.picked_text()
        if not text:
            self.paint(self.words.nothing or self.words.pick)
            return
        self.app.copy_to_clipboard(text)
        self.paint(f"copied, if the terminal allows it: {text}")

    def action_export(self) -> None:
        """Save the session, or something else of the screen."""
        self.run_freely(False)
        screen = ChooseScreen("Save", self.saves, ascii=self.ascii)
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

    # Ask.

    def action_palette(self) -> None:
        """Find a command by its name."""
        self.app.action_command_palette()

    def action_help(self) -> None:
        """Show the keys."""
        self.run_freely(False)
        keys = self._keys()
        self.app.push_screen(HelpScreen(self._glyphs, lambda width: self.help_lines(keys, width)))

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
        does = [action for action in ACTIONS if self._has(action)]
        return [(" ".join(bound.get(each.name, ["-"])), self.describe(each)) for each in does]

    def describe(self, action: Action) -> str:
        """What an action does here."""
        return action.description
