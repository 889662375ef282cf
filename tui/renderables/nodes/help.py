"""The help of a search: what its panels show, what its keys do, what its letters mean."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.tui.renderables.help import panel_and_keys
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.letters import NODES_MARKS, RUNNING_STYLE, STYLES, WORDS

_PANELS = {
    "map": (
        "A letter for each node, by rack. A test of several nodes passes only if all of them are "
        "good; so who passed is good, and who failed with good ones alone is bad. Arrows move, w "
        "says which tests prove a node, enter shows all of it, x excludes it, t runs until "
        "something happens to it, y copies the list of bad hosts."
    ),
    "tests": (
        "The tests that run, each with its letter on the map, then those that ended, the last one "
        "first: what they were of, how long they took, and what followed. enter shows all of one."
    ),
}

DESCRIPTIONS = {
    "step": "Make one step: plan tests, run them, deduce; in the past, look at the next one",
    "until": "Run until something happens to the picked node or test",
    "go_to": "Go to a step (41), by steps (+10), to a node's verdict, or to a test (T12)",
    "why": "Say which tests prove what the picked node is; once more, no longer",
    "lints": "List what cannot be told, and what contradicts itself",
    "abort": "Exclude the picked node: it is not touched any more",
    "inject": "Let the next test have a fault (SIM only)",
    "options": "Change the strategy, or how many tests run at once, here or in a fork",
    "focus_slots": "Go to the map",
    "focus_queue": "Go to the tests; once more, on a narrow screen, to the verdict",
    "panel_left": "Pick the node before",
    "panel_right": "Pick the next node",
    "row_down": "Pick the node below, or the next test",
    "row_up": "Pick the node above, or the test before",
    "first_row": "Pick the first node or test",
    "last_row": "Pick the last node or test",
    "detail": "Show all of the picked node or test",
    "leave": "Close what lies over; clear why, zoom or pick; go back to the dashboard",
    "copy": "Copy the list of bad hosts",
    "export": "Save the session, the nodes or tests as rows, or a picture",
}
"""What actions do here that do something else elsewhere."""


def nodes_help(keys: Sequence[tuple[str, str]], width: int, panel: str) -> list[Line]:
    """All of the help, that of a panel first; ``keys`` are pairs of the keys and what they do."""
    lines = panel_and_keys(panel, _PANELS[panel], keys, width)
    lines += [[], [("MAP", "title")]]
    for letter, word in WORDS.items():
        style = STYLES.get(letter, RUNNING_STYLE)
        words = "in the test of that letter" if letter == "a-z" else word
        lines.append([("  ", ""), (letter.ljust(3), style), (f" {words}", "")])
    lines += [[], [("RIBBON", "title"), (" a mark for each step", "dim")]]
    for mark, (style, _, words) in NODES_MARKS.items():
        lines.append([("  ", ""), (mark, style), (f" {words}", "")])
    return lines
