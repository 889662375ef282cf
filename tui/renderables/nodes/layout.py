"""How the screen of a search is shared out: the map first, then tests and verdict."""

from __future__ import annotations

from typing import NamedTuple

from batchtui.tui.renderables.layout import DOCKED_FROM, Rect

PANELS = ("top", "ribbon", "changed", "map", "tests", "verdict", "dock", "footer")
"""The names of the places."""

BORDERED = ("changed", "map", "tests", "verdict", "dock")

_DOCK_WIDTH = 54
_FRAMED_FROM = 30  # rows from which CHANGED has a frame, and the legend a line of its own
_ABREAST_FROM = 72  # columns from which tests and verdict stand side by side
_LEAST_BELOW = 8
_VERDICT_ROWS = 13


class NodesWish(NamedTuple):
    """What a person wishes to see: an explanation, one panel with all the room, and the panel that
    is shown where tests and verdict have not both room."""

    why: bool = False
    zoomed: str = ""
    below: str = "tests"


def map_width(width: int) -> int:
    """How wide the map is on a screen."""
    return width - _DOCK_WIDTH if width >= DOCKED_FROM else width


def nodes_layout(
    width: int,
    height: int,
    map_rows: int,
    wish: NodesWish = NodesWish(),  # noqa: B008
) -> dict[str, Rect]:
    """Where each panel is; one that is missing has no room.

    Args:
        map_rows: how many rows the map has at this width.
    """
    top = int(height >= 5)
    ribbon = int(height >= 14)
    footer = 0 if height < 3 else 1 if height < 6 else 2 if height < _FRAMED_FROM else 3
    places = {
        "top": Rect(0, 0, width, top),
        "ribbon": Rect(0, top, width, ribbon),
        "footer": Rect(0, height - footer, width, footer),
    }
    body = Rect(0, top + ribbon, width, height - top - ribbon - footer)
    if wish.zoomed:
        return _shown({**places, wish.zoomed: body})
    changed = 6 if height >= _FRAMED_FROM else min(3, max(0, body.height - 14))
    places["changed"] = body._replace(height=changed)
    rest = body._replace(y=body.y + changed, height=body.height - changed)
    if width >= DOCKED_FROM:
        left = rest._replace(width=map_width(width))
        right = Rect(left.width, rest.y, _DOCK_WIDTH, rest.height)
        upper, lower = _stacked(left, map_rows + 2)
        verdict = min(_VERDICT_ROWS, right.height)
        places |= {"map": upper, "tests": lower, "verdict": right._replace(height=verdict)}
        below = right._replace(y=right.y + verdict, height=right.height - verdict)
        return _shown({**places, "dock": below})
    upper, lower = _stacked(rest, map_rows + 2)
    return _shown({**places, "map": upper, **_below(lower, wish)})


def _below(room: Rect, wish: NodesWish) -> dict[str, Rect]:
    if wish.why:
        return {"dock": room}
    if room.width < _ABREAST_FROM:
        return {wish.below: room}
    tests = room.width * 11 // 20
    verdict = room._replace(x=room.x + tests, width=room.width - tests)
    return {"tests": room._replace(width=tests), "verdict": verdict}


def _stacked(room: Rect, wanted: int) -> tuple[Rect, Rect]:
    """The map as high as it is, as long as what is below keeps a half or so."""
    least = min(room.height, max(_LEAST_BELOW, room.height // 3))
    upper = max(min(3, room.height), min(wanted, room.height - least))
    below = room._replace(y=room.y + upper, height=room.height - upper)
    return room._replace(height=upper), below


def _shown(places: dict[str, Rect]) -> dict[str, Rect]:
    return {name: rect for name, rect in places.items() if rect.is_shown}
