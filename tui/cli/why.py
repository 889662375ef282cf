"""``batchtui why``: why a request of a recording is in its state, or which tests prove a node."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from batchtui.engine.batching.explain.why import explain
from batchtui.engine.debugger.explanation import Explanation, Reason
from batchtui.engine.debugger.timeline import View
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.lines import printable
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import our_stdout
from batchtui.tui.cli.recorded import File, opened

if TYPE_CHECKING:
    from batchtui.plugins.recordings.recording import AnyRecording, Recording

ViewT = TypeVar("ViewT", bound=View)

_COMPARED = 20_000
"""Ids that one which is not there is held against."""

_MOST = 100_000
"""Characters of a line: no explanation is that long, but names may be."""

Thing = Annotated[
    str,
    typer.Argument(metavar="REQUEST", help="The id of a request; of a search, the name of a node."),
]
Step = Annotated[
    int | None,
    typer.Option(
        parser=option.whole_number(0),
        metavar="N",
        help="As of the end of this step; of the last one unless said.",
    ),
]


def why(recording: File, thing: Thing, step: Step = None, as_json: option.AsJson = False) -> None:
    """Say why a request waits, runs or has ended, or which tests prove a node, as of a step."""
    with our_stdout() as output, opened(recording) as found:
        asked = _node if found.header.system == "nodes" else _request
        explanation = asked(found, recording, thing, step)
        if as_json:
            output.document(explanation)
            return
        for line in _lines(explanation, found.timeline.step):
            output.line(line)


def _request(found: AnyRecording, path: str, request_id: str, step: int | None) -> Explanation:
    from batchtui.plugins.recordings.batching.system import batching_of  # noqa: PLC0415

    batch = batching_of(found, path, "batchtui why")
    turn, head = _moment(batch, path, step)
    view, history = batch.timeline.view_at(turn), batch.history
    explanation = explain(request_id, turn, view, history, head=head)
    if explanation is None:
        raise InputError(_unknown("request", path, request_id, history.request_ids))
    return explanation


def _node(found: AnyRecording, path: str, name: str, step: int | None) -> Explanation:
    from batchtui.engine.nodes.explain.why import explain  # noqa: PLC0415 - not of a batch

    turn, head = _moment(found, path, step)
    view, history = found.timeline.view_at(turn), found.history
    node = view.names.find(name)
    if node is None:
        known = [each.name for each in view.names.inventory.nodes]
        raise InputError(_unknown("node", path, name, known))
    explanation = explain(node, turn, view, history, head=head)
    assert explanation is not None, "the node is there"
    return explanation


def _moment(found: Recording[ViewT, Any], path: str, step: int | None) -> tuple[int, ViewT | None]:
    """The turn that is asked about, and where that is in the past the view at the end."""
    timeline = found.timeline
    if step is not None and step > timeline.step:
        last = f"its last is {timeline.step}" if timeline.step >= 0 else "it has none"
        raise InputError(f"there is no step {step} in {printable(path, 200)}: {last}")
    turn = timeline.num_turns if step is None else timeline.turn_at_step(step)
    return turn, timeline.view if turn < timeline.num_turns else None


def _unknown(what: str, path: str, asked: str, known: list[str]) -> str:
    name, where = printable(asked, 80), printable(path, 200)
    if not known:
        return f"no {what} {name} in {where}: it has no {what}s"
    near = difflib.get_close_matches(asked, islice(known, _COMPARED), cutoff=0.5)
    likely = f"near it are {_listed(near)}" if near else f"it has {_listed(known[:5])}"
    more = f" and {len(known) - 5:,} more" if not near and len(known) > 5 else ""
    return f"no {what} {name} in {where}: {likely}{more}"


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
