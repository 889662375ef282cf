"""The command line: one file a verb, and one place where errors become one line and a status.

Data goes to stdout, everything else to stderr. This package never imports textual, except to open
the dashboard.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import msgspec
import typer

from batchtui.engine.errors import BatchtuiError
from batchtui.tui.cli import bench, open, plugins, run
from batchtui.tui.cli.report import one_line

USAGE = 2
INTERRUPTED = 130

app = typer.Typer(
    name="batchtui",
    help="A debugger for LLM serving that lives in a terminal.",
    add_completion=False,
    rich_markup_mode=None,
    invoke_without_command=True,
)
app.command("open")(open.open_workload)
app.command("run")(run.run)
app.command("plugins")(plugins.list_plugins)
app.command("bench")(bench.bench)


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
        open.open_demo()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(status_of(given))


def status_of(arguments: Sequence[str]) -> int:
    """Run a command; its faults become one line on stderr, and a document on stdout with
    ``--json``."""
    try:
        status = app(list(arguments), standalone_mode=False)
    except typer.TyperException as error:
        return _fail(arguments, one_line(error.format_message()), "usage", USAGE)
    except BatchtuiError as error:
        return _fail(arguments, one_line(str(error)), error.code, error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _fail(arguments, "interrupted", "interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has gone; stdout must not be flushed into nowhere at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status if isinstance(status, int) else 0


def _fail(arguments: Sequence[str], message: str, code: str, status: int) -> int:
    print(f"batchtui: {message}", file=sys.stderr)
    if "--json" in arguments and not run.document_begun():
        document = msgspec.json.encode({"error": {"code": code, "message": message}})
        sys.stdout.write(document.decode() + "\n")
    return status
