"""The footer: the lower border, what looks wrong, and at most eight keys, chosen by mode and never
clipped."""

from __future__ import annotations

from collections.abc import Iterable

from batchtui.tui.actions import Action, footer_actions
from batchtui.tui.renderables.frame import bottom
from batchtui.tui.renderables.line import Line, fit, width_of
from batchtui.tui.renderables.scene import Moment

WITH_LINTS = 3
"""Rows from which on one of them says what looks wrong."""


def footer(
    scene: Moment,
    width: int,
    height: int = 2,
    up: Iterable[int] = (),
    found: Line = [],  # noqa: B006 - nobody changes it
) -> list[Line]:
    """The border below the panels, what was found, and the keys, as far as there is room.

    Args:
        up: the columns at which a border comes down from above.
    """
    keys = fit(_keys(scene, width), width)
    rows = [bottom(scene, width, up), fit(found, width), keys]
    return rows if height >= WITH_LINTS else [rows[0], keys][-height:]


def _keys(scene: Moment, width: int) -> Line:
    line: Line = [(f" {scene.hint}", "hint")] if scene.hint else []
    for action in [] if scene.hint else _fitting(scene, width):
        line += [(" ", ""), (_key(action, scene), "key"), (f" {_label(action, scene)} ", "dim")]
    return line


def action_at(scene: Moment, width: int, column: int) -> str | None:
    """The name of the action that a click at ``column`` means."""
    left = 0
    for action in [] if scene.hint else _fitting(scene, width):
        left += _cells(action, scene)
        if column < left:
            return action.name
    return None


def _fitting(scene: Moment, width: int) -> list[Action]:
    """The first ones for which there is room: half a key would be a riddle."""
    fitting: list[Action] = []
    for action in footer_actions(scene.mode):
        width -= _cells(action, scene)
        if width < 0:
            break
        fitting.append(action)
    return fitting


def _cells(action: Action, scene: Moment) -> int:
    return width_of([(f" {_key(action, scene)} {_label(action, scene)} ", "")])


def _key(action: Action, scene: Moment) -> str:
    return scene.shown_keys.get(action.name, action.shown)


def _label(action: Action, scene: Moment) -> str:
    """What the key would do now."""
    return scene.labels.get(action.name) or action.label_in(scene.mode)
