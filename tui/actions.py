"""Every action of the dashboard, once: bindings, footer, palette and help come from this table."""

from __future__ import annotations

from dataclasses import dataclass

from batchtui.tui.renderables.scene import Mode

PAUSED, RUNNING, ENDED, PAST = Mode.PAUSED, Mode.RUNNING, Mode.ENDED, Mode.PAST

STILL = frozenset({PAUSED, ENDED, PAST})
FORWARD = frozenset({PAUSED, RUNNING, PAST})


@dataclass(frozen=True)
class Action:
    """What can be done.

    ``name`` is the method ``action_<name>`` of the screen and the id of the binding. ``keys`` are
    Textual's names, ``shown`` what the footer calls the first of them. ``footer`` names the modes
    in whose footer it stands, ``modes`` those in which it does something. ``labels`` are what it is
    called in some modes instead.
    """

    name: str
    keys: tuple[str, ...]
    shown: str
    label: str
    description: str
    footer: frozenset[Mode] = frozenset()
    modes: frozenset[Mode] = frozenset(Mode)
    labels: tuple[tuple[Mode, str], ...] = ()

    def label_in(self, mode: Mode) -> str:
        """What the footer calls it in a mode."""
        return dict(self.labels).get(mode, self.label)


ACTIONS = (
    # Move.
    Action(
        "step",
        ("n", "f10"),
        "n",
        "step",
        "Make one step: admit, call, apply, deliver; in the past, look at the next one",
        frozenset({PAUSED, PAST}),
        FORWARD,
        ((PAST, "forward"),),
    ),
    Action(
        "step_back",
        ("N", "shift+f10"),
        "N",
        "back",
        "Look at the end of the step before",
        STILL,
    ),
    Action(
        "phase",
        ("s", "f11"),
        "s",
        "phase",
        "Make one phase of a step; in the past, look at the next one",
        frozenset({PAUSED}),
        FORWARD,
    ),
    Action("phase_back", ("S", "shift+f11"), "S", "phase back", "Look at the phase before"),
    Action(
        "toggle_run",
        ("space",),
        "space",
        "run",
        "Run at a speed, or pause; from the past, replay and then go on",
        frozenset({PAUSED, RUNNING}),
        FORWARD,
        ((RUNNING, "pause"),),
    ),
    Action(
        "go_on",
        ("c", "f5"),
        "c",
        "continue",
        "Go on as fast as can be to the next breakpoint, or to the end",
        modes=FORWARD,
    ),
    Action(
        "go_back",
        ("C", "shift+f5"),
        "C",
        "to break",
        "Go back to the last breakpoint before this moment",
        frozenset({PAST, ENDED}),
    ),
    Action(
        "until",
        ("t",),
        "t",
        "till change",
        "Run until something happens to the picked slot or request",
        frozenset({PAUSED, PAST}),
        FORWARD,
    ),
    Action("scrub_back", ("left_square_bracket",), "[", "scrub back", "Look ten steps back"),
    Action("scrub_on", ("right_square_bracket",), "]", "scrub on", "Look ten steps on, to NOW"),
    Action(
        "go_to",
        ("g",),
        "g",
        "go to",
        "Go to a step (41), by steps (+10, -10), or where a request began (r12)",
    ),
    Action("to_now", ("G",), "G", "NOW", "Look at NOW again", frozenset({PAST})),
    Action(
        "fork",
        ("f",),
        "f",
        "fork",
        "Begin another run that is the same up to this moment",
        frozenset({PAST}),
    ),
    Action(
        "faster",
        ("plus", "equals_sign"),
        "+",
        "faster",
        "Run faster: 1, 2, 5, 10, 30 steps a second, then max",
        frozenset({RUNNING}),
    ),
    Action("slower", ("minus", "underscore"), "-", "slower", "Run slower", frozenset({RUNNING})),
    Action("unit", ("u",), "u", "next unit", "Let the step keys move the next unit"),
    # Ask.
    Action(
        "why",
        ("w",),
        "w",
        "why",
        "Say why the picked request waits, runs or has ended; once more, no longer",
        STILL,
    ),
    Action("lints", ("exclamation_mark",), "!", "lint", "List what looks wrong; enter goes there"),
    Action(
        "break_here",
        ("b", "f9"),
        "b",
        "break",
        "Set a breakpoint, on what is picked unless you say",
    ),
    Action(
        "breakpoints", ("B",), "B", "breakpoints", "List breakpoints: add, edit, disable, delete"
    ),
    # Do.
    Action("add", ("a",), "a", "add request", "Add a request that you type"),
    Action("abort", ("x",), "x", "abort", "Abort the picked request"),
    Action("inject", ("i",), "i", "inject fault", "Let the next model call fail (SIM only)"),
    Action("options", ("o",), "o", "options", "Change slots or policy, here or in a fork"),
    # Look.
    Action("focus_slots", ("1", "2"), "1", "slots", "Go to the slots and their streams"),
    Action(
        "focus_queue",
        ("3",),
        "3",
        "queue",
        "Go to the queue; once more, to those who have ended",
        frozenset({ENDED}),
    ),
    Action("focus_nodes", ("4",), "4", "nodes", "Go to the nodes"),
    Action("focus_evals", ("5",), "5", "evals", "Go to the eval metrics"),
    Action("next_panel", ("tab",), "tab", "next panel", "Go to the next panel"),
    Action("last_panel", ("shift+tab",), "shift+tab", "panel before", "Go to the panel before"),
    Action("row_down", ("down", "j"), "down", "down", "Pick the row below"),
    Action("row_up", ("up", "k"), "up", "up", "Pick the row above"),
    Action("panel_left", ("left", "h"), "left", "left", "Go to the panel before"),
    Action("panel_right", ("right", "l"), "right", "right", "Go to the next panel"),
    Action("page_down", ("pagedown",), "pgdn", "page down", "Move down by a page"),
    Action("page_up", ("pageup",), "pgup", "page up", "Move up by a page"),
    Action("first_row", ("home",), "home", "first", "Pick the first row"),
    Action("last_row", ("end",), "end", "last", "Pick the last row"),
    Action("detail", ("enter",), "enter", "detail", "Show all of the picked request"),
    Action("leave", ("escape",), "esc", "back", "Close what lies over; clear filter, zoom or why"),
    Action("zoom", ("z",), "z", "zoom", "Give the panel the whole screen, or back"),
    Action(
        "filter", ("slash",), "/", "filter", "Show only rows that hold a text; !text: that do not"
    ),
    Action("sort_left", ("less_than_sign",), "<", "sort left", "Sort by the column to the left"),
    Action(
        "sort_right", ("greater_than_sign",), ">", "sort right", "Sort by the column to the right"
    ),
    Action("reverse", ("r",), "r", "reverse", "Sort the other way round"),
    Action("copy", ("y",), "y", "copy", "Copy the picked row"),
    Action(
        "export", ("E",), "E", "save", "Save the session, the rows or a picture", frozenset({ENDED})
    ),
    # Leave.
    Action(
        "palette",
        ("colon", "ctrl+p"),
        ":",
        "command",
        "Find any command by its name",
        frozenset({RUNNING, ENDED}),
    ),
    Action(
        "help",
        ("question_mark", "f1"),
        "?",
        "help",
        "Show the keys and what the letters of this panel mean",
        frozenset(Mode),
    ),
    Action(
        "interrupt", ("ctrl+c",), "ctrl+c", "pause", "Pause; once more in a call, end it and quit"
    ),
    Action("suspend", ("ctrl+z",), "ctrl+z", "suspend", "Go to the shell; fg comes back"),
    Action(
        "quit",
        ("q", "ctrl+q"),
        "q",
        "quit",
        "Leave the dashboard",
        frozenset({PAUSED, RUNNING, ENDED}),
    ),
)
"""In the order of the footer and the help."""


def footer_actions(mode: Mode) -> list[Action]:
    """What the footer shows in a mode: at most eight."""
    return [action for action in ACTIONS if mode in action.footer]
