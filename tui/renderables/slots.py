"""SLOTS and STREAMS: one row for each slot, what it is at the left, what it says at the right."""

from __future__ import annotations

from batchtui.engine.batching import shown
from batchtui.engine.batching.shown import ShownSlot
from batchtui.tui.renderables.line import Line, fit, width_of
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.streams import idle_steps, stream
from batchtui.tui.renderables.table import Column, framed, heads, row, rule, table_width
from batchtui.tui.renderables.text import plain

STATES = {
    shown.FREE: "free",
    shown.PREFILL: "prefill",
    shown.DECODE: "decode",
    shown.HELD: "held",
    shown.ENDED: "ended",
}
"""The letter of a state and its word, which is also the name of its style."""

DROPPED = ("X", "dropped")
"""The mark of a slot to which a row came for somebody who is no longer there."""

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
    lines = [_title(scene, width, split, _rows_seen(scene, height, top), focused=focused)]
    lines.append(_joined(scene, heads(columns), _legend(width - split - 3), split, width))
    for slot in scene.view.slots[top : top + max(0, height - 2)]:
        cells = _cells(scene, slot, columns)
        said = stream(scene, slot, max(0, width - split - 4))
        lines.append(_joined(scene, row(columns, cells), said, split, width))
    return lines[:height]


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


def _title(scene: Scene, width: int, split: int, seen: str, *, focused: bool) -> Line:
    view, glyphs = scene.view, scene.glyphs
    title: Line = [("1 ", "digit"), ("SLOTS", "focused" if focused else "title")]
    title.append((f" {view.num_resident}/{len(view.slots)}", ""))
    if view.kv_total is not None:
        title += [(f" {glyphs.across} ", "border"), (f"kv {view.kv_used}/{view.kv_total}", "")]
    title.append((" ", ""))
    streams: Line = [("2 ", "digit"), ("STREAMS", "title"), (seen, "dim")]
    streams += [(f" {glyphs.across} ", "border"), (f"new after {glyphs.fresh}", "dim")]
    streams += [(f" {glyphs.across} ", "border"), ("[held back]", "dim"), (" ", "")]
    corners = (glyphs.from_left, glyphs.from_right)
    left = rule(glyphs, split + 1, (corners[0], glyphs.from_top), title)
    right = rule(glyphs, width - split, ("", corners[1]), streams)
    return fit([*left, *right], width)


def _rows_seen(scene: Scene, height: int, top: int) -> str:
    """Which slots are seen, where that is not all of them."""
    total, rows = num_rows(scene), max(0, height - 2)
    if total <= rows or not rows:
        return ""
    return f" {top}-{min(total, top + rows) - 1} of 0-{total - 1}"


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
        "": [_mark(scene, slot)],
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


def _mark(scene: Scene, slot: ShownSlot) -> tuple[str, str]:
    """The gutter, for exceptions; an ordinary token moves the stream alone."""
    step = scene.view.step
    if not scene.marks or not scene.started:
        return (" ", "")
    if slot.num_dropped:
        return DROPPED
    if slot.state == shown.ENDED:
        return ("-", "left")
    if slot.state == shown.FREE:
        return ("!", "warning") if scene.view.waiting else (" ", "")
    if slot.entered_at == step:
        return ("+", "entered")
    return (">", "moved") if slot.changed_at == step else (" ", "")
