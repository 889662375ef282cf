"""The decisions of a step in words: one sentence an event, one each for what is only counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from batchtui.engine.batching import events as said
from batchtui.engine.batching import shown
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.streams import ending_words
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import counted, duration, ordinal

EXCEPTION, CHANGE, ROUTINE = 0, 1, 2
"""Ranks: what must be seen, what moved, and what happens at every step."""

_MOST_NAMED = 6

EventT = TypeVar("EventT")


class Sentence(NamedTuple):
    """One thing that was decided: in which phase, how much it matters, and the words."""

    phase: str
    rank: int
    words: Line


def sentences(scene: Scene) -> list[Sentence]:
    """What the current step decided, in the order of its phases."""
    told = [*_blocked(scene), *_arrived(scene), *_admitted(scene), *_called(scene)]
    told += [*_each(scene), *_held(scene), *_applied(scene), *_delivered(scene)]
    order = {phase: place for place, phase in enumerate(scene.phases)}
    return sorted(told, key=lambda sentence: order.get(sentence.phase, len(order)))


def _each(scene: Scene) -> Iterator[Sentence]:
    """The events that get a sentence each, and how many more there were."""
    crowd = [event for event in _of(scene, said.RequestFinished) if not _is_exception(event)]
    if len(crowd) > _MOST_NAMED:
        yield _crowd(crowd)
    for event in scene.view.changed:
        if isinstance(event, said.RequestFinished):
            if len(crowd) <= _MOST_NAMED or _is_exception(event):
                yield _finished(scene, event)
        elif isinstance(event, said.RowsDiscarded):
            yield from _discarded(scene, event)
        elif isinstance(event, said.RequestRefused):
            words = f"{_name(scene, event.request_id)} refused: {_foreign(scene, event.message)}"
            yield Sentence(event.phase, EXCEPTION, [(words, "alarm")])
        elif isinstance(event, said.CallFailed):
            yield _failed(scene, event)
        elif isinstance(event, said.ListenerFailed):
            words = f"the listener of {_name(scene, event.request_id)} raised {event.error}"
            yield Sentence(event.phase, EXCEPTION, [(words, "alarm")])


def _blocked(scene: Scene) -> Iterator[Sentence]:
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
    behind = len(scene.view.waiting) - 1
    others = f"; {behind:,} behind it" if behind else ""
    words: Line = [(f"{_name(scene, blockage.request_id)} waits: ", "warning")]
    words.append((f"{reason}{lasting}{others}", ""))
    # A full table is how batching works; a head that does not fit while slots idle is not.
    yield Sentence("admit", CHANGE if blockage.rule == "slots" else EXCEPTION, words)


def _arrived(scene: Scene) -> Iterator[Sentence]:
    count = scene.view.this_step.said.get("RequestQueued", 0)
    events = _of(scene, said.RequestQueued)
    if count:
        verb = "arrives" if count == 1 else "arrive"
        names = _names(scene, [event.request_id for event in events], count)
        yield Sentence(events[0].phase, ROUTINE, [(names, "name"), (f" {verb}", "")])


def _admitted(scene: Scene) -> Iterator[Sentence]:
    events = _of(scene, said.RequestAdmitted)
    count = scene.view.this_step.said.get("RequestAdmitted", 0)
    if not events:
        return
    if count > 2:
        names = _names(scene, [event.request_id for event in events], count)
        names = names if count <= _MOST_NAMED else counted(count, "request")
        slots = _listed([str(event.slot) for event in events], count)
        yield Sentence("admit", CHANGE, [(names, "entered"), (f" enter slots {slots}", "")])
        return
    for event in events:
        name = _name(scene, event.request_id)
        waited = f" after {duration(event.waited_us)}" if event.waited_us else ""
        words: Line = [(name, "entered"), (f" enters slot {event.slot}{waited}", "")]
        yield Sentence("admit", CHANGE, words)


def _called(scene: Scene) -> Iterator[Sentence]:
    events, step = _of(scene, said.CallStarted), scene.view.this_step
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
    yield Sentence("call", ROUTINE, [(words, "")])
    again = step.said["CallStarted"] - 1
    if again:
        words = f"called again {counted(again, 'time')}"
        yield Sentence("call", CHANGE, [(words, "warning")])


def _failed(scene: Scene, event: said.CallFailed) -> Sentence:
    follows = {
        "retry": "made again whole",
        "halve": "made again in halves",
        "condemn": "this row is at fault",
    }
    detail = f", {_foreign(scene, event.detail)}" if event.detail else ""
    words: Line = [(f"call {event.work} failed: {event.fault}{detail}; ", "alarm")]
    words.append((follows.get(event.action, event.action), ""))
    return Sentence(event.phase, EXCEPTION, words)


def _is_exception(event: said.RequestFinished) -> bool:
    return event.finish_reason in ("abort", "error")


def _crowd(events: list[said.RequestFinished]) -> Sentence:
    """Many that ended as they should, in one sentence; each has a row among the ended."""
    slots = _listed([str(event.slot) for event in events], len(events))
    reasons = Counter(event.finish_reason for event in events)
    how = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
    words: Line = [(f"slots {slots} ", ""), ("ended: ", "ended-note"), (how, "")]
    return Sentence(events[0].phase, CHANGE, words)


def _finished(scene: Scene, event: said.RequestFinished) -> Sentence:
    how = ending_words(event, ascii_only=scene.glyphs.ascii)
    name, rank = _name(scene, event.request_id), EXCEPTION if _is_exception(event) else CHANGE
    where = "while it waited" if event.slot is None else f"slot {event.slot}"
    counts = "" if event.slot is None else f" ({counted(event.output_tokens, 'token')})"
    style = "alarm" if event.finish_reason == "error" else "ended-note"
    words: Line = [(f"{where} ", ""), (f"{name} ended: ", style), (f"{how}{counts}", "")]
    return Sentence(event.phase, rank, words)


def _discarded(scene: Scene, event: said.RowsDiscarded) -> Iterator[Sentence]:
    columns = list(zip(event.slots, event.generations, event.request_ids, strict=True))
    strangers = [row for row in columns if row[1] != scene.view.slots[row[0]].generation]
    if len(columns) > len(strangers):
        late = f"{counted(len(columns), 'row')} of call {event.work} dropped: {event.reason}"
        yield Sentence(event.phase, EXCEPTION, [(late, "alarm")])
    for index, generation, request_id in strangers[:_MOST_NAMED]:
        slot = scene.view.slots[index]
        words = f"slot {index} dropped a row of {_name(scene, request_id)} gen {generation}"
        now = f": {_name(scene, slot.request_id)} gen {slot.generation} is there now"
        tail = now if slot.is_resident else ": nobody is there now"
        line: Line = [(f"{words} ({event.reason})", "alarm"), (tail, "")]
        yield Sentence(event.phase, EXCEPTION, line)


def _held(scene: Scene) -> Iterator[Sentence]:
    for slot in scene.view.slots:
        if slot.state == shown.HELD and slot.changed_at == scene.view.step:
            held = plain(slot.held, ascii_only=scene.glyphs.ascii)
            words: Line = [(f"slot {slot.index} {_name(scene, slot.request_id)} holds ", "")]
            words.append((f'"{held}"', "held"))
            yield Sentence("apply", CHANGE, words)


def _applied(scene: Scene) -> Iterator[Sentence]:
    step = scene.view.this_step
    if step.replied_at is not None:
        surplus = f"; {counted(step.surplus, 'token')} after an end dropped" if step.surplus else ""
        words = f"{counted(step.tokens, 'token')} applied{surplus}"
        yield Sentence("apply", EXCEPTION if surplus else ROUTINE, [(words, "")])


def _delivered(scene: Scene) -> Iterator[Sentence]:
    step = scene.view.this_step
    results = [name for event in _of(scene, said.ResultsDelivered) for name in event.request_ids]
    parts = [counted(step.deltas, "delta")] if step.deltas else []
    if results:
        parts.append(f"{counted(len(results), 'result')}: {_names(scene, results, len(results))}")
    if parts:
        yield Sentence("deliver", ROUTINE, [(", ".join(parts), "")])


def _of(scene: Scene, kind: type[EventT]) -> list[EventT]:
    return [event for event in scene.view.changed if isinstance(event, kind)]


def _name(scene: Scene, request_id: str) -> str:
    name = plain(request_id, ascii_only=scene.glyphs.ascii)
    return name if len(name) <= 24 else name[:22] + ".."


def _foreign(scene: Scene, text: str) -> str:
    return plain(text, ascii_only=scene.glyphs.ascii)


def _names(scene: Scene, request_ids: list[str], count: int) -> str:
    return _listed([_name(scene, request_id) for request_id in request_ids], count)


def _listed(words: list[str], count: int) -> str:
    more = f" +{count - _MOST_NAMED}" if count > _MOST_NAMED else ""
    return " ".join(words[:_MOST_NAMED]) + more
