"""The map of the slots: a letter a slot, where there are more of them than rows."""

from __future__ import annotations

from typing import NamedTuple

from batchtui.engine.batching.shown import ShownSlot
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.marks import DROPPED, STATES
from batchtui.tui.renderables.scene import Scene

_LEAST_HEIGHT = 9
"""Rows that the panel has before some of them are given to a map."""

_GROUP = 8


class _Shape(NamedTuple):
    """How the letters are laid out: how many a line, in groups or not, after a label so wide."""

    per_line: int
    gap: bool
    label: int


def num_map_lines(num_slots: int, width: int, height: int) -> int:
    """How many lines the map takes in a panel of this size; 0 where there is none."""
    shape = _shape(num_slots, width, height)
    return -(-num_slots // shape.per_line) if shape else 0


def slot_map(scene: Scene, width: int, height: int) -> list[Line]:
    """The map's lines; none where every slot has a row, or where half of the panel is too small."""
    slots = scene.view.slots
    shape = _shape(len(slots), width, height)
    if shape is None:
        return []
    starts = range(0, len(slots), shape.per_line)
    lines = (_cells(scene, slots[start : start + shape.per_line], shape) for start in starts)
    return [[(" ", ""), *line] for line in lines]


def _shape(num_slots: int, width: int, height: int) -> _Shape | None:
    if height < _LEAST_HEIGHT or num_slots <= height - 2:
        return None
    label = max(3, len(str(num_slots - 1)))
    room, rows = max(0, width - 5 - label), height - 3
    grouped = (room + 1) // (_GROUP + 1) * _GROUP
    if grouped * (rows // 3) >= num_slots:
        return _Shape(grouped, True, label)
    dense = room // _GROUP * _GROUP
    return _Shape(dense, False, label) if dense * (rows // 2) >= num_slots else None


def _cells(scene: Scene, slots: list[ShownSlot], shape: _Shape) -> Line:
    line: Line = [(str(slots[0].index).rjust(shape.label), "dim"), (" ", "")]
    for place, slot in enumerate(slots):
        if shape.gap and place and place % _GROUP == 0:
            line.append((" ", ""))
        dropped = slot.num_dropped and scene.marks
        picked = slot.index == scene.choice.slot
        style = "picked" if picked else STATES[slot.state]
        line.append(DROPPED if dropped else (slot.state, style))
    return line
