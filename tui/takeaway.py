"""What can be taken away from a dashboard: the session, the rows of a panel, a picture."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any, Protocol

from batchtui.engine.errors import BatchtuiError
from batchtui.plugins.formats.lines import printable
from batchtui.tui.screens.choose import Choice
from batchtui.tui.session import Session

SAVES = (
    Choice("session", "session", "a recording: opened, replayed, sent to a colleague"),
    Choice("rows", "rows", "the rows of the panel, as CSV"),
    Choice("picture", "picture", "what stands on the screen, as SVG"),
)

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of one."""

_ENDINGS = {"session": "jsonl", "rows": "csv", "picture": "svg"}


class Taken(Protocol):
    """The screen from which something is taken."""

    @property
    def session(self) -> Session[Any]:
        """What it shows: of whichever system."""

    def rows(self) -> list[list[str]]:
        """The rows of the panel that has the keys, its heads first."""

    def picture(self) -> str:
        """What stands on the screen, as SVG."""


def suggested(what: str, workload: str, step: int) -> str:
    """A name for a file."""
    stem = re.sub(r"[^\w.-]+", "-", workload.rpartition(".")[0] or workload).strip("-.") or "run"
    return f"{stem}-step-{max(step, 0)}.{_ENDINGS[what]}"


def save(what: str, name: str, screen: Taken) -> str:
    """Write a file that is not there yet, and say so; or say why not."""
    shown = printable(name, 80)
    try:
        path = Path(name).expanduser()
        if path.exists():
            return f"{shown} is there already: choose another name"
        if what == "session":
            if screen.session.log is None:
                return "this session was not recorded"
            screen.session.log.save_as(path)
        else:
            text = screen.picture() if what == "picture" else _csv(screen.rows())
            with path.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
    except OSError as error:
        return f"{shown} cannot be written: {error.strerror or type(error).__name__}"
    except (ValueError, RuntimeError):  # a null byte; a home of nobody
        return f"{shown} is no name for a file"
    except BatchtuiError as error:
        return str(error)
    return f"saved as {shown}"


def _csv(rows: list[list[str]]) -> str:
    """Rows as CSV; a cell that a spreadsheet would take for a formula is quoted as text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([list(map(_cell, row)) for row in rows])
    return out.getvalue()


def _cell(text: str) -> str:
    is_number = text.removeprefix("-").replace(".", "", 1).isdecimal()
    return f"'{text}" if text.startswith(_FORMULAS) and not is_number else text
