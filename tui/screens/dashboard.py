"""The dashboard's keys: each action of the table as a method, and the help made of them."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from batchtui.tui.actions import ACTIONS
from batchtui.tui.screens.help import HelpScreen
from batchtui.tui.screens.running import RunningScreen

_IN_WORDS = {"^": "ctrl+", "↑": "up", "↓": "down"}

INTERRUPT_HINT = "ctrl+c pauses a run; q quits"
CALLING_HINT = "the model is being called: ctrl+c again ends the call and quits"


class DashboardScreen(RunningScreen):
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

    def action_step(self) -> None:
        """Make one step."""
        self.move(whole_step=True)

    def action_phase(self) -> None:
        """Make one phase."""
        self.move(whole_step=False)

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

    def action_interrupt(self) -> None:
        """Pause; ctrl+c must never lose a session, but for one that is stuck in a call."""
        if self.is_free:
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
        """Show the keys that are in force."""
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
