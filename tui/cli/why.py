"""``batchtui why``: why a request of a recording waits, runs or has ended, as of a step."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from batchtui.engine.batching.explain.why import Explanation, Reason, explain
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.lines import printable
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import our_stdout
from batchtui.tui.cli.recorded import File, opened_batching

if TYPE_CHECKING:
    from batchtui.plugins.recordings.batching.system import BatchRecording

_COMPARED = 20_000
"""Ids that one which is not there is held against."""

_MOST = 100_000
"""Characters of a line: no explanation is that long, but names may be."""

Request = Annotated[str, typer.Argument(metavar="REQUEST", help="The id of a request.")]
Step = Annotated[
    int | None,
    typer.Option(
        parser=option.whole_number(0),
        metavar="N",
        help="As of the end of this step; of the last one unless said.",
    ),
]


def why(
    recording: File, request: Request, step: Step = None, as_json: option.AsJson = False
) -> None:
    """Say why a request waits, runs or has ended, as of a step of a recording."""
    with our_stdout() as output, opened_batching(recording, "batchtui why") as found:
        explanation = _explained(found, recording, request, step)
        if as_json:
            output.document(explanation)
            return
        for line in _lines(explanation, found.timeline.step):
            output.line(line)


def _explained(found: BatchRecording, path: str, request_id: str, step: int | None) -> Explanation:
    timeline, history = found.timeline, found.history
    if step is not None and step > timeline.step:
        last = f"its last is {timeline.step}" if timeline.step >= 0 else "it has none"
        raise InputError(f"there is no step {step} in {printable(path, 200)}: {last}")
    turn = timeline.num_turns if step is None else timeline.turn_at_step(step)
    head = timeline.view if turn < timeline.num_turns else None
    explanation = explain(request_id, turn, timeline.view_at(turn), history, head=head)
    if explanation is None:
        raise InputError(_unknown(path, request_id, history.request_ids))
    return explanation


def _unknown(path: str, request_id: str, known: list[str]) -> str:
    name, where = printable(request_id, 80), printable(path, 200)
    if not known:
        return f"no request {name} in {where}: it has no requests"
    near = difflib.get_close_matches(request_id, islice(known, _COMPARED), cutoff=0.5)
    likely = f"near it are {_listed(near)}" if near else f"it has {_listed(known[:5])}"
    more = f" and {len(known) - 5:,} more" if not near and len(known) > 5 else ""
    return f"no request {name} in {where}: {likely}{more}"


def _listed(names: list[str]) -> str:
    return ", ".join(printable(name, 80) for name in names)


def _lines(explanation: Explanation, last: int) -> Iterator[str]:
    of = f" of {last}" if last != explanation.step else ""
    yield printable(f"{explanation.title}, as of step {explanation.step}{of}", _MOST)
    yield from _labelled(explanation.reasons)
    if explanation.later:
        yield "later"
        yield from _labelled(explanation.later)


def _labelled(reasons: list[Reason]) -> Iterator[str]:
    """A line a reason; a label that says the same as the last one is not said again."""
    width = max((len(reason.label) for reason in reasons), default=0)
    last = ""
    for reason in reasons:
        label = "" if reason.label == last else reason.label
        last = reason.label
        yield f"  {label:{width}}  {printable(reason.words, _MOST)}"
