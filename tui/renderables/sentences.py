"""The decisions of a step in words: one sentence an event, one each for what is only counted."""

from __future__ import annotations

from collections.abc import Iterator

from batchtui.engine.batching import events as said
from batchtui.engine.batching import shown
from batchtui.engine.batching.explain.words import slots
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.outcomes import outcomes
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.sentence import (
    CHANGE,
    EXCEPTION,
    MOST_NAMED,
    ROUTINE,
    Sentence,
    events_of,
    listed,
    name_of,
    names_of,
    safe,
)
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import counted, duration, ordinal

_MOST_WEIGHED = 100
"""Of so many behind the head it is said whether they would fit."""

_FOLLOWS = {
    "retry": "made again whole",
    "halve": "made again in halves",
    "condemn": "this row is at fault",
}
"""What becomes of a call that failed."""


def sentences(scene: Scene, *, terse: bool = False) -> list[Sentence]:
    """What the current step decided, in the order of its phases; ``terse`` for a narrow screen."""
    told = [*_changed(scene), *_blocked(scene, terse=terse), *_refused(scene), *_arrived(scene)]
    told += [*_admitted(scene), *_called(scene), *_failed(scene), *outcomes(scene)]
    order = {phase: place for place, phase in enumerate(scene.phases)}
    return sorted(told, key=lambda sentence: order.get(sentence.phase, len(order)))


def _refused(scene: Scene) -> Iterator[Sentence]:
    for event in events_of(scene, said.RequestRefused):
        words = f"{name_of(scene, event.request_id)} refused: {safe(scene, event.message)}"
        yield Sentence(event.phase, EXCEPTION, [(words, "alarm")])


def _changed(scene: Scene) -> Iterator[Sentence]:
    """What somebody did by hand."""
    for event in events_of(scene, said.OptionsChanged):
        retiring = f"; {slots(event.retiring)} retire" if event.retiring else ""
        policy = plain(event.policy, ascii_only=scene.glyphs.ascii)
        words = f"{counted(event.max_num_seqs, 'slot')}, policy {policy}{retiring}"
        line: Line = [("options changed: ", "moved"), (words, "")]
        yield Sentence(event.phase, EXCEPTION, line, tuple(event.retiring))
    for fault in events_of(scene, said.FaultInjected):
        words = f"a fault is injected: {safe(scene, fault.kind)}"
        line = [(words, "alarm"), ("; the next model call has it", "")]
        yield Sentence(fault.phase, EXCEPTION, line)


def _blocked(scene: Scene, *, terse: bool) -> Iterator[Sentence]:
    """The head's blockage is told at every step for as long as it lasts."""
    blockage = scene.view.blockage
    if blockage is None:
        return
    steps = max(1, scene.view.step - blockage.since + 1)
    if blockage.rule == "slots":
        reason = f"all {counted(len(scene.view.slots), 'slot')} taken"
    else:
        reason = f"kv needs {blockage.needed}, {blockage.available} free"
    lasting = f" ({ordinal(steps)} step)" if steps > 1 else ""
    verb = "still blocked" if steps > 1 and not terse else "waits"
    words: Line = [(f"{name_of(scene, blockage.request_id)} {verb}: ", "warning")]
    words.append((f"{reason}{lasting}{_behind(scene, terse=terse)}", ""))
    # A full table is how batching works; a head that does not fit while slots idle is not.
    rank = CHANGE if blockage.rule == "slots" else EXCEPTION
    free = tuple(slot.index for slot in scene.view.slots if slot.state == shown.FREE)
    num_waiting = len(scene.view.waiting)
    places = f"queue 1-{num_waiting:,}" if num_waiting > 1 else "queue 1"
    yield Sentence("admit", rank, words, free, places)


def _behind(scene: Scene, *, terse: bool) -> str:
    """Who stands behind the head, and how many of them would fit where it does not."""
    count = len(scene.view.waiting) - 1
    if count <= 0:
        return ""
    behind = scene.view.first_waiting(_MOST_WEIGHED + 1)[1:]
    who = name_of(scene, behind[0].request_id)
    if len(behind) > 1:
        last = f"..{name_of(scene, behind[-1].request_id)}"
        who += last if count == len(behind) else f" +{count - 1:,}"
    wait = "" if terse else " waits" if count == 1 else " wait"
    free = scene.view.kv_free
    fitting = 0 if free is None else sum(waiting.blocks <= free for waiting in behind)
    if not fitting or scene.view.num_resident == len(scene.view.slots):
        return f"; {who}{wait} behind it"
    which = "at least " * (count > len(behind)) + ("which" if count == 1 else f"{fitting:,}")
    if terse:
        return f"; {who} behind it, {which} fit{'s' * (count == 1)}"
    return f"; {who}{wait} behind it, {which}{' of them' * (count > 1)} would fit"


def _arrived(scene: Scene) -> Iterator[Sentence]:
    count = scene.view.this_step.said.get("RequestQueued", 0)
    events = events_of(scene, said.RequestQueued)
    if count:
        verb = "arrives" if count == 1 else "arrive"
        names = names_of(scene, [event.request_id for event in events], count)
        yield Sentence(events[0].phase, ROUTINE, [(names, "name"), (f" {verb}", "")])


def _admitted(scene: Scene) -> Iterator[Sentence]:
    events = events_of(scene, said.RequestAdmitted)
    count = scene.view.this_step.said.get("RequestAdmitted", 0)
    if not events:
        return
    if count > 2:
        names = names_of(scene, [event.request_id for event in events], count)
        names = names if count <= MOST_NAMED else counted(count, "request")
        taken = listed([str(event.slot) for event in events], count)
        where = tuple(event.slot for event in events)
        words: Line = [(names, "entered"), (f" enter slots {taken}", "")]
        yield Sentence("admit", CHANGE, words, where)
        return
    for event in events:
        name = name_of(scene, event.request_id)
        waited = f" after {duration(event.waited_us)}" if event.waited_us else ""
        words = [(name, "entered"), (f" enters slot {event.slot}{waited}", "")]
        yield Sentence("admit", CHANGE, words, (event.slot,))


def _called(scene: Scene) -> Iterator[Sentence]:
    events, step = events_of(scene, said.CallStarted), scene.view.this_step
    if not events:
        return
    first = events[0]
    num_decodes = len(first.slots) - first.num_prefills
    parts = [f"{first.num_prefills} prefill ({counted(first.prefill_tokens, 'token')})"]
    parts = parts * bool(first.num_prefills) + [f"{num_decodes} decode"] * bool(num_decodes)
    took = ""
    if step.called_at is not None and step.replied_at is not None:
        took = f"; {(step.replied_at - step.called_at) / 1000:.1f} ms"
    words = f"{counted(len(first.slots), 'row')}: {', '.join(parts)}{took}"
    yield Sentence("call", ROUTINE, [(words, "")], note=f"work {first.work}")
    again = step.said["CallStarted"] - 1
    if again:
        words = f"called again {counted(again, 'time')}"
        yield Sentence("call", CHANGE, [(words, "warning")])


def _failed(scene: Scene) -> Iterator[Sentence]:
    for event in events_of(scene, said.CallFailed):
        detail = f", {safe(scene, event.detail)}" if event.detail else ""
        words: Line = [(f"call {event.work} failed: {event.fault}{detail}; ", "alarm")]
        words.append((_FOLLOWS.get(event.action, event.action), ""))
        yield Sentence(event.phase, EXCEPTION, words, tuple(event.slots))
