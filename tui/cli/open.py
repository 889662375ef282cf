"""``batchtui open`` and ``batchtui`` alone: the dashboard."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.formats.lines import HEAD_BYTES, name_of
from batchtui.plugins.runs import RunOptions, backend_of
from batchtui.plugins.workloads import bundled_names
from batchtui.plugins.workloads import open_workload as read_workload
from batchtui.tui.cli import options as option
from batchtui.tui.cli.breaks import checked
from batchtui.tui.cli.faults import fault_of
from batchtui.tui.cli.progress import progress

if TYPE_CHECKING:
    from batchtui.plugins.formats.workload import Workload
    from batchtui.plugins.recordings.recording import AnyRecording
    from batchtui.tui.demos import Demo
    from batchtui.tui.session import Session

DEFAULT = "demo"
DEFAULT_STEP = 12
MAX_FPS = 30

PURE = ("simulated", "scripted")
"""The models that are pure Python: they neither block nor crash."""

Step = Annotated[
    int | None,
    typer.Option(parser=option.whole_number(0), metavar="N", help="Look at the end of this step."),
]
File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A recording, a case, JSON Lines of requests, a trace, or a bundled name.",
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


@dataclass(frozen=True)
class Shown:
    """How the dashboard is shown."""

    step: int | None = None
    fps: int = 10
    ascii: bool = False
    breakpoints: tuple[str, ...] = ()
    demo: Demo | None = None


def open_default() -> None:
    """Open the dashboard on the bundled demo, paused at its step 12."""
    _show_workload(DEFAULT, RunOptions(), Shown(step=DEFAULT_STEP))


def show_tour(demo: Demo, *, ascii: bool) -> None:
    """Show a guided tour."""
    _show_workload(demo.workload, RunOptions(), Shown(ascii=ascii, demo=demo))


@option.with_run_options
def open_file(
    workload: File,
    said: RunOptions,
    step: Step = None,
    breaks: option.Break = None,
    record: option.Record = None,
    fps: Fps = 10,
    ascii: Ascii = False,
) -> None:
    """Open the dashboard on a workload or a recording, paused at a step."""
    shown = Shown(step, fps, ascii, checked(breaks))
    if _is_recording(workload):
        if said != RunOptions() or record is not None:
            raise InputError("a recording has its options: open it without any, fork it with `o`")
        _show_recording(Path(workload), shown)
    else:
        _show_workload(workload, said, shown, None if record is None else Path(record))


def _show_workload(
    name: str, options: RunOptions, shown: Shown, record: Path | None = None
) -> None:
    workload = read_workload(name)
    _check_terminal()
    if sys.platform == "linux" and _may_crash(workload, options):
        from batchtui.tui.cli.parent import go_on_in_child  # noqa: PLC0415 - not elsewhere

        go_on_in_child()
    from batchtui.tui.sessions import open_session  # noqa: PLC0415

    _show(open_session(workload, options, asked=name, record=record), shown)


def _show_recording(path: Path, shown: Shown) -> None:
    _check_terminal()
    recording = _read(path)
    _check_system(recording, path)
    last = recording.timeline.step
    if shown.step is not None and shown.step > last:
        recording.close()
        raise InputError(f"--step {shown.step}: the recording ends with step {last}")
    from batchtui.tui.sessions import session_of_recording  # noqa: PLC0415

    _show(session_of_recording(recording, path), shown)


def _check_system(recording: AnyRecording, path: Path) -> None:
    from batchtui.plugins.recordings.batching.system import batching_of  # noqa: PLC0415

    try:
        batching_of(recording, name_of(path), "batchtui open")
    except InputError:
        recording.close()
        raise


def _read(path: Path) -> AnyRecording:
    from batchtui.plugins.recordings.recording import open_recording  # noqa: PLC0415

    with progress(path.stat().st_size, "reading") as tick:
        recording = open_recording(path, progress=tick)
    # What was read stays for good: to go over it again and again would make every look slower.
    gc.freeze()
    return recording


def _is_recording(name: str) -> bool:
    """Whether it is a file that holds one; a bundled workload's name wins over a file's."""
    # Imported here: the other verbs are ready the sooner for it.
    from batchtui.plugins.recordings.recording import is_recording  # noqa: PLC0415
    from batchtui.plugins.recordings.target import part_of  # noqa: PLC0415

    path = Path(name)
    try:
        if name in bundled_names() or not path.is_file():
            return False
        with path.open("rb") as file:  # as it is: one that is packed may be cut short
            beginning = file.read(HEAD_BYTES)
        return is_recording(beginning) or (not beginning and part_of(path).exists())
    except (OSError, ValueError):
        return False


def _show(session: Session[Any], shown: Shown, beside: Sequence[Session[Any]] = ()) -> None:
    for text in shown.breakpoints:
        session.debugger.breakpoints.add(text)
    with _closing([session, *beside]) as last:
        from batchtui.tui.app import BatchtuiApp  # noqa: PLC0415 - textual takes half a second

        app = BatchtuiApp(
            session,
            beside=beside,
            start_step=shown.step,
            fps=shown.fps,
            ascii=shown.ascii,
            demo=shown.demo,
        )
        try:
            app.run()
        finally:
            last.sessions = app.sessions  # forks may have taken the place of what was opened
        if app.return_code:
            raise WorkError("the dashboard ended with an error, which stands above")


def _may_crash(workload: Workload, options: RunOptions) -> bool:
    """Whether the model may have native code: whether it is none of ours that are pure Python."""
    return backend_of(workload, options).partition(":")[0] not in PURE


@dataclass
class _Last:
    """The sessions that are shown at last."""

    sessions: Sequence[Session[Any]]


@contextmanager
def _closing(sessions: Sequence[Session[Any]]) -> Iterator[_Last]:
    """Close sessions at last, and see that nobody in a model's code meets the interpreter's end.

    A thread that comes out of native code while the interpreter goes down may bring the process
    down with it.
    """
    status, last = 0, _Last(sessions)
    try:
        yield last
    except BaseException as error:
        status = fault_of(error).status
        raise
    finally:
        if not all([session.close() for session in last.sessions]):
            atexit.register(os._exit, status)


def _check_terminal() -> None:
    """All three are one: keys are read from the first, the screen is the last."""
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise InputError("the dashboard wants a terminal: use `batchtui run` without one")
