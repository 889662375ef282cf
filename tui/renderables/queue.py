"""QUEUE: who waits, in the policy's order or another, what each needs, and why it does not run."""

from __future__ import annotations

from batchtui.engine.batching.shown import ShownBlockage, ShownWaiting
from batchtui.tui.renderables.findings import found_lines
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.marks import number, pointer
from batchtui.tui.renderables.order import Sorted, arranged, order_words
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.table import Column, facts, heads, row
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import duration, ordinal
from batchtui.tui.renderables.wrap import wrap

_PRIORITY = Column("prio", 4, right=True)
_ARRIVED = Column("arrived", 8, right=True)
_WAITED = Column("waited", 7, right=True)
_PROMPT = Column("prompt", 6, right=True)
_LIMIT = Column("max", 5, right=True)
_BLOCKS = Column("kv", 4, right=True)
_PASSED = Column("passed by", 9, right=True)

_MEDIUM, _WIDE = 56, 90

SORTS: dict[str, Sorted[ShownWaiting]] = {
    "req": lambda waiting: waiting.request_id,
    "tenant": lambda waiting: waiting.tenant,
    "prio": lambda waiting: waiting.priority,
    "waited": lambda waiting: waiting.arrival_us,
    "prompt": lambda waiting: waiting.num_prompt_tokens,
    "max": lambda waiting: waiting.limit,
    "kv": lambda waiting: waiting.blocks,
}
"""What the queue can be sorted by; its own order is the policy's, by place."""


def queue_panel(
    scene: Scene,
    frame: Frame,
    top: int,
    *,
    focused: bool,
    split: int | None = None,
    is_finding: bool = False,
) -> list[Line]:
    """The panel's lines: title, heads where there is room, and the waiting from ``top`` on.

    Args:
        split: the column at which the border between slots and streams comes down.
        is_finding: whether its last rows say what looks wrong, since no line below does.
    """
    found = found_lines(scene, frame) if is_finding else []
    room = max(0, frame.room - has_heads(frame) - len(found))
    shown, total = _shown(scene, top, room)
    columns = _columns(scene, frame, [waiting for _, waiting in shown])
    body: list[Line] = []
    if has_heads(frame):
        body.append([("  ", ""), *heads(columns), (" ", ""), ("why not now", "dim")])
    head = scene.view.first_waiting(1)
    for place, waiting in shown:
        body.append(_row(scene, place, waiting, head[0], columns))
    if not shown:
        body = [[("  ", ""), *line] for line in wrap([(_empty(scene), "dim")], frame.inner - 2)]
    body += [[] for _ in range(frame.room - len(found) - len(body))]
    title = _title(scene, frame, total, focused=focused)
    joints = () if split is None else (split,)
    hidden = _hidden(range(top, top + len(shown)), total)
    return frame.panel(scene, title, body + found, right=hidden, up=joints)


def has_heads(frame: Frame) -> bool:
    """Whether the columns have heads; a small panel names them in its title."""
    return frame.width >= _MEDIUM and frame.height > 3


def rows(scene: Scene) -> list[str]:
    """The ids of those who are listed, in the order of their rows."""
    return [waiting.request_id for _, waiting in _shown(scene, 0, len(scene.view.waiting))[0]]


def num_rows(scene: Scene) -> int:
    """How many rows there are to scroll through."""
    if not scene.choice.filter:
        return len(scene.view.waiting)
    return _shown(scene, 0, 0)[1]


def blockage_words(blockage: ShownBlockage, free_now: int | None) -> str:
    """Why the head waits, in the fewest words; blocks may have come back since it was tried."""
    if blockage.rule == "slots":
        return "no free slot"
    now = f" ({free_now} now)" if free_now != blockage.available else ""
    return f"kv: {blockage.needed} > {blockage.available} free{now}"


def _shown(scene: Scene, top: int, count: int) -> tuple[list[tuple[int, ShownWaiting]], int]:
    """Some rows with their places in the queue, and how many there are in all."""
    choice, view = scene.choice, scene.view
    if not choice.filter and not choice.queue_sort.column and not choice.queue_sort.reverse:
        return list(enumerate(view.first_waiting(top + count)[top:], top + 1)), len(view.waiting)
    placed = list(enumerate(view.first_waiting(len(view.waiting)), 1))
    sort = choice.queue_sort
    # To have waited longer is to have arrived earlier.
    flipped = sort.column == "waited"
    found = arranged(placed, SORTS, sort, choice.filter, _words, flipped=flipped)
    return found[top : top + count], len(found)


def _words(waiting: ShownWaiting) -> str:
    return f"{waiting.request_id}\n{waiting.tenant}"


def _title(scene: Scene, frame: Frame, total: int, *, focused: bool) -> Line:
    choice, ascii_only = scene.choice, scene.glyphs.ascii
    name: Line = [("3 ", "digit"), ("QUEUE", "focused" if focused else "title")]
    name.append((f" {len(scene.view.waiting):,}", ""))
    if frame.width >= 44:
        name += [(" | ", "border"), (f"ended {scene.view.totals.finished:,}", "dim")]
    pieces = [name, *order_words(choice.filter, choice.queue_sort, total, ascii_only)]
    if has_heads(frame):
        policy = plain(scene.view.policy or scene.title.policy, ascii_only=ascii_only)
        pieces.append([(policy, "dim")])
        pieces += [] if choice.queue_sort.column else [[("sorted by place", "dim")]]
    else:
        pieces.append([("req wait kv why", "dim")])
    return facts(pieces, frame.across(scene), frame.inner)


def _hidden(seen: range, total: int) -> Line | None:
    """Which rows are seen, where that is not all of them."""
    if len(seen) >= total or not seen:
        return None
    return [(f" {seen.start + 1}-{seen.stop} of {total:,} ", "dim")]


def _columns(scene: Scene, frame: Frame, shown: list[ShownWaiting]) -> list[Column]:
    longest = max((len(waiting.request_id) for waiting in shown), default=0)
    request = Column("req", min(max(3, longest), 12))
    digits = len(str(len(scene.view.waiting)))
    if frame.width < 30:
        return [Column("#", digits, right=True), request]
    if frame.width < _MEDIUM:
        waits = (duration(max(0, scene.view.now - waiting.arrival_us)) for waiting in shown)
        wait = Column("wait", max((len(wait) for wait in waits), default=4), right=True)
        blocks = max((len(str(waiting.blocks)) for waiting in shown), default=2)
        return [Column("#", digits, right=True), request, wait, Column("kv", blocks, right=True)]
    place = Column("#", max(2, digits), right=True)
    request = Column("req", max(4, request.width))
    if frame.width < _WIDE:
        return [place, request, _WAITED, _PROMPT, _BLOCKS]
    tenant = Column("tenant", min(max(6, *(len(waiting.tenant) for waiting in shown), 0), 10))
    passed = [_PASSED] if scene.passed_by else []
    numbers = [_PRIORITY, _ARRIVED, _WAITED, _PROMPT, _LIMIT, _BLOCKS, *passed]
    return [place, request, tenant, *numbers]


def _row(
    scene: Scene, place: int, waiting: ShownWaiting, head: ShownWaiting, columns: list[Column]
) -> Line:
    picked = waiting.request_id == scene.choice.request_id
    is_new = scene.marks and waiting.queued_at == scene.view.step
    mark = ("+", "entered") if is_new else (" ", "")
    cells = _cells(scene, waiting, columns, number(str(place), columns[0].width, picked=picked))
    why = _why(scene, waiting, head, place, is_small=_is_small(columns))
    return [mark, pointer(picked=picked), *row(columns, cells), (" ", ""), *why]


def _is_small(columns: list[Column]) -> bool:
    return len(columns) <= 4


def _cells(scene: Scene, waiting: ShownWaiting, columns: list[Column], place: Line) -> list[Line]:
    ascii_only = scene.glyphs.ascii
    tenant = plain(waiting.tenant, ascii_only=ascii_only)
    waited: Line = [(duration(max(0, scene.view.now - waiting.arrival_us)), "")]
    passed = scene.passed_by.get(waiting.request_id)
    texts: dict[str, Line] = {
        "#": place,
        "req": [(plain(waiting.request_id, ascii_only=ascii_only), "name")],
        "tenant": [(tenant or "-", "" if tenant else "dim")],
        "prio": [(str(waiting.priority), "" if waiting.priority else "dim")],
        "arrived": [(f"{waiting.arrival_us / 1e6:.3f}", "")],
        "waited": waited,
        "wait": waited,
        "prompt": [(f"{waiting.num_prompt_tokens:,}", "")],
        "max": [(f"{waiting.limit:,}", "")],
        "kv": [(str(waiting.blocks), "")],
        "passed by": [("-" if passed is None else f"{passed:,}", "" if passed else "dim")],
    }
    return [texts[column.title] for column in columns]


def _why(
    scene: Scene, waiting: ShownWaiting, head: ShownWaiting, place: int, *, is_small: bool
) -> Line:
    """The head has its rule; the others wait behind it, whether they would fit or not."""
    view, blockage = scene.view, scene.view.blockage
    if place == 1:
        if blockage is None or blockage.request_id != waiting.request_id:
            return [("next to be admitted", "dim")]
        if is_small:
            return [(blockage_words(blockage, blockage.available), "warning")]
        steps = max(1, view.step - blockage.since + 1)
        since = "" if steps == 1 else f"  {ordinal(steps)} step"
        return [(blockage_words(blockage, view.kv_free), "warning"), (since, "dim")]
    behind: Line = [(f"behind {plain(head.request_id, ascii_only=scene.glyphs.ascii)}", "dim")]
    if view.num_resident == len(view.slots):
        return behind
    free = view.kv_free
    if free is None or waiting.blocks <= free:
        return [*behind, (", fits" if is_small else "  would fit", "")]
    needs = f", kv {waiting.blocks}" if is_small else f"  kv {waiting.blocks} > {free}"
    return [*behind, (needs, "")]


def _empty(scene: Scene) -> str:
    if scene.choice.filter and scene.view.waiting:
        return "nobody here matches the filter: esc clears it"
    if not scene.started:
        return "requests that have arrived wait here for a slot"
    return "nobody waits: 3 shows who has ended" if scene.view.ended else "nobody waits"
