"""What the verbs of ``batchtui models`` do over known weights, and print."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from batchtui.plugins.models import weights as kept
from batchtui.plugins.models.fetch import fetch
from batchtui.plugins.models.weights import KNOWN, Known, Weights
from batchtui.tui.cli.output import aligned, one_line, our_stdout
from batchtui.tui.cli.progress import Tick, progress
from batchtui.tui.cli.signals import clearing_away


def list_weights(*, as_json: bool, known: Known = KNOWN) -> None:
    """Print a row for each, or a document."""
    folder = kept.weights_folder()
    listed = [(each, folder / each.file_name) for each in known.values()]
    with our_stdout() as output:
        if as_json:
            output.document({"weights": [_described(*each) for each in listed]})
        else:
            header = ("name", "state", "size", "licence", "what it is")
            for line in aligned([header, *(_row(*each) for each in listed)]):
                output.line(line)


def fetch_weights(name: str, given: str | None, *, as_json: bool, known: Known = KNOWN) -> None:
    """Fetch them and print their path, or a document."""
    weights, path = _named(name, known)
    source = None if given is None else Path(given)
    with our_stdout() as output:
        with clearing_away():
            fetched = fetch(weights, path, given=source, watch=_watch)
        if fetched.was_there:
            _note(f"the weights of {name} were here already, whole")
        if as_json:
            output.document(_described(weights, path) | {"was_there": fetched.was_there})
        else:
            output.line(one_line(str(path)))


def remove_weights(name: str, *, as_json: bool, known: Known = KNOWN) -> None:
    """Remove them and print what that freed, or a document."""
    weights, path = _named(name, known)
    with our_stdout() as output:
        freed_bytes = kept.remove(path)
        if as_json:
            output.document(_described(weights, path) | {"freed_bytes": freed_bytes})
        elif freed_bytes:
            output.line(f"removed {one_line(str(path))}: {_size(freed_bytes)} freed")
        else:
            _note(f"the weights of {name} are not here: nothing to remove")


def _named(name: str, known: Known) -> tuple[Weights, Path]:
    weights = kept.weights_named(name, known)
    return weights, kept.weights_folder() / weights.file_name


def _watch(doing: str, total_bytes: int) -> AbstractContextManager[Tick]:
    return progress(total_bytes, doing)


def _row(weights: Weights, path: Path) -> tuple[str, ...]:
    state = kept.state_of(weights, path)
    return weights.name, state, _size(weights.size_bytes), weights.license, weights.about


def _described(weights: Weights, path: Path) -> dict[str, object]:
    return {
        "name": weights.name,
        "state": kept.state_of(weights, path),
        "path": str(path).encode("utf-8", "backslashreplace").decode(),  # may be no Unicode
        "size_bytes": weights.size_bytes,
        "sha256": weights.sha256,
        "license": weights.license,
        "about": weights.about,
    }


def _size(num_bytes: int) -> str:
    return f"{num_bytes / 1e6:,.1f} MB"


def _note(text: str) -> None:
    with suppress(OSError):
        print(f"batchtui: {text}", file=sys.stderr)
