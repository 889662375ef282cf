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

if TYPE_CHECKING:
    from batchtui.plugins.recordings.recording import Recording

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


def _verified(opened: Recording) -> Replayed:
    from batchtui.plugins.recordings.again import verifying  # noqa: PLC0415

    replayed = Replayed(0, 0)
    with progress(opened.timeline.num_turns, "", "turns") as tick:
        for replayed in verifying(opened):
            tick(replayed.num_turns)
    return replayed


def _tell(opened: Recording, replayed: Replayed, output: Output, *, as_json: bool) -> None:
    difference, num_requests = replayed.difference, opened.timeline.view.totals.arrived
    if as_json:
        document: dict[str, object] = {
            "matches": difference is None,
            "turns": replayed.num_turns,
            "events": replayed.num_events,
            "requests": num_requests,
            "torn": opened.torn or None,
        }
        if difference is not None:
            document["difference"] = _document(difference)
        output.document(document)
    elif difference is None:
        output.line(
            f"replay matches: {replayed.num_turns:,} turns, {replayed.num_events:,} events, "
            f"{num_requests:,} requests"
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


def _summarise(opened: Recording, output: Output, *, as_json: bool) -> None:
    view, header = opened.timeline.view, opened.header
    totals = view.totals
    if as_json:
        output.document(
            {
                "workload": header.workload,
                "command": header.command,
                "backend": header.backend,
                "policy": header.policy,
                "texts": header.texts,
                "turns": opened.timeline.num_turns,
                "steps": opened.timeline.step + 1,
                "time_s": view.now / 1e6,
                "totals": totals,
                "torn": opened.torn or None,
            }
        )
        return
    for line in _summary(opened):
        output.line(one_line(line))


def _summary(opened: Recording) -> Iterator[str]:
    view, header = opened.timeline.view, opened.header
    totals = view.totals
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in sorted(totals.reasons.items()))
    num_living = len(view.waiting) + view.num_resident
    living = f", {num_living:,} not ended" if num_living else ""
    kind = "REAL" if header.real else "SIM"
    yield f"workload   {header.workload} on {header.backend} ({kind}), policy {header.policy}"
    if header.command:
        yield f"asked by   {header.command}"
    yield f"requests   {totals.arrived:,} ({reasons or 'none ended'}{living})"
    yield (
        f"tokens     {totals.returned:,} returned, {totals.kept:,} kept, "
        f"{totals.discarded:,} discarded"
    )
    yield (
        f"steps      {opened.timeline.step + 1:,} in {view.now / 1e6:,.3f} s, "
        f"{opened.timeline.num_turns:,} turns, {totals.calls:,} calls"
    )
    yield (
        f"faults     {totals.refused:,} refused, {totals.failed_calls:,} calls failed, "
        f"{totals.dropped_rows:,} rows discarded"
    )
    if header.texts != "full":
        yield f"texts      {header.texts}: it can be looked at, not run again"
