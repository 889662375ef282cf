"""Panels that have nothing to show yet: they say what would fill them."""

from __future__ import annotations

from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.table import facts
from batchtui.tui.renderables.wrap import wrap

_NODES = "nothing here yet: node tests will be shown here"
_EVALS = "nothing here yet: eval metrics will be shown here"


def nodes_panel(
    scene: Scene, frame: Frame, *, focused: bool, split: int | None = None
) -> list[Line]:
    """NODES, of which there are none in a batching run."""
    return _panel(scene, frame, ("4 ", "NODES"), _NODES, split, focused=focused)


def evals_panel(
    scene: Scene, frame: Frame, *, focused: bool, split: int | None = None
) -> list[Line]:
    """EVALS, of which there are none in a batching run."""
    return _panel(scene, frame, ("5 ", "EVALS"), _EVALS, split, focused=focused)


def _panel(
    scene: Scene,
    frame: Frame,
    name: tuple[str, str],
    words: str,
    split: int | None,
    *,
    focused: bool,
) -> list[Line]:
    title = facts(
        [[(name[0], "digit"), (name[1], "focused" if focused else "title")], [("none", "dim")]],
        frame.across(scene),
        frame.inner,
    )
    body: list[Line] = [[(" ", ""), *line] for line in wrap([(words, "dim")], frame.inner - 2)]
    return frame.panel(scene, title, body, up=() if split is None else (split,))
