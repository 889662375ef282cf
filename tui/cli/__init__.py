"""The command line: one file a verb, and one place where errors become one line and a status.

Data goes to stdout, everything else to stderr. This package never imports textual, except to open
the dashboard.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import typer

from batchtui.engine.errors import BatchtuiError
from batchtui.tui.cli import (
    bench,
    calibrate,
    demo,
    lint,
    models,
    nodes,
    open,
    plugins,
    replay,
    run,
    why,
)
from batchtui.tui.cli.faults import FAILED, Told, fault_of
from batchtui.tui.cli.output import Output

app = typer.Typer(
    name="batchtui",
    help="A debugger for LLM serving that lives in a terminal.",
    add_completion=False,
    rich_markup_mode=None,
    invoke_without_command=True,
)
app.command("open")(open.open_file)
app.command("run")(run.run)
app.command("replay")(replay.replay)
app.command("why")(why.why)
app.command("lint")(lint.lint)
app.command("demo")(demo.demo)
app.command("plugins")(plugins.list_plugins)
app.command("nodes")(nodes.nodes)
app.command("bench")(bench.bench)
app.command("calibrate")(calibrate.calibrate)
app.add_typer(models.app, name="models")


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # noqa: PLC0415 - 30 ms that only this flag needs

        print(version("batchtui"))
        raise typer.Exit


@app.callback()
def dashboard(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", help="Print the version.", is_eager=True, callback=_show_version
    ),
) -> None:
    """A debugger for LLM serving that lives in a terminal.

    Without a command: the dashboard on a bundled demo, paused at its step 12.
    """
    del version
    if context.invoked_subcommand is None:
        open.open_default()


def main() -> None:
    """Run what the command line asks for and leave with its status."""
    _open_closed_streams()
    status = status_of(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Nobody takes the rest, and the interpreter would complain of that as it leaves.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)


def status_of(arguments: Sequence[str]) -> int:
    """Run a command; its faults become one line on stderr, and a document on stdout with
    ``--json``."""
    try:
        status = _invoke(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        return FAILED  # whoever read our output has gone, and knows it
    except Told as told:
        fault = told.fault
    except BaseException as error:  # whatever it is, nobody but us can tell it
        fault = fault_of(error)
        if "--json" in arguments:
            with suppress(OSError, BatchtuiError):
                Output(sys.stdout).document({"error": fault.document})
    with suppress(OSError):
        print(f"batchtui: {fault.message}", file=sys.stderr, flush=True)
    return fault.status


def _invoke(arguments: Sequence[str]) -> int:
    """As typer does it, but for its own ways with ctrl+c and broken pipes."""
    try:
        command = typer.main.get_command(app)
        with command.make_context("batchtui", list(arguments)) as context:
            command.invoke(context)
    except typer.Exit as left:
        return left.exit_code
    return 0


def _open_closed_streams() -> None:
    """Where a stream was closed before we came, Python has none, and its number may be given to a
    file."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
