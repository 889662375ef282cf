"""``batchtui open`` and ``batchtui`` alone: the dashboard."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.runs import RunOptions, backend_of, prepare
from batchtui.plugins.workloads import open_workload as read_workload
from batchtui.tui.cli import options as option
from batchtui.tui.cli.faults import fault_of

if TYPE_CHECKING:
    from batchtui.plugins.formats.workload import Workload
    from batchtui.tui.session import Session

DEMO = "demo"
DEMO_STEP = 12
MAX_FPS = 30

PURE = ("simulated", "scripted")
"""The models that are pure Python: they neither block nor crash."""

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
    workload = read_workload(name)
    if not _on_terminal():
        raise InputError("the dashboard wants a terminal: use `batchtui run` without one")
    if sys.platform == "linux" and _may_crash(workload, options):
        from batchtui.tui.cli.parent import go_on_in_child  # noqa: PLC0415 - not elsewhere

        go_on_in_child()
    from batchtui.tui.session import session_of  # noqa: PLC0415

    session = session_of(prepare(workload, options))
    with _closing(session):
        from batchtui.tui.app import BatchtuiApp  # noqa: PLC0415 - textual takes half a second

        app = BatchtuiApp(session, start_step=step, fps=fps, ascii=ascii)
        app.run()
        if app.return_code:
            raise WorkError("the dashboard ended with an error, which stands above")


def _may_crash(workload: Workload, options: RunOptions) -> bool:
    """Whether the model may have native code: whether it is none of ours that are pure Python."""
    return backend_of(workload, options).partition(":")[0] not in PURE


@contextmanager
def _closing(session: Session) -> Iterator[None]:
    """Close a session at last, and see that nobody in a model's code meets the interpreter's end.

    A thread that comes out of native code while the interpreter goes down may bring the process
    down with it.
    """
    status = 0
    try:
        yield
    except BaseException as error:
        status = fault_of(error).status
        raise
    finally:
        if not session.close():
            atexit.register(os._exit, status)


def _on_terminal() -> bool:
    """Whether all three are one: keys are read from the first, the screen is the last."""
    return all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
