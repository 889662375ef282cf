"""``batchtui lint``: what looks wrong in a recording though nothing failed; of a search for bad
nodes what contradicts itself and what could not be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import typer

from batchtui.engine.batching.explain.lints import Lint, Tokens, run_lints
from batchtui.plugins.formats.lines import printable
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import aligned, our_stdout
from batchtui.tui.cli.recorded import File, opened

if TYPE_CHECKING:
    from batchtui.plugins.recordings.nodes.system import NodesRecording
    from batchtui.plugins.recordings.recording import AnyRecording

_SHOWN = 50
_MOST = 100_000


class Doubt(NamedTuple):
    """What a search leaves in doubt, as of its last step; the nodes by name."""

    kind: str
    words: str
    since: int
    until: int
    nodes: list[str]


def lint(recording: File, as_json: option.AsJson = False) -> None:
    """Say what looks wrong in a recording: idle slots, a head that holds up others, requests that
    starve, stops that can never match; of a search, contradictions and what could not be told."""
    with our_stdout() as output, opened(recording) as found:
        find = _doubts if found.header.system == "nodes" else _lints
        findings = find(found, recording)
        if as_json:
            output.document({"findings": [_document(each) for each in findings]})
            return
        for line in _lines(findings):
            output.line(line)


def _lints(found: AnyRecording, path: str) -> Sequence[Lint]:
    from batchtui.plugins.recordings.batching.system import batching_of  # noqa: PLC0415

    batch = batching_of(found, printable(path, 200), "batchtui lint")
    lints = run_lints(batch.timeline, Tokens(frozenset(batch.header.eos_token_ids)))
    if batch.header.texts == "full":
        return lints
    typer.echo("batchtui: its texts were not kept, so stops cannot be judged", err=True)
    return [each for each in lints if each.kind != "dead-stop"]


def _doubts(found: NodesRecording, path: str) -> Sequence[Doubt]:
    """The same sentences that the screen has under ``!``, and who was given up."""
    from batchtui.engine.nodes.report import findings_of  # noqa: PLC0415 - not of a batch
    from batchtui.engine.nodes.shown import ABANDONED  # noqa: PLC0415
    from batchtui.tui import doubts as say  # noqa: PLC0415

    turn, view, step = found.timeline.num_turns, found.timeline.view, found.timeline.step
    closed, inventory = found.history.closed(turn), view.names.inventory
    given_up = [node for node in sorted(closed) if view.letter(node) == ABANDONED]
    told = findings_of(found.history.ledger(turn), closed - set(given_up))

    def doubt(kind: str, words: str, nodes: Sequence[int]) -> Doubt:
        return Doubt(kind, words, step, step, inventory.names(nodes))

    doubts = [
        doubt("contradiction", say.contradiction_words(nodes, inventory), nodes)
        for nodes in told.contradictions
    ]
    if given_up:
        doubts.append(doubt("given-up", say.given_up_words(given_up, inventory), given_up))
    if view.over is None:  # what cannot be told is known at the end alone
        return doubts
    if told.at_most_one_good:
        words = say.at_most_one_words(told, inventory)
        return [*doubts, doubt("at-most-one-good", words, told.undetermined)]
    return doubts + [
        doubt("cannot-tell", say.clause_words(clause, inventory), clause) for clause in told.clauses
    ]


def _document(each: Lint | Doubt) -> object:
    return each._asdict() if isinstance(each, Doubt) else each


def _lines(findings: Sequence[Lint | Doubt]) -> Iterator[str]:
    if not findings:
        yield "no findings"
        return
    yield from aligned([_row(each) for each in findings[:_SHOWN]])
    if len(findings) > _SHOWN:
        yield f"and {len(findings) - _SHOWN:,} more; --json has all"


def _row(each: Lint | Doubt) -> tuple[str, ...]:
    steps = f"step {each.since}" if each.since == each.until else f"steps {each.since}-{each.until}"
    return each.kind, steps, printable(each.words, _MOST)
