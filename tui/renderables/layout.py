"""How the screen is shared out: slots first, the other panels as there is room.

It depends on the size, the number of slots and what a person wishes to see, never on what happens
in a run: panels do not jump about while somebody reads them.
"""

from __future__ import annotations

from typing import NamedTuple

SLOT_LINES = 2
"""Lines of the slots panel that are no slots: its title and its heads."""

DOCKED_FROM = 140
"""From this width on the explanations have a place of their own, at the right."""

RIBBON_OF_TWO_FROM = 160
"""From this width on the ribbon has the queue's length under its marks."""

_DOCK_WIDTH = 49
_FRAMED_FROM = 30  # rows from which CHANGED has a frame, and lints a line of their own
_STACKED_FROM = 16  # rows from which the queue stands above nodes and evals
_ABREAST_FROM = 72  # columns from which they can stand side by side


class Rect(NamedTuple):
    """Where a panel is, in cells; one without rows or columns is not shown."""

    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0

    @property
    def is_shown(self) -> bool:
        """Whether there is anything of it."""
        return self.width > 0 and self.height > 0


NOWHERE = Rect()


class Layout(NamedTuple):
    """Where each panel is; together they cover the screen, and none covers another.

    ``framed`` says that CHANGED has a frame; else it is bare lines, and the phases stand in the
    ribbon. Queue and ended have the same place, one at a time. ``dock`` is where explanations are.
    """

    top: Rect = NOWHERE
    ribbon: Rect = NOWHERE
    changed: Rect = NOWHERE
    slots: Rect = NOWHERE
    queue: Rect = NOWHERE
    nodes: Rect = NOWHERE
    evals: Rect = NOWHERE
    dock: Rect = NOWHERE
    footer: Rect = NOWHERE
    framed: bool = False


PANELS = ("top", "ribbon", "changed", "slots", "queue", "nodes", "evals", "dock", "footer")
"""The names of the places."""


class Wish(NamedTuple):
    """What a person wishes to see.

    Attributes:
        below: which of ``queue``, ``nodes`` and ``evals`` is shown where only one has room.
        why: whether an explanation is laid over the panels below, where none is docked.
        zoomed: the panel that gets all the room; "" for none.
    """

    below: str = "queue"
    why: bool = False
    zoomed: str = ""


def layout(width: int, height: int, num_slots: int, wish: Wish = Wish()) -> Layout:  # noqa: B008
    """Share out the screen. The footer has the border below the panels, lints if any, and keys."""
    top = int(height >= 5)
    ribbon = _first((height < 16, 0), (width >= RIBBON_OF_TWO_FROM and height >= 36, 2), (True, 1))
    footer = _first((height < 3, 0), (height < 6, 1), (height < _FRAMED_FROM, 2), (True, 3))
    body = Rect(0, top + ribbon, width, height - top - ribbon - footer)
    places = {
        "top": Rect(0, 0, width, top),
        "ribbon": Rect(0, top, width, ribbon),
        "footer": Rect(0, height - footer, width, footer),
    }
    framed = height >= _FRAMED_FROM
    if wish.zoomed in PANELS:
        return Layout(**places, **{wish.zoomed: body}, framed=True)
    return Layout(**places, **_body(body, framed, num_slots, wish), framed=framed)


def _body(body: Rect, framed: bool, num_slots: int, wish: Wish) -> dict[str, Rect]:
    """CHANGED, slots, and what is below and beside them."""
    bare = _first((body.height < 8, 0), (body.height < 13, 1), (body.height < 17, 2), (True, 3))
    changed = _first((not framed, bare), (body.height < 34, 5), (True, 6))
    rest = body.height - changed
    least = _first((rest < 6, 0), (rest < 11, 3), (rest < 19, 6), (rest < 30, 8), (True, 18))
    slots = max(0, min(num_slots + SLOT_LINES, rest - least))
    slots = slots if rest - slots >= 2 else rest
    under = Rect(0, body.y + changed + slots, body.width, rest - slots)
    places = {
        "changed": Rect(0, body.y, body.width, changed),
        "slots": Rect(0, body.y + changed, body.width, slots),
    }
    places |= _below(under, wish) if under.height else {}
    return _docked(places) if body.width >= DOCKED_FROM else places


def _below(room: Rect, wish: Wish) -> dict[str, Rect]:
    """Queue, nodes and evals: in two rows, in one, or one of the three."""
    over = wish.why and room.width < DOCKED_FROM
    if room.width < _ABREAST_FROM:
        return {"dock" if over else wish.below: room}
    if room.height < _STACKED_FROM:
        return {"dock": room} if over else _abreast(room)
    lower = max(8, min(13, room.height - 8)) if over else max(8, min(10, room.height // 2))
    queue, others = room._replace(height=room.height - lower), _lower(room, lower)
    if over:
        return {"queue": queue, "dock": others}
    nodes = room.width - _DOCK_WIDTH if room.width >= DOCKED_FROM else room.width * 3 // 5
    return {"queue": queue, **_split(others, nodes)}


def _abreast(room: Rect) -> dict[str, Rect]:
    more = max(0, room.width - 80)
    nodes, evals = min(26, room.width // 3) + more * 3 // 10, 19 + more // 5
    queue = room.width - nodes - evals
    rest = room._replace(x=queue, width=nodes + evals)
    return {"queue": room._replace(width=queue), **_split(rest, nodes)}


def _split(room: Rect, nodes: int) -> dict[str, Rect]:
    evals = room._replace(x=room.x + nodes, width=room.width - nodes)
    return {"nodes": room._replace(width=nodes), "evals": evals}


def _lower(room: Rect, height: int) -> Rect:
    return room._replace(y=room.y + room.height - height, height=height)


def _docked(places: dict[str, Rect]) -> dict[str, Rect]:
    """Take the dock from the slots, and from the queue if that has all the width."""
    slots, queue = places["slots"], places.get("queue", NOWHERE)
    left, height = slots.width - _DOCK_WIDTH, slots.height
    narrow = {"slots": slots._replace(width=left)}
    if queue.width == slots.width:
        narrow["queue"] = queue._replace(width=left)
        height += queue.height
    return {**places, **narrow, "dock": Rect(left, slots.y, _DOCK_WIDTH, height)}


def _first(*choices: tuple[bool, int]) -> int:
    return next(rows for applies, rows in choices if applies)
