"""The path of a request: what happened to it, in one line or a line each, from its story."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from batchtui.engine.batching import events as said
from batchtui.engine.batching.story import Moment
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.streams import ending_words
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import clock, counted, duration


def path_words(moments: Iterable[Moment]) -> str:
    """``arrive step 39 > wait 7 > slot 4 gen 3 at 46 > ended 57 stop``: all in steps."""
    words: list[str] = []
    arrived = None
    for moment in moments:
        event = moment.event
        if isinstance(event, said.RequestQueued):
            arrived = event.step
            words.append(f"arrive step {event.step}")
        elif isinstance(event, said.RequestRefused):
            words.append(f"refused {event.step}")
        elif isinstance(event, said.RequestAdmitted):
            waited = event.step - arrived if arrived is not None else 0
            words += [f"wait {waited}"] if waited else []
            words.append(f"slot {event.slot} gen {event.generation} at {event.step}")
        elif isinstance(event, said.RequestFinished):
            words.append(f"ended {event.step} {event.finish_reason}")
    return " > ".join(words)


def moment_lines(moments: Iterable[Moment], *, ascii_only: bool = False) -> list[Line]:
    """A line for each thing that happened: step, time, words."""
    lines: list[Line] = []
    for moment in moments:
        event = moment.event
        where: Line = [(f"step {event.step:<5}", "dim"), (f" {clock(event.at):>10}  ", "dim")]
        words = _WORDS.get(type(event), lambda event: type(event).__name__)(event)
        lines.append([*where, (plain(words, ascii_only=ascii_only), "")])
    return lines


def _queued(event: said.RequestQueued) -> str:
    needs = f"{counted(event.prompt_tokens, 'prompt token')}, {counted(event.blocks, 'block')}"
    return f"arrives; needs {needs}"


def _blocked(event: said.RequestBlocked) -> str:
    if event.rule == "slots":
        return "heads the queue; no free slot"
    held_by = f"; {event.blocker} holds most of what is short" if event.blocker else ""
    return f"heads the queue; kv: needs {event.needed}, {event.available} free{held_by}"


def _admitted(event: said.RequestAdmitted) -> str:
    waited = duration(event.waited_us)
    return f"enters slot {event.slot}, gen {event.generation}, after {waited}"


def _finished(event: said.RequestFinished) -> str:
    counts = f"{counted(event.output_tokens, 'token')}, {counted(event.blocks, 'block')} back"
    return f"ended: {ending_words(event)} ({counts})"


# Their names are as they came: the line is made harmless as a whole.
_WORDS: dict[type, Callable[[Any], str]] = {  # Any: the event of its key
    said.RequestQueued: _queued,
    said.RequestBlocked: _blocked,
    said.RequestAdmitted: _admitted,
    said.RequestFinished: _finished,
    said.RequestRefused: lambda event: f"refused: {event.message}",
    said.RowsDiscarded: lambda event: f"a row of call {event.work} is dropped: {event.reason}",
    said.CallFailed: lambda event: f"call {event.work} failed: {event.fault}",
}
