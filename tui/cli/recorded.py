"""A recording for a verb that looks into it, opened and closed again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from batchtui.tui.cli.output import one_line
from batchtui.tui.cli.progress import progress

if TYPE_CHECKING:
    from batchtui.plugins.recordings.recording import AnyRecording

File = Annotated[str, typer.Argument(metavar="RECORDING", help="A file that --record wrote.")]


@contextmanager
def opened(path: str, *, trusting: bool = True) -> Iterator[AnyRecording]:
    """Open a recording; one that was cut off is said to be so on stderr.

    ``trusting`` is ``open_recording``'s.
    """
    # Imported here: the other verbs are ready the sooner for it.
    from batchtui.plugins.recordings.recording import open_recording  # noqa: PLC0415

    with progress(_size(path), "reading") as tick:
        recording = open_recording(path, progress=tick, trusting=trusting)
    with closing(recording):
        if recording.torn:
            typer.echo(f"batchtui: {one_line(path)}: {recording.torn}", err=True)
        yield recording


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):
        return 0
