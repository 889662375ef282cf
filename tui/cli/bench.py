"""``batchtui bench``: measures on this machine, and says the bar beside each figure."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Annotated

import typer

from batchtui.engine.errors import InputError
from batchtui.plugins.benches.figures import Figure
from batchtui.plugins.formats.lines import printable
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import our_stdout

BENCHES = {
    "scheduler": "batchtui.plugins.benches.scheduler",
    "dashboard": "batchtui.plugins.benches.dashboard",
    "trace": "batchtui.plugins.benches.trace",
    "llama": "batchtui.plugins.benches.llama",
    "calibrate": "batchtui.plugins.benches.calibrate",
    "debugger": "batchtui.plugins.benches.debugger",
    "nodes": "batchtui.plugins.benches.nodes",
}

Name = Annotated[str, typer.Argument(metavar="NAME", help=f"{', '.join(BENCHES)}.")]
File = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE]", help="The workload of `trace`; the bundled burst unless said."
    ),
]
Repeat = Annotated[
    int | None,
    typer.Option(
        parser=option.whole_number(1),
        metavar="N",
        help="Rounds of measuring; of `trace`, times that it plays its file.",
    ),
]


def bench(
    name: Name, file: File = None, repeat: Repeat = None, as_json: option.AsJson = False
) -> None:
    """Run a benchmark and print its figures."""
    if name not in BENCHES:
        raise InputError(_unknown(name))
    with our_stdout() as output:
        figures: list[Figure] = import_module(BENCHES[name]).run(file, repeat)
        if as_json:
            output.document({figure.name: figure.value for figure in figures})
        else:
            for figure in figures:
                output.line(_line(figure))


def _unknown(name: str) -> str:
    near = get_close_matches(name, BENCHES, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f'no benchmark "{printable(name)}": {hint}want one of {", ".join(BENCHES)}'


def _line(figure: Figure) -> str:
    bar = ""
    if figure.bar is not None:
        word = "at least" if figure.at_least else "at most"
        bar = f"   bar {word} {figure.bar:,g}: {'ok' if figure.holds else 'MISSED'}"
    return f"{figure.name:16} {figure.value:>14,.3f} {figure.unit:24}{bar}".rstrip()
