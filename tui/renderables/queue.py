"""QUEUE: who waits, in the policy's order, what each needs, and why it does not run now."""

from __future__ import annotations

from batchtui.engine.batching.shown import ShownBlockage, ShownWaiting
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.table import Column, Place, facts, framed, heads, row, rule
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import duration, ordinal

_MARK = Column("", 1)
_PRIORITY = Column("prio", 5, right=True)
_ARRIVED = Column("arrived", 9, right=True)
_WAITED = Column("waited", 7, right=True)
_PROMPT = Column("prompt", 7, right=True)
_LIMIT = Column("max", 6, right=True)
_BLOCKS = Column("kv", 4, right=True)


def queue_panel(
    scene: Scene, width: int, height: int, place: Place, *, focused: bool
) -> list[Line]:
    """The panel's lines: title, heads, and the waiting from ``place`` on."""
    glyphs, num_waiting, top = scene.glyphs, len(scene.view.waiting), place.top
    num_shown = max(0, height - 2)
    first = scene.view.first_waiting(top + num_shown)
    lines = [_title(scene, width, place, range(top, top + num_shown), focused=focused)]
    columns = _columns(scene, width, first)
    if num_waiting:
        lines.append(framed(glyphs, [*heads(columns), (" ", ""), ("why not now", "dim")], width))
    else:
        lines.append(framed(glyphs, [("  " + _empty(scene), "dim")], width))
    for number, waiting in enumerate(first[top:], top + 1):
        cells = _cells(scene, waiting, number, columns)
        why = _why(scene, waiting, first[0], number)
        lines.append(framed(glyphs, [*row(columns, cells), (" ", ""), *why], width))
    lines += [framed(glyphs, [], width)] * (height - len(lines))
    return lines[:height]


def num_rows(scene: Scene) -> int:
    """How many rows there are to scroll through."""
    return len(scene.view.waiting)


def blockage_words(blockage: ShownBlockage, free_now: int | None) -> str:
    """Why the head waits, in the fewest words; blocks may have come back since it was tried."""
    if blockage.rule == "slots":
        return "no free slot"
    now = f" ({free_now} now)" if free_now != blockage.available else ""
    return f"kv: {blockage.needed} > {blockage.available} free{now}"


def _title(scene: Scene, width: int, place: Place, seen: range, *, focused: bool) -> Line:
    glyphs, num_waiting = scene.glyphs, len(scene.view.waiting)
    name: Line = [("3 ", "digit"), ("QUEUE", "focused" if focused else "title")]
    pieces: list[Line] = [[*name, (f" {num_waiting:,}", "")], [(plain(scene.title.policy), "dim")]]
    title = facts(pieces, glyphs.across, width - 2)
    hidden: Line | None = None
    if num_waiting > len(seen):
        last = min(num_waiting, seen.stop)
        hidden = [(f" {seen.start + 1}-{last} of {num_waiting:,} ", "dim")]
    corners = (glyphs.from_left, glyphs.from_top if place.beside else glyphs.from_right)
    joints = {} if place.joint is None else {place.joint: glyphs.from_bottom}
    return rule(glyphs, width, corners, title, right=hidden, joints=joints)


def _columns(scene: Scene, width: int, first: list[ShownWaiting]) -> list[Column]:
    place = Column("#", max(2, len(str(len(scene.view.waiting)))), right=True)
    longest = max((len(waiting.request_id) for waiting in first), default=0)
    request = Column("req", min(max(4, longest), 12))
    if width < 40:
        return [_MARK, place, request]
    if width < 100:
        return [_MARK, place, request, _WAITED, _BLOCKS]
    tenant = Column("tenant", min(max(6, *(len(waiting.tenant) for waiting in first), 0), 10))
    return [_MARK, place, request, tenant, _PRIORITY, _ARRIVED, _WAITED, _PROMPT, _LIMIT, _BLOCKS]


def _cells(scene: Scene, waiting: ShownWaiting, place: int, columns: list[Column]) -> list[Line]:
    ascii_only = scene.glyphs.ascii
    is_new = scene.marks and waiting.queued_at == scene.view.step
    tenant = plain(waiting.tenant, ascii_only=ascii_only)
    texts: dict[str, Line] = {
        "": [("+", "entered") if is_new else (" ", "")],
        "#": [(str(place), "")],
        "req": [(plain(waiting.request_id, ascii_only=ascii_only), "name")],
        "tenant": [(tenant or "-", "" if tenant else "dim")],
        "prio": [(str(waiting.priority), "" if waiting.priority else "dim")],
        "arrived": [(f"{waiting.arrival_us / 1e6:.3f}", "")],
        "waited": [(duration(max(0, scene.view.now - waiting.arrival_us)), "")],
        "prompt": [(f"{waiting.num_prompt_tokens:,}", "")],
        "max": [(f"{waiting.limit:,}", "")],
        "kv": [(str(waiting.blocks), "")],
    }
    return [texts[column.title] for column in columns]


def _why(scene: Scene, waiting: ShownWaiting, head: ShownWaiting, place: int) -> Line:
    """The head has its rule; the others wait behind it, whether they would fit or not."""
    view, blockage = scene.view, scene.view.blockage
    if place == 1:
        if blockage is None or blockage.request_id != waiting.request_id:
            return [("next to be admitted", "dim")]
        steps = max(1, view.step - blockage.since + 1)
        since = "" if steps == 1 else f"  {ordinal(steps)} step"
        return [(blockage_words(blockage, view.kv_free), "warning"), (since, "dim")]
    behind: Line = [(f"behind {plain(head.request_id, ascii_only=scene.glyphs.ascii)}", "dim")]
    if view.num_resident == len(view.slots):
        return behind
    free = view.kv_free
    fits = free is None or waiting.blocks <= free
    return [*behind, ("  would fit" if fits else f"  kv: {waiting.blocks} > {free} free", "")]


def _empty(scene: Scene) -> str:
    if not scene.started:
        return "requests that have arrived wait here for a slot"
    return "nobody waits"
