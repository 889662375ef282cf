"""The footer: the lower border, and at most eight keys, chosen by mode and never clipped."""

from __future__ import annotations

from batchtui.tui.actions import Action, footer_actions
from batchtui.tui.renderables.line import Line, fit, width_of
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.renderables.table import rule


def footer(scene: Scene, width: int, height: int = 2, joint: int | None = None) -> list[Line]:
    """The border below the panels, where there is room for it, and the keys."""
    glyphs = scene.glyphs
    joints = {} if joint is None else {joint: glyphs.from_bottom}
    border = rule(glyphs, width, (glyphs.bottom_left, glyphs.bottom_right), [], joints=joints)
    line: Line = [(f" {scene.hint}", "hint")] if scene.hint else []
    for action in [] if scene.hint else _fitting(scene, width):
        line += [(" ", ""), (action.shown, "key"), (f" {_label(action, scene)} ", "dim")]
    return [border, fit(line, width)][-height:]


def action_at(scene: Scene, width: int, column: int) -> str | None:
    """The name of the action that a click at ``column`` means."""
    left = 0
    for action in [] if scene.hint else _fitting(scene, width):
        left += _cells(action, scene)
        if column < left:
            return action.name
    return None


def _fitting(scene: Scene, width: int) -> list[Action]:
    """The first ones for which there is room: half a key would be a riddle."""
    fitting: list[Action] = []
    for action in footer_actions(scene.mode):
        width -= _cells(action, scene)
        if width < 0:
            break
        fitting.append(action)
    return fitting


def _cells(action: Action, scene: Scene) -> int:
    return width_of([(f" {action.shown} {_label(action, scene)} ", "")])


def _label(action: Action, scene: Scene) -> str:
    """What the key would do now."""
    return action.label_running if scene.mode is Mode.RUNNING else action.label
