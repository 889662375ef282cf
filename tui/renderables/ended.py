"""ENDED: the requests that ended last, newest first: how, after how much, and what it took."""

from __future__ import annotations

from batchtui.engine.batching.shown import Ending
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.streams import ending_words
from batchtui.tui.renderables.table import Column, Place, facts, framed, heads, row, rule
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import duration

_MARK = Column("", 1)
_STEP = Column("step", 5, right=True)
_SLOT = Column("slot", 4, right=True)
_TOKENS = Column("tokens", 6, right=True)
_TOOK = Column("took", 7, right=True)


def ended_panel(
    scene: Scene, width: int, height: int, place: Place, *, focused: bool
) -> list[Line]:
    """The panel's lines: title, heads, and the ended from ``place`` on.

    Beside the queue it has no left side of its own: that is the queue's right one.
    """
    if place.beside:
        alone = place._replace(beside=False)
        lines = ended_panel(scene, width + 1, height, alone, focused=focused)
        return [line[1:] for line in lines]
    glyphs = scene.glyphs
    endings = scene.view.ended[::-1][place.top : place.top + max(0, height - 2)]
    longest = max((len(ending.request_id) for ending in endings), default=0)
    request = Column("req", min(max(4, longest), 12))
    columns = [_MARK, _STEP, request, _SLOT, _TOKENS, _TOOK]
    lines = [_title(scene, width, place.joint, focused=focused)]
    if endings:
        lines.append(framed(glyphs, [*heads(columns), (" how", "dim")], width))
    else:
        lines.append(framed(glyphs, [("  nobody has ended yet", "dim")], width))
    for ending in endings:
        cells = _cells(scene, ending)
        lines.append(framed(glyphs, [*row(columns, cells), (" ", ""), _how(scene, ending)], width))
    lines += [framed(glyphs, [], width)] * (height - len(lines))
    return lines[:height]


def num_rows(scene: Scene) -> int:
    """How many rows there are to scroll through."""
    return len(scene.view.ended)


def _title(scene: Scene, width: int, joint: int | None, *, focused: bool) -> Line:
    totals, glyphs = scene.view.totals, scene.glyphs
    name: Line = [("4 ", "digit"), ("ENDED", "focused" if focused else "title")]
    pieces: list[Line] = [[*name, (f" {totals.finished:,} of {totals.arrived:,}", "")]]
    if totals.refused:
        pieces.append([(f"{totals.refused:,} refused", "warning")])
    pieces.append([("newest first", "dim")])
    title = facts(pieces, glyphs.across, width - 2)
    joints = {} if joint is None else {joint: glyphs.from_bottom}
    return rule(glyphs, width, (glyphs.from_left, glyphs.from_right), title, joints=joints)


def _cells(scene: Scene, ending: Ending) -> list[Line]:
    is_new = scene.marks and ending.step == scene.view.step
    return [
        [("-", "left") if is_new else (" ", "")],
        [(str(ending.step), "dim")],
        [(plain(ending.request_id, ascii_only=scene.glyphs.ascii), "name")],
        [("-" if ending.slot is None else str(ending.slot), "dim")],
        [(f"{ending.output_tokens:,}", "")],
        [(duration(ending.at - ending.arrival_us), "")],
    ]


def _how(scene: Scene, ending: Ending) -> tuple[str, str]:
    style = "alarm" if ending.finish_reason == "error" else "ended-note"
    return ending_words(ending, ascii_only=scene.glyphs.ascii), style
