"""The dock: why the picked node is what it is said to be."""

from __future__ import annotations

from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.table import facts
from batchtui.tui.renderables.why import num_why_lines, why_lines, why_title
from batchtui.tui.renderables.wrap import wrap

_PICK = "Pick a node (arrows, or a click) and w says here which tests prove what it is."


def nodes_dock(scene: NodesScene, frame: Frame, top: int = 0) -> list[Line]:
    """The panel's lines, the reasons from line ``top`` on."""
    if scene.why is None:
        title = facts(
            [[(" ", ""), ("WHY", "title")], [("w", "key"), (" asks", "dim")]],
            frame.across(scene),
            frame.inner,
        )
        words = wrap([(_PICK, "dim")], max(1, frame.inner - 2))
        return frame.panel(scene, title, [[(" ", ""), *line] for line in words])
    reasons = why_lines(scene.why, frame.inner - 2, frame.room, scene.glyphs, top=top)
    title = why_title(scene.why, frame.inner, scene.glyphs)
    return frame.panel(scene, title, [[(" ", ""), *line] for line in reasons])


def num_reasons(scene: NodesScene, frame: Frame) -> int:
    """How many lines of reasons there are to scroll through."""
    if scene.why is None:
        return 0
    return num_why_lines(scene.why, frame.inner - 2, frame.room, scene.glyphs)
