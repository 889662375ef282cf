"""Every action of the dashboard, once: bindings, footer, palette and help come from this table."""

from __future__ import annotations

from dataclasses import dataclass

from batchtui.tui.renderables.scene import Mode

PAUSED, RUNNING, ENDED = Mode.PAUSED, Mode.RUNNING, Mode.ENDED


@dataclass(frozen=True)
class Action:
    """What can be done.

    ``name`` is the method ``action_<name>`` of the screen and the id of the binding. ``keys`` are
    Textual's names, ``shown`` what the footer calls the first of them. ``footer`` names the modes
    in whose footer it stands, ``modes`` those in which it does something. ``running`` is its label
    in a free run, if that differs.
    """

    name: str
    keys: tuple[str, ...]
    shown: str
    label: str
    description: str
    footer: frozenset[Mode] = frozenset()
    modes: frozenset[Mode] = frozenset(Mode)
    running: str = ""

    @property
    def label_running(self) -> str:
        """What the footer calls it during a free run."""
        return self.running or self.label


ACTIONS = (
    Action(
        "step",
        ("n", "f10"),
        "n",
        "step",
        "Make one step: admit, call, apply, deliver",
        frozenset({PAUSED}),
        frozenset({PAUSED, RUNNING}),
    ),
    Action(
        "phase",
        ("s", "f11"),
        "s",
        "phase",
        "Make one phase of a step",
        frozenset({PAUSED}),
        frozenset({PAUSED, RUNNING}),
    ),
    Action(
        "toggle_run",
        ("space", "c", "f5"),
        "space",
        "run",
        "Run freely, or pause",
        frozenset({PAUSED, RUNNING}),
        frozenset({PAUSED, RUNNING}),
        running="pause",
    ),
    Action(
        "faster",
        ("plus", "equals_sign"),
        "+",
        "faster",
        "Run faster: 1, 2, 5, 10, 30 steps a second, then max",
        frozenset({PAUSED, RUNNING}),
    ),
    Action(
        "slower",
        ("minus", "underscore"),
        "-",
        "slower",
        "Run slower",
        frozenset({PAUSED, RUNNING}),
    ),
    Action(
        "focus_slots",
        ("1", "2"),
        "1",
        "slots",
        "Go to the slots and their streams",
        frozenset({ENDED}),
    ),
    Action("focus_queue", ("3",), "3", "queue", "Go to the queue"),
    Action("focus_ended", ("4",), "4", "ended", "Go to those who have ended", frozenset({ENDED})),
    Action(
        "row_down", ("down", "j"), "down", "scroll", "Scroll the panel down", frozenset({ENDED})
    ),
    Action("row_up", ("up", "k"), "up", "scroll up", "Scroll the panel up"),
    Action("page_down", ("pagedown",), "pgdn", "page down", "Scroll the panel down by a page"),
    Action("page_up", ("pageup",), "pgup", "page up", "Scroll the panel up by a page"),
    Action(
        "palette",
        ("colon", "ctrl+p"),
        ":",
        "command",
        "Find any command by its name",
        frozenset(Mode),
    ),
    Action(
        "help",
        ("question_mark", "f1"),
        "?",
        "help",
        "Show the keys and what the letters mean",
        frozenset(Mode),
    ),
    Action(
        "interrupt", ("ctrl+c",), "ctrl+c", "pause", "Pause; once more in a call, end it and quit"
    ),
    Action("suspend", ("ctrl+z",), "ctrl+z", "suspend", "Go to the shell; fg comes back"),
    Action("quit", ("q", "ctrl+q"), "q", "quit", "Leave the dashboard", frozenset(Mode)),
)
"""In the order of the footer and the help."""


def footer_actions(mode: Mode) -> list[Action]:
    """What the footer shows in a mode: at most eight."""
    return [action for action in ACTIONS if mode in action.footer]
