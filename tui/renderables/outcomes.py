"""What became of a call, in sentences: rows applied or dropped, requests ended, text delivered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from batchtui.engine.batching import events as said
from batchtui.engine.batching import shown
from batchtui.tui.renderables.line import Line
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
)
from batchtui.tui.renderables.streams import ending_words
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import counted


def outcomes(scene: Scene) -> Iterator[Sentence]:
    """What the phases after the call came to."""
    yield from _endings(scene)
    for event in events_of(scene, said.RowsDiscarded):
        yield from _discarded(scene, event)
    for failure in events_of(scene, said.ListenerFailed):
        words = f"the listener of {name_of(scene, failure.request_id)} raised {failure.error}"
        yield Sentence(failure.phase, EXCEPTION, [(words, "alarm")])
    yield from _held(scene)
    yield from _applied(scene)
    yield from _delivered(scene)


def _endings(scene: Scene) -> Iterator[Sentence]:
    """A sentence each, unless so many ended as they should that they share one."""
    endings = events_of(scene, said.RequestFinished)
    crowd = [event for event in endings if not _is_exception(event)]
    if len(crowd) > MOST_NAMED:
        yield _crowd(crowd)
    for event in endings:
        if len(crowd) <= MOST_NAMED or _is_exception(event):
            yield _finished(scene, event)


def _is_exception(event: said.RequestFinished) -> bool:
    return event.finish_reason in ("abort", "error")


def _crowd(events: list[said.RequestFinished]) -> Sentence:
    """Many that ended as they should, in one sentence; each has a row among the ended."""
    left = listed([str(event.slot) for event in events], len(events))
    reasons = Counter(event.finish_reason for event in events)
    how = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
    words: Line = [(f"slots {left} ", ""), ("ended: ", "ended-note"), (how, "")]
    where = tuple(event.slot for event in events if event.slot is not None)
    return Sentence(events[0].phase, CHANGE, words, where)


def _finished(scene: Scene, event: said.RequestFinished) -> Sentence:
    how = ending_words(event, ascii_only=scene.glyphs.ascii)
    name, rank = name_of(scene, event.request_id), EXCEPTION if _is_exception(event) else CHANGE
    where = "while it waited" if event.slot is None else f"slot {event.slot}"
    back = f", {counted(event.blocks, 'block')} back" if event.blocks else ""
    counts = "" if event.slot is None else f" ({counted(event.output_tokens, 'token')}{back})"
    style = "alarm" if event.finish_reason == "error" else "ended-note"
    words: Line = [(f"{where} ", ""), (f"{name} ended: ", style), (f"{how}{counts}", "")]
    about = () if event.slot is None else (event.slot,)
    return Sentence(event.phase, rank, words, about)


def _discarded(scene: Scene, event: said.RowsDiscarded) -> Iterator[Sentence]:
    columns = list(zip(event.slots, event.generations, event.request_ids, strict=True))
    here = dict(enumerate(scene.view.slots))
    strangers = [row for row in columns if row[0] not in here or row[1] != here[row[0]].generation]
    if len(columns) > len(strangers):
        late = f"{counted(len(columns), 'row')} of call {event.work} dropped: {event.reason}"
        yield Sentence(event.phase, EXCEPTION, [(late, "alarm")], note=f"work {event.work}")
    for index, generation, request_id in strangers[:MOST_NAMED]:
        slot = here.get(index)
        words = f"slot {index} dropped a row of {name_of(scene, request_id)} gen {generation}"
        tail = ": nobody is there now"
        if slot is not None and slot.is_resident:
            tail = f": {name_of(scene, slot.request_id)} gen {slot.generation} is there now"
        line: Line = [(f"{words} ({event.reason})", "alarm"), (tail, "")]
        yield Sentence(event.phase, EXCEPTION, line, (index,))


def _held(scene: Scene) -> Iterator[Sentence]:
    for slot in scene.view.slots:
        if slot.state == shown.HELD and slot.changed_at == scene.view.step:
            held = plain(slot.held, ascii_only=scene.glyphs.ascii)
            words: Line = [(f"slot {slot.index} {name_of(scene, slot.request_id)} holds back ", "")]
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
    results = [
        name for event in events_of(scene, said.ResultsDelivered) for name in event.request_ids
    ]
    parts = [counted(step.deltas, "delta")] if step.deltas else []
    if results:
        parts.append(f"{counted(len(results), 'result')}: {names_of(scene, results, len(results))}")
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
