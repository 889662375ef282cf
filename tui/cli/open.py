"""``batchtui open`` and ``batchtui`` alone: the dashboard."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.runs import RunOptions, prepare
from batchtui.plugins.workloads import open_workload as read_workload
from batchtui.tui.cli import options as option

DEMO = "demo"
DEMO_STEP = 12
MAX_FPS = 30

Step = Annotated[
    int,
    typer.Option(
        parser=option.whole_number(0), metavar="N", help="Take the run to the end of this step."
    ),
]
Fps = Annotated[
    int,
    typer.Option(
        parser=option.whole_number(1, MAX_FPS),
        metavar="N",
        help="Frames a second while it runs.",
    ),
]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII only.")]


def open_demo() -> None:
    """Open the dashboard on the bundled demo, paused at its step 12."""
    _show(DEMO, RunOptions(), step=DEMO_STEP)


@option.with_run_options
def open_workload(
    workload: option.Workload,
    said: RunOptions,
    step: Step = 0,
    fps: Fps = 10,
    ascii: Ascii = False,
) -> None:
    """Open the dashboard on a workload, paused at a step."""
    _show(workload, said, step=step, fps=fps, ascii=ascii)


def _show(name: str, options: RunOptions, *, step: int, fps: int = 10, ascii: bool = False) -> None:
    run = prepare(read_workload(name), options)
    if not _on_terminal():
        raise InputError("the dashboard wants a terminal: use `batchtui run` without one")
    from batchtui.tui.app import BatchtuiApp  # noqa: PLC0415 - textual takes half a second
    from batchtui.tui.session import session_of  # noqa: PLC0415

    app = BatchtuiApp(session_of(run), start_step=step, fps=fps, ascii=ascii)
    app.run()
    if app.return_code:
        raise WorkError("the dashboard ended with an error, which stands above")


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
