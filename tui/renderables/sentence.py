"""A sentence: one thing that a step decided, and how names stand in it."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.text import plain

EXCEPTION, CHANGE, ROUTINE = 0, 1, 2
"""Ranks: what must be seen, what moved, and what happens at every step."""

MOST_NAMED = 6
"""Names in a list before it only counts."""

EventT = TypeVar("EventT")


class Sentence(NamedTuple):
    """One thing that was decided: in which phase, how much it matters, and the words.

    ``slots`` are those it is about, ``note`` is what a wide screen says of it beside them.
    """

    phase: str
    rank: int
    words: Line
    slots: tuple[int, ...] = ()
    note: str = ""


def events_of(scene: Scene, kind: type[EventT]) -> list[EventT]:
    """The events of one kind that this step is told by."""
    return [event for event in scene.view.changed if isinstance(event, kind)]


def name_of(scene: Scene, request_id: str) -> str:
    """The id of a request as it may be shown, shortened."""
    name = plain(request_id, ascii_only=scene.glyphs.ascii)
    return name if len(name) <= 24 else name[:22] + ".."


def safe(scene: Scene, text: str) -> str:
    """A text of somebody else as it may be shown."""
    return plain(text, ascii_only=scene.glyphs.ascii)


def names_of(scene: Scene, request_ids: list[str], count: int) -> str:
    """Some requests, and how many more."""
    return listed([name_of(scene, request_id) for request_id in request_ids], count)


def listed(words: list[str], count: int) -> str:
    """The first words, and how many more there are."""
    more = f" +{count - MOST_NAMED}" if count > MOST_NAMED else ""
    return " ".join(words[:MOST_NAMED]) + more
