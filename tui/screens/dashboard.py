"""The dashboard: takes the keys, moves the session on, and hands one scene to every panel.

Everything happens on the app's own thread. While paused nothing is scheduled, so idling costs
nothing; a free run is slices of at most 15 ms, between which keys are answered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.timer import Timer

from batchtui.tui.actions import ACTIONS
from batchtui.tui.pace import FrameRate, FreeRun
from batchtui.tui.renderables.glyphs import ASCII, UNICODE
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.screens.help import HelpScreen
from batchtui.tui.screens.panels import PanelsScreen
from batchtui.tui.session import Session
from batchtui.tui.widgets.panel import Panel

_IN_WORDS = {"^": "ctrl+", "↑": "up", "↓": "down"}

INTERRUPT_HINT = "ctrl+c pauses a run; q quits"


@dataclass(frozen=True)
class Options:
    """How a dashboard is shown.

    ``start_step`` is run to before the first key; ``clock`` gives seconds and is real but in tests.
    """

    start_step: int
    fps: float
    ascii: bool
    clock: Callable[[], float]


class DashboardScreen(PanelsScreen):
    """Slots, streams, queue and decisions of one session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(action.keys), action.name, action.label, id=action.name)
        for action in ACTIONS
    ]

    def __init__(self, session: Session, options: Options) -> None:
        super().__init__(len(session.view.slots))
        self.session = session
        self.free_run = FreeRun(session, options.clock)
        self._clock = options.clock
        self._frames = FrameRate(options.fps)
        self._glyphs = ASCII if options.ascii else UNICODE
        self._goal: int | None = options.start_step if options.start_step > 0 else None
        self._freely = False
        self._hint = ""
        self._timer: Timer | None = None
        self._painted: tuple[int, str, Mode] | None = None
        self._next_paint = 0.0

    def on_mount(self) -> None:
        """Go to the step that was asked for."""
        if self._goal is not None:
            self._run_freely(True)
            self._tick()
        self.paint()

    @property
    def mode(self) -> Mode:
        """What the screen is doing."""
        if self.session.ended:
            return Mode.ENDED
        return Mode.RUNNING if self._freely else Mode.PAUSED

    @property
    def scene(self) -> Scene:
        """This moment."""
        return Scene(
            view=self.session.view,
            title=self.session.title,
            phases=self.session.phases,
            mode=self.mode,
            started=self.session.started,
            speed=self.free_run.words,
            hint=self._hint,
            fault=self.session.fault,
            glyphs=self._glyphs,
        )

    def paint(self, hint: str = "") -> None:
        """Hand the scene to the panels, if it has changed; a hint lasts until the next time."""
        self._hint = hint
        now = (self.session.version, self._hint + self.free_run.words, self.mode)
        if now == self._painted:
            return
        self._painted, scene, began = now, self.scene, self._clock()
        with self.app.batch_update():
            for panel in self.query(Panel):
                panel.show(scene)
        self._next_paint = began + self._frames.interval
        if self._freely:
            self.call_after_refresh(lambda: self._frames.took(self._clock() - began))

    # The free run.

    def _run_freely(self, running: bool) -> None:
        self._freely = running and not self.session.ended
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._freely:
            self.free_run.start()

    def _tick(self) -> None:
        """One slice; then wait until a step or a frame is due."""
        if not self._freely:
            return
        delay = self._slice()
        now = self._clock()
        if delay is None:
            self._run_freely(False)
            self.paint()
            return
        if now >= self._next_paint:
            self.paint()
        elif self._painted is not None and self._painted[0] != self.session.version:
            delay = min(delay, self._next_paint - now)
        self._timer = self.set_timer(delay, self._tick)

    def _slice(self) -> float | None:
        """Steps that are due, or those up to the step to start at."""
        if self._goal is None:
            return self.free_run.slice()
        if not self.free_run.run_to(self._goal):
            return 0.001
        self._goal = None
        return None

    # The actions.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what does nothing in this mode."""
        for known in ACTIONS:
            if known.name == action and self.mode not in known.modes:
                return None
        return True

    def action_step(self) -> None:
        """Make one step."""
        self._run_freely(False)
        self.session.advance_step()
        self.paint()

    def action_phase(self) -> None:
        """Make one phase."""
        self._run_freely(False)
        self.session.advance_phase()
        self.paint()

    def action_toggle_run(self) -> None:
        """Run, or pause."""
        self._goal = None
        self._run_freely(not self._freely)
        self._tick()
        self.paint()

    def action_faster(self) -> None:
        """Run faster."""
        self.free_run.faster()
        self._speed_changed()

    def action_slower(self) -> None:
        """Run slower."""
        self.free_run.slower()
        self._speed_changed()

    def _speed_changed(self) -> None:
        if self._freely:
            self._run_freely(True)
            self._tick()
            self.paint()
        else:
            self.paint(f"speed {self.free_run.words}: space runs")

    def action_interrupt(self) -> None:
        """Pause; ctrl+c must never lose a session."""
        if self._freely:
            self._run_freely(False)
            self.paint()
        else:
            self.paint(INTERRUPT_HINT)

    def action_palette(self) -> None:
        """Find a command by its name."""
        self.app.action_command_palette()

    def action_help(self) -> None:
        """Show the keys that are in force."""
        self._run_freely(False)
        self.paint()
        self.app.push_screen(HelpScreen(self.scene, self._keys()))

    def action_quit(self) -> None:
        """Leave."""
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
