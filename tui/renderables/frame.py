"""The borders of a panel: which sides it has, and what other borders they meet.

Panels share their borders. Each draws the rule above it and its left side; the right side is drawn
by the neighbour, or by the panel itself at the edge of the screen. Where borders meet, the one who
draws the place has to know what comes from which side: that follows from the layout alone, but for
the border between slots and streams, whose column the panels below are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from batchtui.tui.renderables.glyphs import Glyphs, Outline
from batchtui.tui.renderables.layout import Layout, Rect
from batchtui.tui.renderables.line import Line, clip, fit, width_of
from batchtui.tui.renderables.scene import Moment
from batchtui.tui.renderables.slot_map import num_map_lines

BORDERED = ("changed", "slots", "queue", "nodes", "evals", "dock")
"""The panels with borders."""


class Ruled(NamedTuple):
    """A rule within a panel: its title, and the columns at which borders go on below it."""

    title: Line
    down: tuple[int, ...] = ()


@dataclass(frozen=True)
class Frame:
    """A panel's size and borders. Columns and rows count from its own corner.

    Attributes:
        is_top: whether nothing with a border is above.
        is_left, is_right: whether its side is the screen's edge.
        up: the columns at which a border comes down from above.
        from_left: whether the rule above it comes from the neighbour at its left.
        left_rules: the rows at which a rule of that neighbour ends at its left side.
        split: where its own column 0 is, seen from the slots' panel, if that is right above; then
            ``slots_width`` is how wide that is.
    """

    width: int
    height: int
    is_top: bool = False
    is_left: bool = True
    is_right: bool = True
    up: frozenset[int] = frozenset()
    from_left: bool = False
    left_rules: frozenset[int] = frozenset()
    split: int | None = None
    slots_width: int = 0

    @property
    def inner(self) -> int:
        """How many cells there are between the sides."""
        return max(0, self.width - 1 - self.is_right)

    @property
    def room(self) -> int:
        """How many rows there are below the title."""
        return max(0, self.height - 1)

    def across(self, scene: Moment) -> str:
        """What the rule above it is made of."""
        return outline_of(scene).across if self.is_top else scene.glyphs.across

    def panel(
        self,
        scene: Moment,
        title: Line,
        body: Sequence[Line | Ruled],
        *,
        right: Line | None = None,
        up: Iterable[int] = (),
        down: Iterable[int] = (),
    ) -> list[Line]:
        """A whole panel.

        Args:
            title: stands in the rule above it; ``right`` at that rule's other end.
            body: the rows below; what is missing is blank.
            up, down: columns at which borders come from above or go on below, more than are known.
        """
        if self.width < 2:
            return [fit([], self.width)] * self.height
        lines = [self._rule(scene, 0, Ruled(title, tuple(down)), frozenset(up), right)]
        for row, line in enumerate(body[: self.room], 1):
            if isinstance(line, Ruled):
                lines.append(self._rule(scene, row, line))
            else:
                lines.append(self._row(scene, row, line))
        blanks = range(len(lines), self.height)
        return (lines + [self._row(scene, row, []) for row in blanks])[: self.height]

    def _row(self, scene: Moment, row: int, content: Line) -> Line:
        glyphs, inner = scene.glyphs, self.inner
        edge, style = outline_of(scene).down, outline_style(scene)
        side: Line = [(edge, style)] if self.is_right else []
        if self.is_left:
            return [(edge, style), *fit(clip(content, inner), inner), *side]
        left = glyphs.from_right if row in self.left_rules else glyphs.down
        return [(left, "border"), *fit(clip(content, inner), inner), *side]

    def _rule(
        self,
        scene: Moment,
        row: int,
        ruled: Ruled,
        up: frozenset[int] = frozenset(),
        right: Line | None = None,
    ) -> Line:
        glyphs, outline, inner = scene.glyphs, outline_of(scene), self.inner
        up = up | self.up if row == 0 else up
        is_top = self.is_top and row == 0
        body = clip(ruled.title, inner)
        tip = right if right and width_of(body) + width_of(right) + 2 <= inner else []
        across = [outline.across if is_top else glyphs.across]
        across *= inner - width_of(body) - width_of(tip)
        start = 1 + width_of(body)
        for column in {*up, *ruled.down}:
            if 0 <= (place := column - start) < len(across):
                meets = (column in up, column in ruled.down)
                across[place] = _joint(glyphs, outline, meets, is_top=is_top)
        style = outline_style(scene)
        corner = self._left_corner(glyphs, outline, row, up)
        line: Line = [(corner, style if self.is_left else "border"), *body]
        line += [("".join(across), style if is_top else "border"), *tip]
        if self.is_right:
            line.append((outline.top_right if is_top else outline.from_right, style))
        return line

    def _left_corner(self, glyphs: Glyphs, outline: Outline, row: int, up: frozenset[int]) -> str:
        if self.is_left:
            return outline.top_left if self.is_top and row == 0 else outline.from_left
        if row:
            return glyphs.cross if row in self.left_rules else glyphs.from_left
        if self.is_top:
            return outline.from_top
        if 0 in up:
            return glyphs.cross if self.from_left else glyphs.from_left
        return glyphs.from_top


def outline_of(scene: Moment) -> Outline:
    """The outer border: the past has another than the present."""
    return scene.glyphs if scene.head is None else scene.glyphs.past


def outline_style(scene: Moment) -> str:
    """Its colour's name."""
    return "border" if scene.head is None else "past"


def bottom(scene: Moment, width: int, up: Iterable[int]) -> Line:
    """The border below all panels."""
    outline = outline_of(scene)
    if width < 2:
        return fit([], width)
    across = [outline.across] * (width - 2)
    for column in up:
        if 0 < column < width - 1:
            across[column - 1] = outline.from_bottom
    line = outline.bottom_left + "".join(across) + outline.bottom_right
    return [(line, outline_style(scene))]


def frames(places: Layout, num_slots: int) -> dict[str, Frame]:
    """The frames of all panels of a layout that have borders."""
    boxes, slots = _boxes(places), places.slots
    made = frames_of(boxes)
    num_cells = num_map_lines(num_slots, slots.width, slots.height)
    if num_cells and "dock" in made and places.dock.y == slots.y:
        dock = made["dock"]  # the rule below the map ends at the dock
        made["dock"] = replace(dock, left_rules=dock.left_rules | {num_cells + 1})
    return made


def frames_of(boxes: dict[str, Rect]) -> dict[str, Frame]:
    """The frames of panels with borders that cover the screen between them."""
    screen = max((box.x + box.width for box in boxes.values()), default=0)
    return {name: _frame(name, boxes, screen) for name in boxes}


def ends_at(boxes: dict[str, Rect], row: int) -> frozenset[int]:
    """The columns at which borders come down on a row from above."""
    return frozenset(_sides(boxes, row))


def ends_below(places: Layout) -> tuple[frozenset[int], int]:
    """What the border below all panels meets: columns, and the width of the slots if these are
    right above it, else 0."""
    boxes, row = _boxes(places), places.footer.y
    slots = boxes.get("slots", Rect())
    return frozenset(_sides(boxes, row)), slots.width if slots.y + slots.height == row else 0


def _boxes(places: Layout) -> dict[str, Rect]:
    names = BORDERED if places.framed else BORDERED[1:]
    return {name: getattr(places, name) for name in names if getattr(places, name).is_shown}


def _frame(name: str, boxes: dict[str, Rect], screen: int) -> Frame:
    box = boxes[name]
    others = [other for other in boxes.values() if other is not box]
    left = [other for other in others if other.x + other.width == box.x]
    slots = boxes.get("slots")
    is_below = slots is not None and slots.y + slots.height == box.y
    inside = range(box.x, box.x + box.width)
    return Frame(
        box.width,
        box.height,
        is_top=all(other.y >= box.y for other in others),
        is_left=box.x == 0,
        is_right=box.x + box.width == screen,
        up=frozenset(column - box.x for column in _sides(boxes, box.y) if column in inside),
        from_left=any(other.y == box.y for other in left),
        left_rules=frozenset(
            other.y - box.y for other in left if box.y < other.y < box.y + box.height
        ),
        split=box.x - slots.x if slots is not None and is_below else None,
        slots_width=slots.width if slots is not None else 0,
    )


def _sides(boxes: dict[str, Rect], row: int) -> list[int]:
    """The columns of left sides that stand on a row from above."""
    return [box.x for box in boxes.values() if box.y < row <= box.y + box.height and box.x]


def _joint(glyphs: Glyphs, outline: Outline, meets: tuple[bool, bool], *, is_top: bool) -> str:
    if is_top:
        return outline.from_top
    if meets == (True, True):
        return glyphs.cross
    return glyphs.from_bottom if meets[0] else glyphs.from_top
