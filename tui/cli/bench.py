"""``batchtui bench``: measures on this machine, and says the bar beside each figure."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import msgspec
import typer

from batchtui.engine.errors import InputError
from batchtui.plugins.benches.figures import Figure
from batchtui.tui.cli import options as option

BENCHES = {
    "scheduler": "batchtui.plugins.benches.scheduler",
    "trace": "batchtui.plugins.benches.trace",
}


def bench(
    name: Annotated[str, typer.Argument(metavar="NAME", help="scheduler or trace.")],
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="The workload of `trace`.")
    ] = None,
    repeat: Annotated[
        int | None,
        typer.Option(min=1, help="Rounds of `scheduler`; times that `trace` plays its file."),
    ] = None,
    as_json: option.AsJson = False,
) -> None:
    """Run a benchmark and print its figures."""
    if name not in BENCHES:
        raise InputError(f"no benchmark {name!r}: want one of {', '.join(BENCHES)}")
    figures: list[Figure] = import_module(BENCHES[name]).run(file, repeat)
    if as_json:
        found = {figure.name: figure.value for figure in figures}
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        _print(figures)


def _print(figures: list[Figure]) -> None:
    for figure in figures:
        bar = ""
        if figure.bar is not None:
            word = "at least" if figure.at_least else "at most"
            verdict = "ok" if figure.holds else "MISSED"
            bar = f"   bar {word} {figure.bar:,g}: {verdict}"
        print(f"{figure.name:16} {figure.value:>14,.3f} {figure.unit:24}{bar}".rstrip())
