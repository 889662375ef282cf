"""ENDED: the requests that ended last, newest first: how, after how much, and what it took.

It stands in the queue's place: one key shows the one or the other.
"""

from __future__ import annotations

from batchtui.engine.batching.shown import Ending
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.marks import number, pointer
from batchtui.tui.renderables.order import Sorted, arranged, order_words
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.streams import ending_words
from batchtui.tui.renderables.table import Column, facts, heads, row
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import duration

_STEP = Column("step", 5, right=True)
_SLOT = Column("slot", 4, right=True)
_TOKENS = Column("tokens", 6, right=True)
_TOOK = Column("took", 7, right=True)

_WIDE = 56

SORTS: dict[str, Sorted[Ending]] = {
    "step": lambda ending: ending.step,
    "req": lambda ending: ending.request_id,
    "slot": lambda ending: -1 if ending.slot is None else ending.slot,
    "tokens": lambda ending: ending.output_tokens,
    "took": lambda ending: ending.at - ending.arrival_us,
    "how": lambda ending: ending.finish_reason,
}
"""What the ended can be sorted by; their own order is the newest first."""


def ended_panel(
    scene: Scene, frame: Frame, top: int, *, focused: bool, split: int | None = None
) -> list[Line]:
    """The panel's lines: title, heads where there is room, and the ended from ``top`` on."""
    endings = _endings(scene)
    shown = endings[top : top + max(0, frame.room - has_heads(frame))]
    columns = _columns(frame, shown)
    body: list[Line] = [[("  ", ""), *heads(columns), (" how", "dim")]] if has_heads(frame) else []
    body += [_row(scene, ending, columns) for ending in shown]
    if not shown:
        body = [[("  " + _empty(scene), "dim")]]
    title = _title(scene, frame, len(endings), focused=focused)
    joints = () if split is None else (split,)
    return frame.panel(scene, title, body, right=_hidden(top, shown, endings), up=joints)


def has_heads(frame: Frame) -> bool:
    """Whether the columns have heads."""
    return frame.width >= _WIDE and frame.height > 3


def rows(scene: Scene) -> list[str]:
    """The ids of those who are listed, in the order of their rows."""
    return [ending.request_id for ending in _endings(scene)]


def num_rows(scene: Scene) -> int:
    """How many rows there are to scroll through."""
    return len(_endings(scene)) if scene.choice.filter else len(scene.view.ended)


def _endings(scene: Scene) -> list[Ending]:
    choice, numbered = scene.choice, list(enumerate(scene.view.ended[::-1]))
    kept = arranged(numbered, SORTS, choice.ended_sort, choice.filter, _words)
    return [ending for _, ending in kept]


def _words(ending: Ending) -> str:
    return f"{ending.request_id}\n{ending_words(ending)}"


def _title(scene: Scene, frame: Frame, total: int, *, focused: bool) -> Line:
    totals, choice = scene.view.totals, scene.choice
    name: Line = [("3 ", "digit"), ("ENDED", "focused" if focused else "title")]
    name.append((f" {totals.finished:,} of {totals.arrived:,}", ""))
    if frame.width >= 44:
        name += [(" | ", "border"), (f"queue {len(scene.view.waiting):,}", "dim")]
    pieces: list[Line] = [name]
    pieces += order_words(choice.filter, choice.ended_sort, total, scene.glyphs.ascii)
    if totals.refused:
        pieces.append([(f"{totals.refused:,} refused", "warning")])
    if not choice.ended_sort.column:
        pieces.append([("newest first", "dim")])
    return facts(pieces, frame.across(scene), frame.inner)


def _hidden(top: int, shown: list[Ending], endings: list[Ending]) -> Line | None:
    if not shown or len(shown) >= len(endings):
        return None
    return [(f" {top + 1}-{top + len(shown)} of {len(endings):,} ", "dim")]


def _columns(frame: Frame, shown: list[Ending]) -> list[Column]:
    longest = max((len(ending.request_id) for ending in shown), default=0)
    request = Column("req", min(max(4, longest), 12))
    if frame.width < _WIDE:
        return [_STEP, request]
    return [_STEP, request, _SLOT, _TOKENS, _TOOK]


def _row(scene: Scene, ending: Ending, columns: list[Column]) -> Line:
    is_new = scene.marks and ending.step == scene.view.step
    picked = ending.request_id == scene.choice.request_id
    mark = ("-", "left") if is_new else (" ", "")
    texts: dict[str, Line] = {
        "step": number(str(ending.step), _STEP.width, picked=picked),
        "req": [(plain(ending.request_id, ascii_only=scene.glyphs.ascii), "name")],
        "slot": [("-" if ending.slot is None else str(ending.slot), "dim")],
        "tokens": [(f"{ending.output_tokens:,}", "")],
        "took": [(duration(ending.at - ending.arrival_us), "")],
    }
    cells = row(columns, [texts[column.title] for column in columns])
    return [mark, pointer(picked=picked), *cells, (" ", ""), _how(scene, ending)]


def _how(scene: Scene, ending: Ending) -> tuple[str, str]:
    style = "alarm" if ending.finish_reason == "error" else "ended-note"
    return ending_words(ending, ascii_only=scene.glyphs.ascii), style


def _empty(scene: Scene) -> str:
    if scene.choice.filter and scene.view.ended:
        return "nobody here matches the filter: esc clears it"
    return "nobody has ended yet"
