"""``batchtui plugins``: what is installed, and what does not load, and why."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from batchtui.plugins import registry
from batchtui.tui.cli import options as option
from batchtui.tui.cli.report import one_line


def list_plugins(
    names: Annotated[bool, typer.Option("--names", help="Names only; imports nothing.")] = False,
    as_json: option.AsJson = False,
) -> None:
    """List the installed plugins by group, and what failed to load, and why."""
    if names:
        found = {_short(group): registry.names(group) for group in registry.GROUPS}
        lines = [(group, name) for group, known in found.items() for name in known]
        _print(found if as_json else None, lines)
        return
    loaded = {_short(group): registry.load_all(group) for group in registry.GROUPS}
    document = {group: [_described(plugin) for plugin in known] for group, known in loaded.items()}
    rows = [
        (group, plugin.name, plugin.distribution, one_line(plugin.error or "ok"))
        for group, known in loaded.items()
        for plugin in known
    ]
    _print(document if as_json else None, rows)


def _short(group: str) -> str:
    return group.removeprefix("batchtui.")


def _described(plugin: registry.Plugin) -> dict[str, str | None]:
    return {
        "name": plugin.name,
        "value": plugin.value,
        "distribution": plugin.distribution,
        "error": plugin.error,
    }


def _print(document: object, rows: Sequence[tuple[str, ...]]) -> None:
    if document is not None:
        sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
