"""``batchtui replay``: what a recording came to, or whether it comes out the same once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from batchtui.engine.debugger.replay import Difference, Replayed, shown
from batchtui.engine.machine import Event
from batchtui.plugins.formats.lines import printable
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import Output, one_line, our_stdout
from batchtui.tui.cli.progress import progress
from batchtui.tui.cli.recorded import File, opened
from batchtui.tui.cli.summary import SUMMARIES

if TYPE_CHECKING:
    from batchtui.plugins.recordings.recording import AnyRecording

DIFFERS = 6
MAX_VALUE = 200

Verify = Annotated[
    bool,
    typer.Option(
        "--verify", help="Run it again on its inputs, and demand the same events: exit 6 if not."
    ),
]


def replay(recording: File, verify: Verify = False, as_json: option.AsJson = False) -> None:
    """Print what a recording came to; with --verify, run it again and compare every event."""
    with our_stdout() as output, opened(recording, trusting=not verify) as recorded:
        if not verify:
            _summarise(recorded, output, as_json=as_json)
            return
        replayed = _verified(recorded)
        _tell(recorded, replayed, output, as_json=as_json)
    if replayed.difference is not None:
        raise typer.Exit(DIFFERS)


def _verified(opened: AnyRecording) -> Replayed:
    from batchtui.plugins.recordings.again import verifying  # noqa: PLC0415

    replayed = Replayed(0, 0)
    with progress(opened.timeline.num_turns, "", "turns") as tick:
        for replayed in verifying(opened):
            tick(replayed.num_turns)
    return replayed


def _tell(opened: AnyRecording, replayed: Replayed, output: Output, *, as_json: bool) -> None:
    difference = replayed.difference
    counted, count = SUMMARIES[opened.system.name].counted(opened)
    if as_json:
        document: dict[str, object] = {
            "matches": difference is None,
            "turns": replayed.num_turns,
            "events": replayed.num_events,
            counted: count,
            "torn": opened.torn or None,
        }
        if difference is not None:
            document["difference"] = _document(difference)
        output.document(document)
    elif difference is None:
        output.line(
            f"replay matches: {replayed.num_turns:,} turns, {replayed.num_events:,} events, "
            f"{count:,} {counted}"
        )
    else:
        for line in _lines(difference):
            output.line(line)


def _lines(difference: Difference) -> Iterator[str]:
    turn, step, phase = difference.turn, difference.step, printable(difference.phase)
    yield f"replay differs at turn {turn:,}: step {step}, {phase}"
    if difference.why:
        yield f"  {one_line(difference.why)}"
        return
    yield f"  recorded  {_sentence(difference.recorded, difference.fields)}"
    yield f"  came      {_sentence(difference.came, difference.fields)}"


def _sentence(event: Event | None, fields: tuple[str, ...]) -> str:
    if event is None:
        return "nothing"
    values = [f"{field}={printable(shown(event, field), MAX_VALUE)}" for field in fields]
    return " ".join([type(event).__name__, *values])


def _document(difference: Difference) -> dict[str, object]:
    return {
        "turn": difference.turn,
        "step": difference.step,
        "phase": difference.phase,
        "recorded": difference.recorded,
        "came": difference.came,
        "fields": difference.fields,
        "why": difference.why or None,
    }


def _summarise(opened: AnyRecording, output: Output, *, as_json: bool) -> None:
    summary = SUMMARIES[opened.system.name]
    if as_json:
        output.document(summary.document(opened))
        return
    for line in summary.lines(opened):
        output.line(one_line(line))
