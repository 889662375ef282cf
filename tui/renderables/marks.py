"""The letters of the slots and the marks in the gutter: what they mean, and who gets one."""

from __future__ import annotations

from batchtui.engine.batching import shown
from batchtui.engine.batching.shown import ShownSlot
from batchtui.tui.renderables.line import Span
from batchtui.tui.renderables.scene import Scene

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

NOTHING: Span = (" ", "")
_ORDER = ("X", "-", "+", ">")


def mark_of(scene: Scene, slot: ShownSlot) -> Span:
    """The gutter, for exceptions; an ordinary token moves the stream alone."""
    step = scene.view.step
    if not scene.marks or not scene.started:
        return NOTHING
    if slot.num_dropped:
        return DROPPED
    if slot.state == shown.ENDED:
        return ("-", "left")
    if slot.state == shown.FREE:
        return ("!", "warning") if scene.view.waiting and not slot.retiring else NOTHING
    if slot.entered_at == step:
        return ("+", "entered")
    return (">", "moved") if slot.changed_at == step else NOTHING


def number(text: str, width: int, *, picked: bool) -> list[Span]:
    """The number of a row in its column; the picked one stands out, without colour too."""
    gap = " " * (width - len(text))
    return [(gap, ""), (text, "picked" if picked else "")]


def pointer(*, picked: bool) -> Span:
    """The cell between the gutter and the number: it points to the picked row."""
    return (">", "picked-mark") if picked else NOTHING


def exceptions_first(scene: Scene) -> list[ShownSlot]:
    """The slots with what the last step did to them at the top, else by their numbers."""
    slots = scene.view.slots
    if not scene.marks:
        return slots

    def rank(slot: ShownSlot) -> int:
        mark, _ = mark_of(scene, slot)
        return _ORDER.index(mark) if mark in _ORDER else len(_ORDER)

    return sorted(slots, key=rank)
