"""SLOTS and STREAMS: one row for each slot, what it is at the left, what it says at the right.

Where there are more slots than rows, a map of all of them stands above, and the rows begin with
those to which the last step did something.
"""

from __future__ import annotations

from batchtui.engine.batching import shown
from batchtui.engine.batching.shown import ShownSlot
from batchtui.tui.renderables.layout import SLOT_LINES
from batchtui.tui.renderables.line import Line, fit, width_of
from batchtui.tui.renderables.marks import DROPPED, STATES, exceptions_first, mark_of
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.slot_map import num_map_lines, slot_map
from batchtui.tui.renderables.streams import idle_steps, stream
from batchtui.tui.renderables.table import Column, facts, framed, heads, row, rule, table_width
from batchtui.tui.renderables.text import plain

_MARK = Column("", 1)
_STATE = Column("st", 2)
_STATE_IN_WORDS = Column("state", 9)
_GENERATION = Column("gen", 4)
_TOKENS = Column("out/max", 9, right=True)
_BLOCKS = Column("kv", 4, right=True)
_AGE = Column("age", 5, right=True)

_LEAST_STREAM = 16


def slots_panel(scene: Scene, width: int, height: int, top: int, *, focused: bool) -> list[Line]:
    """The panel's lines: its title, the heads, and the slots from ``top`` on."""
    columns = _columns(scene, width)
    split = table_width(columns) + 2
    cells = slot_map(scene, width, height)
    all_seen = len(scene.view.slots) <= height - SLOT_LINES
    slots = scene.view.slots if all_seen else exceptions_first(scene)
    seen = range(top, min(len(slots), top + max(0, height - frame_lines(scene, width, height))))
    lines = _titles(scene, width, split, cells, _words(seen, len(slots)), focused=focused)
    lines.append(_joined(scene, heads(columns), _legend(width - split - 3), split, width))
    for slot in slots[seen.start : seen.stop]:
        cells = _cells(scene, slot, columns)
        said = stream(scene, slot, max(0, width - split - 4))
        lines.append(_joined(scene, row(columns, cells), said, split, width))
    return lines[:height]


def frame_lines(scene: Scene, width: int, height: int) -> int:
    """How many of the panel's lines do not scroll: titles, map and heads."""
    num_cells = num_map_lines(len(scene.view.slots), width, height)
    return SLOT_LINES + num_cells + bool(num_cells)


def divider(scene: Scene, width: int) -> int:
    """The column at which the border between slots and streams stands."""
    return table_width(_columns(scene, width)) + 2


def num_rows(scene: Scene) -> int:
    """How many rows there are to scroll through."""
    return len(scene.view.slots)


def _columns(scene: Scene, width: int) -> list[Column]:
    """The richest set of columns that leaves the streams room."""
    number = Column("#", max(2, len(str(len(scene.view.slots) - 1))), right=True)
    request = Column("req", _request_width(scene))
    least: list[Column] = [_MARK, number, _STATE]
    if width >= 110:
        wide = [_MARK, number, _STATE_IN_WORDS, _GENERATION, request, _TOKENS, _BLOCKS, _AGE]
        return wide
    sets = [
        [*least, _GENERATION, request, _TOKENS, _BLOCKS],
        [*least, request, _TOKENS],
        [*least, request],
    ]
    fitting = [columns for columns in sets if width - table_width(columns) - 5 >= _LEAST_STREAM]
    return fitting[0] if fitting else least


def _request_width(scene: Scene) -> int:
    longest = max((len(slot.request_id) for slot in scene.view.slots), default=0)
    return min(max(4, longest), 12)


def _titles(
    scene: Scene, width: int, split: int, cells: list[Line], seen: str, *, focused: bool
) -> list[Line]:
    """One border with both titles; or the slots' own, their map, and the streams' below it."""
    glyphs = scene.glyphs
    room = width - 2 if cells else split - 1
    slots = facts(_slots_facts(scene, room, focused=focused), glyphs.across, room)
    streams = facts(_streams_facts(scene, seen), glyphs.across, width - split - 2)
    right = rule(glyphs, width - split, ("", glyphs.from_right), streams)
    if not cells:
        left = rule(glyphs, split + 1, (glyphs.from_left, glyphs.from_top), slots)
        return [fit([*left, *right], width)]
    above = rule(glyphs, width, (glyphs.from_left, glyphs.from_right), slots)
    left = rule(glyphs, split + 1, (glyphs.from_left, glyphs.from_top), [])
    return [above, *cells, fit([*left, *right], width)]


def _slots_facts(scene: Scene, room: int, *, focused: bool) -> list[Line]:
    view = scene.view
    name: Line = [("1 ", "digit"), ("SLOTS", "focused" if focused else "title")]
    number: Line = [(f" {view.num_resident}/{len(view.slots)}", "")]
    pieces = [[*name, *number] if width_of([*name, *number]) < room else name]
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


def _joined(scene: Scene, left: Line, right: Line, split: int, width: int) -> Line:
    """A row of the table and what belongs to it, between the borders."""
    down = scene.glyphs.down
    line: Line = [
        *fit(left, split - 1),
        (down, "border"),
        (" ", ""),
        *fit(right, width - split - 3),
    ]
    return framed(scene.glyphs, line, width)


def _cells(scene: Scene, slot: ShownSlot, columns: list[Column]) -> list[Line]:
    """The cells of a slot, in the order of ``columns``."""
    letter, style = slot.state, STATES[slot.state]
    quiet = style if letter in (shown.FREE, shown.ENDED) else ""
    busy = slot.state != shown.FREE
    blocks = f"-{slot.blocks}" if slot.state == shown.ENDED else str(slot.blocks)
    name = plain(slot.request_id, ascii_only=scene.glyphs.ascii)
    texts: dict[str, Line] = {
        "": [mark_of(scene, slot)],
        "#": [(str(slot.index), quiet and "dim")],
        "st": [(letter, style)],
        "state": [(letter, style), (f" {STATES[letter]}", style)],
        "gen": [(f"g{slot.generation}" if slot.generation else "", "dim")],
        "req": [(name, "dim" if not busy else "name")],
        "out/max": [(f"{slot.num_tokens}/{slot.limit}" if busy else "", "")],
        "kv": [(blocks if busy else "", "dim" if slot.state == shown.ENDED else "")],
        "age": [(_age(scene, slot), "dim")],
    }
    return [texts[column.title] for column in columns]


def _age(scene: Scene, slot: ShownSlot) -> str:
    """Steps since the admission, or steps that it has been free for."""
    if slot.free_since is not None:
        return str(idle_steps(scene, slot)) if scene.started else ""
    return "" if slot.entered_at is None else str(scene.view.step - slot.entered_at)
