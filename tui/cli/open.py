"""``batchtui open`` and ``batchtui`` alone: the dashboard."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from batchtui.engine.errors import InputError, PluginError
from batchtui.plugins.runs import RunOptions, prepare
from batchtui.plugins.workloads import open_workload as read_workload
from batchtui.tui.cli import options as option

DEMO = "demo"
DEMO_STEP = 12

Fps = Annotated[int, typer.Option(min=1, max=30, help="Frames a second while it runs.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII only.")]


def open_demo() -> None:
    """Open the dashboard on the bundled demo, paused at its step 12."""
    _show(DEMO, RunOptions(), step=DEMO_STEP)


def open_workload(
    workload: option.Workload,
    backend: option.Backend = None,
    slots: option.Slots = None,
    policy: option.Policy = None,
    seed: option.Seed = 0,
    kv_blocks: option.KvBlocks = None,
    block_size: option.BlockSize = None,
    max_model_len: option.MaxModelLen = None,
    retries: option.Retries = None,
    empty_replies: option.EmptyReplies = None,
    step: Annotated[int, typer.Option(min=0, help="Open paused at this step.")] = 0,
    fps: Fps = 10,
    ascii: Ascii = False,
) -> None:
    """Open the dashboard on a workload, paused at its step 0."""
    said = RunOptions(
        backend=backend,
        slots=slots,
        policy=policy,
        seed=seed,
        kv_blocks=kv_blocks,
        block_size=block_size,
        max_model_len=max_model_len,
        retries=retries,
        empty_replies=empty_replies,
    )
    _show(workload, said, step=step, fps=fps, ascii=ascii)


def _show(name: str, options: RunOptions, *, step: int, fps: int = 10, ascii: bool = False) -> None:
    run = prepare(read_workload(name), options)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("the dashboard wants a terminal: use `batchtui run` without one")
    from batchtui.tui.app import BatchtuiApp  # noqa: PLC0415 - textual takes half a second
    from batchtui.tui.session import session_of  # noqa: PLC0415

    app = BatchtuiApp(session_of(run), start_step=step, fps=fps, ascii=ascii)
    app.run()
    if app.return_code:
        raise PluginError("the dashboard ended with an error, which stands above")
