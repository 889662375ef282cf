"""NODES on the dashboard: the map; tests and verdict beside or below it."""

from __future__ import annotations

from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, clip, fit, width_of
from batchtui.tui.renderables.nodes.grid import Grid, grid_of
from batchtui.tui.renderables.nodes.letters import legend
from batchtui.tui.renderables.nodes.map import map_lines
from batchtui.tui.renderables.nodes.tests import ended_row, running_row
from batchtui.tui.renderables.nodes.verdict import bad_words, counts, tests_words, time_words
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.table import facts

_BESIDE_FROM = 90
"""From this width on tests and verdict stand beside the map."""

_MAP_SHARE = 46
_LABEL = 10
_RUNNING_ROWS, _ENDED_ROWS = 2, 2


def nodes_panel(
    scene: NodesScene, frame: Frame, top: int = 0, *, focused: bool, split: int | None = None
) -> list[Line]:
    """The panel's lines, the map from row ``top`` on."""
    view, name = scene.view, "focused" if focused else "title"
    real = ("REAL", "real") if scene.title.real else ("SIM", "dim")
    pieces: list[Line] = [
        [("4 ", "digit"), ("NODES", name), (f" {view.num_nodes:,}", "")],
        [(view.strategy, "")],
        [real, (f" {scene.title.backend}", "dim")],
    ]
    title = facts(pieces, frame.across(scene), frame.inner)
    body = _wide(scene, frame, top) if frame.inner >= _BESIDE_FROM else _narrow(scene, frame, top)
    return frame.panel(scene, title, body, up=() if split is None else (split,))


def grid_on(scene: NodesScene, frame: Frame) -> Grid:
    """Where the letters of the map stand."""
    width = _MAP_SHARE - 4 if frame.inner >= _BESIDE_FROM else max(1, frame.inner - 2)
    return grid_of(scene.racks, width, max(1, rows_on(frame)))


def rows_on(frame: Frame) -> int:
    """How many rows of the map are seen at once."""
    return frame.room - (1 if frame.inner >= _BESIDE_FROM else _below(frame))


def _below(frame: Frame) -> int:
    """Rows under the map: the verdict, and the tests."""
    return min(2, max(0, frame.room - 2))


def _narrow(scene: NodesScene, frame: Frame, top: int) -> list[Line]:
    below = _below(frame)
    rows: list[Line] = [[(" ", ""), *line] for line in map_lines(scene, grid_on(scene, frame))]
    room = frame.room - below
    body = rows[top : top + room]
    body += [[]] * (room - len(body))
    return body + [[(" ", ""), *line] for line in _summary(scene)[:below]]


def _summary(scene: NodesScene) -> list[Line]:
    view = scene.view
    bad: Line = [("BAD ", "dim"), *bad_words(scene)] if view.num_bad else bad_words(scene)
    tests = f"{view.totals.done:,}"
    if view.over:
        bound = "-" if view.bound_tests is None else f"{view.bound_tests:,}"
        tests += f" tests, bound {bound}"
    elif view.expected_tests is not None:
        tests += f"/~{view.expected_tests:,.0f}"
    counts = f"{view.num_good:,} good {view.num_open:,} open "
    if view.over and not view.num_open:
        counts = ""
    return [bad, [(counts + tests, "dim")]]


def _wide(scene: NodesScene, frame: Frame, top: int) -> list[Line]:
    rows = map_lines(scene, grid_on(scene, frame))[top:]
    beside = _beside(scene, frame.inner - _MAP_SHARE - 1)
    body: list[Line] = []
    for place in range(frame.room - 1):
        left = rows[place] if place < len(rows) else []
        right = beside[place] if place < len(beside) else []
        body.append([(" ", ""), *fit(clip(left, _MAP_SHARE - 2), _MAP_SHARE - 1), *right])
    return [*body, [(" ", ""), *_bottom(scene, frame.inner - 2)]]


def _beside(scene: NodesScene, width: int) -> list[Line]:
    view = scene.view
    lanes = f"{len(view.running):,} of {view.max_parallel:,} lanes"
    rows: list[tuple[str, Line]] = [("running", [(lanes, "")])]
    running = list(view.running.values())[:_RUNNING_ROWS]
    rows += [("", running_row(scene, test, width - _LABEL)) for test in running]
    lately = list(reversed(view.ended))[: _ENDED_ROWS + _RUNNING_ROWS - len(running)]
    rows += [
        ("last" if not place else "", ended_row(scene, test, width - _LABEL))
        for place, test in enumerate(lately)
    ]
    rows += [("verdict", counts(scene)), ("bad", bad_words(scene)), ("tests", tests_words(scene))]
    return [[(label.ljust(_LABEL), "dim"), *clip(words, width - _LABEL)] for label, words in rows]


def _bottom(scene: NodesScene, width: int) -> Line:
    time = time_words(scene)
    room = width - width_of(time) - 3
    if room <= 0:
        return legend(width)
    found = legend(room)
    gap = max(1, width - width_of(found) - width_of(time) - 1)
    return [*found, (" " * gap, ""), *time]
