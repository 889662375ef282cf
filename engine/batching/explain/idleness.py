"""Slots that stand free while somebody waits, and who behind the head would have fitted.

Admission is strictly in the policy's order, so there is one cause of it: the head of the queue
needs more KV blocks than are free.
"""

from __future__ import annotations

from batchtui.engine.batching import shown
from batchtui.engine.batching.explain.finding import Lint
from batchtui.engine.batching.explain.words import counted, listed, slots
from batchtui.engine.batching.shown import ShownBlockage, ShownSlot, ShownWaiting
from batchtui.engine.batching.view import BatchView

LOOK = 200
"""How many behind the head are looked at: a queue may have a million."""

MOST_TOLD = 3
"""Groups of slots that are told of."""


def idle_slots(view: BatchView) -> list[ShownSlot]:
    """The slots that could take somebody in."""
    return [slot for slot in view.slots if slot.state == shown.FREE and not slot.retiring]


def shortage(view: BatchView) -> ShownBlockage | None:
    """What holds the head although a slot is free; None while nothing of that kind does."""
    blockage = view.blockage
    return blockage if blockage is not None and blockage.rule == "kv" else None


def behind(view: BatchView) -> list[ShownWaiting]:
    """The first of those who wait behind the head, in order."""
    return view.first_waiting(LOOK + 1)[1:]


def fitting(waiting: list[ShownWaiting], available: int | None) -> list[ShownWaiting]:
    """Those of them that so many free blocks are enough for, each for itself."""
    return [each for each in waiting if available is None or each.blocks <= available]


class Fitting:
    """The ids of those behind the head that so many blocks are enough for.

    Asked for the same queue and blocks again it does not look again: a head may be held for a
    thousand steps.
    """

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._names: tuple[str, ...] = ()

    def names(self, view: BatchView, available: int) -> tuple[str, ...]:
        """Of the first behind it, in order."""
        totals = view.totals
        key = (totals.arrived, totals.admitted, len(view.waiting), view.policy, available)
        if key != self._key:
            self._names = tuple(each.request_id for each in fitting(behind(view), available))
            self._key = key
        return self._names


def begun(view: BatchView, slot: ShownSlot) -> int:
    """The first step in which a slot was free while somebody waited for it.

    Whoever has waited longest was there at each refill since it came, so the queue was not empty.
    """
    since = view.step if view.blockage is None else view.blockage.since
    oldest = next(iter(view.waiting.values()), None)
    if oldest is not None:
        since = min(since, oldest.queued_at + 1)
    return min(view.step, max(since, slot.free_since or 0))


def blocks_each(waiting: list[ShownWaiting]) -> str:
    """How many blocks they need: ``2 blocks each``, ``2-3 blocks each``."""
    sizes = sorted({each.blocks for each in waiting})
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"
    if len(waiting) == 1:
        return f"{size} block" if sizes == [1] else f"{size} blocks"
    return f"{size} block{'s' * (sizes != [1])} each"


def idle_lint(view: BatchView, able: Fitting) -> Lint | None:
    """The slots that stand idle because of the head, one finding for all of them.

    Judged by what was free when the head was tried: blocks that came back since are for its next
    trial.
    """
    blockage, idle = shortage(view), idle_slots(view)
    if blockage is None or not idle:
        return None
    names = able.names(view, blockage.available)
    short = f"head {blockage.request_id} needs {blockage.needed} kv, {blockage.available} free"
    since = min(begun(view, slot) for slot in idle)
    return Lint(
        kind="head-of-line" if names else "idle-slot",
        words=f"{_idle_words(view, idle)} while {len(view.waiting):,} wait: {short}"
        f"{_fits_words(view, names)}",
        since=since,
        steps=view.step - since + 1,
        request_id=blockage.request_id,
        slots=tuple(slot.index for slot in idle),
        others=names,
        cost=len(idle),
    )


def _fits_words(view: BatchView, names: tuple[str, ...]) -> str:
    if not names:
        return ""
    looked = f" (of the {LOOK} behind it)" if len(view.waiting) > LOOK + 1 else ""
    return f"; {listed(names)} would fit{looked}"


def _idle_words(view: BatchView, idle: list[ShownSlot]) -> str:
    """Slots that have been idle equally long are told together, the longest first."""
    by_steps: dict[int, list[int]] = {}
    for slot in idle:
        by_steps.setdefault(view.step - begun(view, slot) + 1, []).append(slot.index)
    told = [
        f"{slots(by_steps[steps])} idle {counted(steps, 'step')}"
        for steps in sorted(by_steps, reverse=True)
    ]
    in_all = f" ({len(idle)} slots in all)" if len(told) > MOST_TOLD else ""
    return ", ".join(told[:MOST_TOLD]) + in_all
