"""``batchtui plugins``: what is installed, and what does not load, and why."""

from __future__ import annotations

from typing import Annotated

import typer

from batchtui.plugins import registry
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import aligned, one_line, our_stdout

Names = Annotated[bool, typer.Option("--names", help="Names only; imports nothing.")]


def list_plugins(names: Names = False, as_json: option.AsJson = False) -> None:
    """List the installed plugins by group, and what failed to load, and why."""
    with our_stdout() as output:
        document, rows = _named() if names else _loaded()
        if as_json:
            output.document(document)
        elif rows:
            for line in aligned([tuple(map(one_line, row)) for row in rows]):
                output.line(line)


_Listing = tuple[object, list[tuple[str, ...]]]


def _named() -> _Listing:
    found = {_short(group): registry.names(group) for group in registry.GROUPS}
    return found, [(group, name) for group, names in found.items() for name in names]


def _loaded() -> _Listing:
    found = {_short(group): registry.load_all(group) for group in registry.GROUPS}
    document = {group: [_described(plugin) for plugin in known] for group, known in found.items()}
    rows: list[tuple[str, ...]] = [
        (group, plugin.name, plugin.distribution, plugin.error or "ok")
        for group, known in found.items()
        for plugin in known
    ]
    return document, rows


def _short(group: str) -> str:
    return group.removeprefix("batchtui.")


def _described(plugin: registry.Plugin) -> dict[str, str | None]:
    return {
        "name": plugin.name,
        "value": plugin.value,
        "distribution": plugin.distribution,
        "error": plugin.error,
    }
