"""SLOTS and STREAMS: one row for each slot, what it is at the left, what it says at the right.

Where there are more slots than rows, a map of all of them stands above, and the rows begin with
those to which the last step did something.
"""

from __future__ import annotations

from batchtui.engine.batching import shown
from batchtui.engine.batching.shown import ShownSlot
from batchtui.tui.renderables.frame import Frame, Ruled, outline_of, outline_style
from batchtui.tui.renderables.layout import SLOT_LINES
from batchtui.tui.renderables.line import Line, fit, width_of
from batchtui.tui.renderables.marks import (
    DROPPED,
    STATES,
    exceptions_first,
    mark_of,
    number,
    pointer,
)
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.slot_map import num_map_lines, slot_map
from batchtui.tui.renderables.streams import idle_steps, stream
from batchtui.tui.renderables.table import Column, facts, heads, row, table_width
from batchtui.tui.renderables.text import plain

_STATE = Column("st", 2)
_STATE_IN_WORDS = Column("state", 9)
_GENERATION = Column("gen", 3)
_TOKENS = Column("out/max", 8, right=True)
_TOKENS_WIDE = Column("out/max", 9, right=True)
_BLOCKS = Column("kv", 4, right=True)
_AGE = Column("age", 4, right=True)

_GUTTER = 2
"""The mark of the last step, and the pointer to the picked row."""

_LEAST_STREAM = 16
_WIDE = 104
_REQUEST_WIDTHS = (4, 6, 8, 12)


def slots_panel(scene: Scene, frame: Frame, top: int, *, focused: bool) -> list[Line]:
    """The panel's lines: its title, the heads, and the slots from ``top`` on."""
    width, height = frame.width, frame.height
    columns = _columns(scene, width)
    split = divider(scene, width)
    cells = slot_map(scene, width, height)
    slots = rows(scene, height)
    seen = range(top, min(len(slots), top + max(0, height - frame_lines(scene, width, height))))
    body: list[Line | Ruled] = [*cells]
    across = scene.glyphs.across if cells else frame.across(scene)
    streams = facts(_streams_facts(scene, _words(seen, len(slots))), across, frame.inner - split)
    if cells:
        body.append(Ruled(_titles(scene, split, [], streams, on_top=False)))
    legend = _legend(width - split - 3)
    body.append(_joined(scene, [("  ", ""), *heads(columns)], legend, split, frame))
    for slot in slots[seen.start : seen.stop]:
        said = stream(scene, slot, max(0, width - split - 4))
        body.append(_joined(scene, _cells(scene, slot, columns), said, split, frame))
    room = frame.inner if cells else split - 1
    title = facts(_slots_facts(scene, room, focused=focused), frame.across(scene), room)
    if not cells:
        title = _titles(scene, split, title, streams, on_top=frame.is_top)
    return frame.panel(scene, title, body)


def rows(scene: Scene, height: int) -> list[ShownSlot]:
    """The slots in the order of their rows."""
    slots = scene.view.slots
    return slots if len(slots) <= height - SLOT_LINES else exceptions_first(scene)


def frame_lines(scene: Scene, width: int, height: int) -> int:
    """How many of the panel's lines do not scroll: titles, map and heads."""
    num_cells = num_map_lines(len(scene.view.slots), width, height)
    return SLOT_LINES + num_cells + bool(num_cells)


def divider(scene: Scene, width: int) -> int:
    """The column at which the border between slots and streams stands."""
    return table_width(_columns(scene, width)) + _GUTTER + 2


def num_rows(scene: Scene) -> int:
    """How many rows there are to scroll through."""
    return len(scene.view.slots)


def _columns(scene: Scene, width: int) -> list[Column]:
    """The richest set of columns that leaves the streams room."""
    index = Column("#", max(2, len(str(len(scene.view.slots) - 1))), right=True)
    request = Column("req", _request_width(scene))
    if width >= _WIDE:
        return [index, _STATE_IN_WORDS, _GENERATION, request, _TOKENS_WIDE, _BLOCKS, _AGE]
    sets = [
        [index, _STATE, _GENERATION, request, _TOKENS, _BLOCKS],
        [index, _STATE, request, _TOKENS],
        [index, _STATE, request],
    ]
    taken = _GUTTER + 5 + _LEAST_STREAM
    fitting = [columns for columns in sets if width - table_width(columns) >= taken]
    return fitting[0] if fitting else [index, _STATE]


def _request_width(scene: Scene) -> int:
    """Grows by leaps, so that the streams seldom move."""
    longest = max((len(slot.request_id) for slot in scene.view.slots), default=0)
    return next((width for width in _REQUEST_WIDTHS if longest <= width), _REQUEST_WIDTHS[-1])


def _titles(scene: Scene, split: int, slots: Line, streams: Line, *, on_top: bool) -> Line:
    """Both titles in one rule, and the joint between them."""
    outline, glyphs = outline_of(scene), scene.glyphs
    across = outline.across if on_top else glyphs.across
    joint = outline.from_top if on_top else glyphs.from_top
    gap = across * max(0, split - 1 - width_of(slots))
    return [*slots, (gap + joint, outline_style(scene) if on_top else "border"), *streams]


def _slots_facts(scene: Scene, room: int, *, focused: bool) -> list[Line]:
    view = scene.view
    name: Line = [("1 ", "digit"), ("SLOTS", "focused" if focused else "title")]
    taken: Line = [(f" {view.num_resident}/{len(view.slots)}", "")]
    pieces = [[*name, *taken] if width_of([*name, *taken]) < room else name]
    if view.kv_total is not None:
        pieces.append([(f"kv {view.kv_used}/{view.kv_total}", "")])
    return pieces


def _streams_facts(scene: Scene, seen: str) -> list[Line]:
    pieces: list[Line] = [[("2 ", "digit"), ("STREAMS", "title")]]
    pieces += [[(seen, "dim")]] if seen else []
    return [*pieces, [(f"new after {scene.glyphs.fresh}", "dim")], [("[held back]", "dim")]]


def _words(seen: range, total: int) -> str:
    """How many rows are seen, where that is not all of them."""
    return f"{seen.start + 1}-{seen.stop} of {total}" if 0 < len(seen) < total else ""


def _legend(width: int) -> Line:
    """What the letters mean, as far as there is room for whole words."""
    legend: Line = []
    for letter, word in (*STATES.items(), DROPPED):
        entry: Line = [(letter, word), (f" {word} ", "dim")]
        if width_of(legend) + width_of(entry) > width + 1:
            break
        legend += entry
    return legend


def _joined(scene: Scene, left: Line, right: Line, split: int, frame: Frame) -> Line:
    """A row of the table and what belongs to it, with the border between them."""
    middle: Line = [(scene.glyphs.down, "border"), (" ", "")]
    return [*fit(left, split - 1), *middle, *fit(right, max(0, frame.inner - split - 1))]


def _cells(scene: Scene, slot: ShownSlot, columns: list[Column]) -> Line:
    """The row of a slot: its marks, and the cells of ``columns``."""
    picked = slot.index == scene.choice.slot
    letter, style = slot.state, STATES[slot.state]
    busy = slot.state != shown.FREE
    blocks = f"-{slot.blocks}" if slot.state == shown.ENDED else str(slot.blocks)
    name = plain(slot.request_id, ascii_only=scene.glyphs.ascii)
    texts: dict[str, Line] = {
        "#": number(str(slot.index), columns[0].width, picked=picked),
        "st": [(letter, style), ("r" if slot.retiring else "", "warning")],
        "state": [(letter, style), (f" {STATES[letter]}", style)],
        "gen": [(f"g{slot.generation}" if slot.generation else "", "dim")],
        "req": [(name, "dim" if not busy else "name")],
        "out/max": [(f"{slot.num_tokens}/{slot.limit}" if busy else "", "")],
        "kv": [(blocks if busy else "", "dim" if slot.state == shown.ENDED else "")],
        "age": [(_age(scene, slot), "dim")],
    }
    marks = [mark_of(scene, slot), pointer(picked=picked)]
    return [*marks, *row(columns, [texts[column.title] for column in columns])]


def _age(scene: Scene, slot: ShownSlot) -> str:
    """Steps since the admission, or steps that it has been free for."""
    if slot.free_since is not None:
        return str(idle_steps(scene, slot)) if scene.started else ""
    return "" if slot.entered_at is None else str(scene.view.step - slot.entered_at)
