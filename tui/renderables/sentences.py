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
_MOST_WEIGHED = 100
"""Of so many behind the head it is said whether they would fit."""

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


def sentences(scene: Scene, *, terse: bool = False) -> list[Sentence]:
    """What the current step decided, in the order of its phases; ``terse`` for a narrow screen."""
    told = [*_changed(scene), *_blocked(scene, terse=terse), *_arrived(scene), *_admitted(scene)]
    told += [*_called(scene), *_each(scene), *_held(scene), *_applied(scene), *_delivered(scene)]
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


def _changed(scene: Scene) -> Iterator[Sentence]:
    """What somebody did by hand."""
    for event in _of(scene, said.OptionsChanged):
        retiring = f"; {_slots(event.retiring)} retire" if event.retiring else ""
        policy = plain(event.policy, ascii_only=scene.glyphs.ascii)
        words = f"{counted(event.max_num_seqs, 'slot')}, policy {policy}{retiring}"
        line: Line = [("options changed: ", "moved"), (words, "")]
        yield Sentence(event.phase, EXCEPTION, line, tuple(event.retiring))
    for fault in _of(scene, said.FaultInjected):
        words = f"a fault is injected: {_foreign(scene, fault.kind)}"
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
    words: Line = [(f"{_name(scene, blockage.request_id)} {verb}: ", "warning")]
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
    who = _name(scene, behind[0].request_id)
    if len(behind) > 1:
        last = f"..{_name(scene, behind[-1].request_id)}"
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
        where = tuple(event.slot for event in events)
        words: Line = [(names, "entered"), (f" enter slots {slots}", "")]
        yield Sentence("admit", CHANGE, words, where)
        return
    for event in events:
        name = _name(scene, event.request_id)
        waited = f" after {duration(event.waited_us)}" if event.waited_us else ""
        words = [(name, "entered"), (f" enters slot {event.slot}{waited}", "")]
        yield Sentence("admit", CHANGE, words, (event.slot,))


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
    yield Sentence("call", ROUTINE, [(words, "")], note=f"work {first.work}")
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
    return Sentence(event.phase, EXCEPTION, words, tuple(event.slots))


def _is_exception(event: said.RequestFinished) -> bool:
    return event.finish_reason in ("abort", "error")


def _crowd(events: list[said.RequestFinished]) -> Sentence:
    """Many that ended as they should, in one sentence; each has a row among the ended."""
    slots = _listed([str(event.slot) for event in events], len(events))
    reasons = Counter(event.finish_reason for event in events)
    how = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
    words: Line = [(f"slots {slots} ", ""), ("ended: ", "ended-note"), (how, "")]
    where = tuple(event.slot for event in events if event.slot is not None)
    return Sentence(events[0].phase, CHANGE, words, where)


def _finished(scene: Scene, event: said.RequestFinished) -> Sentence:
    how = ending_words(event, ascii_only=scene.glyphs.ascii)
    name, rank = _name(scene, event.request_id), EXCEPTION if _is_exception(event) else CHANGE
    where = "while it waited" if event.slot is None else f"slot {event.slot}"
    back = f", {counted(event.blocks, 'block')} back" if event.blocks else ""
    counts = "" if event.slot is None else f" ({counted(event.output_tokens, 'token')}{back})"
    style = "alarm" if event.finish_reason == "error" else "ended-note"
    words: Line = [(f"{where} ", ""), (f"{name} ended: ", style), (f"{how}{counts}", "")]
    slots = () if event.slot is None else (event.slot,)
    return Sentence(event.phase, rank, words, slots)


def _discarded(scene: Scene, event: said.RowsDiscarded) -> Iterator[Sentence]:
    columns = list(zip(event.slots, event.generations, event.request_ids, strict=True))
    here = dict(enumerate(scene.view.slots))
    strangers = [row for row in columns if row[0] not in here or row[1] != here[row[0]].generation]
    if len(columns) > len(strangers):
        late = f"{counted(len(columns), 'row')} of call {event.work} dropped: {event.reason}"
        yield Sentence(event.phase, EXCEPTION, [(late, "alarm")], note=f"work {event.work}")
    for index, generation, request_id in strangers[:_MOST_NAMED]:
        slot = here.get(index)
        words = f"slot {index} dropped a row of {_name(scene, request_id)} gen {generation}"
        tail = ": nobody is there now"
        if slot is not None and slot.is_resident:
            tail = f": {_name(scene, slot.request_id)} gen {slot.generation} is there now"
        line: Line = [(f"{words} ({event.reason})", "alarm"), (tail, "")]
        yield Sentence(event.phase, EXCEPTION, line, (index,))


def _held(scene: Scene) -> Iterator[Sentence]:
    for slot in scene.view.slots:
        if slot.state == shown.HELD and slot.changed_at == scene.view.step:
            held = plain(slot.held, ascii_only=scene.glyphs.ascii)
            words: Line = [(f"slot {slot.index} {_name(scene, slot.request_id)} holds back ", "")]
            words += [(f'"{held}"', "held"), (f" ({_bytes(slot.held)})", "dim")]
            yield Sentence("apply", CHANGE, words, (slot.index,))


def _bytes(text: str) -> str:
    return counted(len(text.encode("utf-8", "surrogatepass")), "byte")


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
    if scene.view.phase == "deliver":
        yield _balance(scene)


def _balance(scene: Scene) -> Sentence:
    """Every token that came back is accounted for, or something is wrong."""
    totals = scene.view.totals
    is_even = totals.returned == totals.kept + totals.discarded
    holding = sum(bool(slot.held) for slot in scene.view.slots)
    held = f" ({counted(holding, 'row')} held back)" if holding else ""
    words = f"tokens {totals.returned:,} returned = {totals.kept:,} kept{held}"
    line: Line = [(f"{words} + {totals.discarded:,} dropped", "dim")]
    if is_even:
        return Sentence("deliver", ROUTINE, line, note="balance ok")
    return Sentence("deliver", EXCEPTION, [("tokens are missing: ", "alarm"), *line])


def _of(scene: Scene, kind: type[EventT]) -> list[EventT]:
    return [event for event in scene.view.changed if isinstance(event, kind)]


def _name(scene: Scene, request_id: str) -> str:
    name = plain(request_id, ascii_only=scene.glyphs.ascii)
    return name if len(name) <= 24 else name[:22] + ".."


def _foreign(scene: Scene, text: str) -> str:
    return plain(text, ascii_only=scene.glyphs.ascii)


def _names(scene: Scene, request_ids: list[str], count: int) -> str:
    return _listed([_name(scene, request_id) for request_id in request_ids], count)


def _slots(indices: list[int]) -> str:
    names = _listed([str(index) for index in indices], len(indices))
    return f"slot{'s'[: len(indices) - 1]} {names}"


def _listed(words: list[str], count: int) -> str:
    more = f" +{count - _MOST_NAMED}" if count > _MOST_NAMED else ""
    return " ".join(words[:_MOST_NAMED]) + more
