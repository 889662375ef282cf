"""``batchtui open`` and ``batchtui`` alone: the dashboard."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.formats.lines import HEAD_BYTES, name_of
from batchtui.plugins.nodes_cases import is_case, is_inventory
from batchtui.plugins.runs import RunOptions, backend_of
from batchtui.plugins.workloads import bundled_names
from batchtui.plugins.workloads import open_workload as read_workload
from batchtui.tui.cli import options as option
from batchtui.tui.cli.breaks import checked
from batchtui.tui.cli.closing import closing
from batchtui.tui.cli.output import one_line
from batchtui.tui.cli.progress import progress

if TYPE_CHECKING:
    from batchtui.plugins.formats.nodes_case import NodesCase
    from batchtui.plugins.formats.workload import Workload
    from batchtui.plugins.recordings.recording import AnyRecording
    from batchtui.plugins.searches import SearchOptions
    from batchtui.tui.demos import Demo
    from batchtui.tui.nodes_session import NodesSession
    from batchtui.tui.session import Session

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
        help="A recording, a case, JSON Lines of requests, a trace, hosts, or a bundled name.",
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
Beside = Annotated[
    str | None,
    typer.Option(
        "--nodes", metavar="CASE", help="Show a search for bad nodes beside it; `u` steps that."
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
    """Open the dashboard on what comes with the package: a batch, and a search beside it."""
    _check_terminal()
    from batchtui.tui.demo_sessions import DEFAULT_STEP, default_sessions  # noqa: PLC0415

    session, search = default_sessions()
    _show(session, Shown(step=DEFAULT_STEP), search)


def show_tour(demo: Demo, *, ascii: bool) -> None:
    """Show a guided tour."""
    _check_terminal()
    from batchtui.tui.demo_sessions import session_of_demo  # noqa: PLC0415

    _show(session_of_demo(demo), Shown(ascii=ascii, demo=demo))


def show_search(
    case: NodesCase,
    options: SearchOptions | None,
    shown: Shown,
    *,
    command: str = "",
    record: Path | None = None,
) -> None:
    """Show the screen of a search, before its first test.

    Raises:
        InputError: there is no terminal, or the case is a ledger, in which nothing is tested.
    """
    from batchtui.tui.cli.open_search import searched  # noqa: PLC0415

    _check_terminal()
    _show(searched(case, options, command=command, record=record), shown)


@option.with_run_options
def open_file(
    workload: File,
    said: RunOptions,
    step: Step = None,
    breaks: option.Break = None,
    record: option.Record = None,
    fps: Fps = 10,
    ascii: Ascii = False,
    nodes: Beside = None,
) -> None:
    """Open the dashboard on a workload, a recording, a nodes case or an inventory, paused at a
    step."""
    path = None if record is None else Path(record)
    if _is_recording(workload):
        if said != RunOptions() or record is not None or nodes is not None:
            raise InputError("a recording has its options: open it without any, fork it with `o`")
        _show_recording(Path(workload), Shown(step, fps, ascii, tuple(breaks or ())))
    elif workload not in bundled_names() and (is_case(workload) or is_inventory(workload)):
        from batchtui.engine.nodes.conditions import NODES  # noqa: PLC0415 - as late as can be
        from batchtui.plugins.searches import SearchOptions  # noqa: PLC0415

        if said != RunOptions(seed=said.seed) or nodes is not None:
            raise InputError(f"{one_line(workload)} is of nodes: of the options it takes --seed")
        shown = Shown(step, fps, ascii, checked(breaks, NODES))
        options = SearchOptions(seed=said.seed or None)
        show_search(_case_named(workload), options, shown, record=path)
    else:
        _show_workload(workload, said, Shown(step, fps, ascii, checked(breaks)), path, nodes)


def _show_workload(
    name: str,
    options: RunOptions,
    shown: Shown,
    record: Path | None = None,
    beside: str | None = None,
) -> None:
    workload = read_workload(name)
    case = None if beside is None else _case_named(beside)
    _check_terminal()
    if sys.platform == "linux" and _may_crash(workload, options):
        from batchtui.tui.cli.parent import go_on_in_child  # noqa: PLC0415 - not elsewhere

        go_on_in_child()
    from batchtui.tui.sessions import open_session  # noqa: PLC0415

    session = open_session(workload, options, asked=name, record=record)
    _show(session, shown, None if case is None else _searched(case))


def _case_named(name: str) -> NodesCase:
    from batchtui.tui.cli.open_search import case_named  # noqa: PLC0415 - as late as can be

    return case_named(name)


def _searched(case: NodesCase) -> NodesSession:
    from batchtui.tui.cli.open_search import searched  # noqa: PLC0415

    return searched(case)


def _show_recording(path: Path, shown: Shown) -> None:
    _check_terminal()
    recording = _read(path)
    last = recording.timeline.step
    if shown.step is not None and shown.step > last:
        recording.close()
        raise InputError(f"--step {shown.step}: the recording ends with step {last}")
    _show(_recorded(recording, path), shown)


def _recorded(recording: AnyRecording, path: Path) -> Session[Any]:
    """A session of whichever system."""
    from batchtui.engine.nodes.entries import SYSTEM  # noqa: PLC0415
    from batchtui.plugins.recordings.batching.system import batching_of  # noqa: PLC0415
    from batchtui.tui.nodes_sessions import session_of_nodes_recording  # noqa: PLC0415
    from batchtui.tui.sessions import session_of_recording  # noqa: PLC0415

    if recording.header.system == SYSTEM:
        return session_of_nodes_recording(recording, path)
    return session_of_recording(batching_of(recording, name_of(path), "batchtui open"), path)


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


def _show(session: Session[Any], shown: Shown, beside: NodesSession | None = None) -> None:
    with closing([session, *([beside] if beside else [])]) as last:
        for text in shown.breakpoints:
            session.debugger.breakpoints.add(text)
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


def _check_terminal() -> None:
    """All three are one: keys are read from the first, the screen is the last."""
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise InputError("the dashboard wants a terminal: use `batchtui run` without one")
