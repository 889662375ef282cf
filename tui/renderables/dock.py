"""The dock: why the picked request waits, runs or has ended, and below it what it asked for.

While nobody asks, the whole of it is about the picked request; where nobody is picked it says how
to pick one. Over the panels below, on a screen without a dock, it is the explanation alone.
"""

from __future__ import annotations

from batchtui.tui.renderables.detail import summary_lines
from batchtui.tui.renderables.frame import Frame, Ruled
from batchtui.tui.renderables.line import Line, clip
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.table import facts
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.why import num_why_lines, why_lines, why_title
from batchtui.tui.renderables.wrap import wrap

_LEAST_WHY = 10
"""Rows that the explanation has before some are given to the request itself."""

_LEAST_ABOUT = 5

_PICK = "Pick a slot or a request (up and down, or a click) and w says here why it waits or runs."


def dock_panel(scene: Scene, frame: Frame, top: int = 0, *, split: int | None = None) -> list[Line]:
    """The panel's lines, the reasons from line ``top`` on."""
    joints = () if split is None else (split,)
    if scene.why is None:
        title = facts(
            [[("WHY", "title")], [("w", "key"), (" asks", "dim")]], frame.across(scene), frame.inner
        )
        return frame.panel(scene, title, _unasked(scene, frame), up=joints)
    about = _about(scene, frame) if frame.room - _LEAST_WHY >= _LEAST_ABOUT else []
    room = frame.room - len(about)
    reasons = why_lines(scene.why, frame.inner - 2, room, scene.glyphs, top=top)
    body: list[Line | Ruled] = [[(" ", ""), *line] for line in reasons]
    body += [[] for _ in range(room - len(body))]
    title = why_title(scene.why, frame.inner, scene.glyphs)
    return frame.panel(scene, title, [*body, *about], up=joints)


def num_rows(scene: Scene, frame: Frame) -> int:
    """How many lines of reasons there are to scroll through."""
    if scene.why is None:
        return 0
    return num_why_lines(scene.why, frame.inner - 2, frame.room, scene.glyphs)


def _unasked(scene: Scene, frame: Frame) -> list[Line | Ruled]:
    if not scene.choice.request_id:
        return [[(" ", ""), *line] for line in wrap([(_PICK, "dim")], frame.inner - 2)]
    return _about(scene, frame)


def _about(scene: Scene, frame: Frame) -> list[Line | Ruled]:
    """The picked request under its own rule: one line each of what it asked for."""
    request_id = scene.choice.request_id
    if not request_id:
        return []
    name = plain(request_id, ascii_only=scene.glyphs.ascii)
    title = clip([(scene.glyphs.across * 2, "border"), (f" {name} ", "title")], frame.inner)
    lines = summary_lines(scene, frame.inner - 2)
    return [Ruled(title), *([(" ", ""), *line] for line in lines)]
