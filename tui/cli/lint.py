"""``batchtui lint``: what looks wrong in a recording though nothing failed."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from batchtui.engine.batching.explain.lints import Lint, Tokens, run_lints
from batchtui.plugins.formats.lines import printable
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import aligned, our_stdout
from batchtui.tui.cli.recorded import File, opened_batching

_SHOWN = 50
_MOST = 100_000


def lint(recording: File, as_json: option.AsJson = False) -> None:
    """Say what looks wrong in a recording: idle slots, a head that holds up others, requests that
    starve, stops that can never match."""
    with our_stdout() as output, opened_batching(recording, "batchtui lint") as found:
        tokens = Tokens(frozenset(found.header.eos_token_ids))
        lints = run_lints(found.timeline, tokens)
        if found.header.texts != "full":
            lints = [each for each in lints if each.kind != "dead-stop"]
            typer.echo("batchtui: its texts were not kept, so stops cannot be judged", err=True)
        if as_json:
            output.document({"findings": lints})
            return
        for line in _lines(lints):
            output.line(line)


def _lines(lints: list[Lint]) -> Iterator[str]:
    if not lints:
        yield "no findings"
        return
    yield from aligned([_row(each) for each in lints[:_SHOWN]])
    if len(lints) > _SHOWN:
        yield f"and {len(lints) - _SHOWN:,} more; --json has all"


def _row(each: Lint) -> tuple[str, ...]:
    steps = f"step {each.since}" if each.since == each.until else f"steps {each.since}-{each.until}"
    return each.kind, steps, printable(each.words, _MOST)
