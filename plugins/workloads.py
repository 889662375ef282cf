"""Finding workloads: by a bundled name or by path, told apart by content alone.

A file's ending says nothing here: a trace that was renamed or gzipped is read like any other. The
readers come through the entry point group ``batchtui.formats``; one that does not load, or fails
over a file that is not its own, never stands in the way of the others.
"""

from __future__ import annotations

import codecs
import difflib
from collections.abc import Callable
from pathlib import Path
from typing import cast

from batchtui.engine.errors import BatchtuiError, InputError, PluginError
from batchtui.plugins.formats.lines import head, name_of, printable
from batchtui.plugins.formats.workload import Format, Workload
from batchtui.plugins.registry import FORMATS, load_all

BUNDLED = Path(__file__).parent.parent / "assets" / "workloads"

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def bundled_names() -> list[str]:
    """The names of the workloads that come with the package."""
    return sorted(_bundled())


def open_workload(name_or_path: str) -> Workload:
    """Open a bundled workload by its name, or any other by its path.

    A bundled name wins over a file of that name in the working directory; ``./demo`` is the file.

    Raises:
        InputError: there is no such thing, it cannot be read, or nobody knows its content.
        PluginError: its reader fails.
    """
    path = _bundled().get(name_or_path) or _given(name_or_path)
    beginning = head(path)
    shown = printable(name_or_path, 80)
    if not beginning.strip():
        raise InputError(f"{shown} is empty: want a workload")
    _check_text(shown, beginning)
    readers, broken = _readers()
    for name, reader in readers:
        if _recognises(name, reader, beginning, broken):
            return _read(name, reader, path)
    raise InputError(_unknown(shown, beginning, [name for name, _ in readers], broken))


def _bundled() -> dict[str, Path]:
    """Bundled workloads by their names: what stands before the first dot."""
    files = BUNDLED.iterdir() if BUNDLED.is_dir() else iter(())
    return {path.name.partition(".")[0]: path for path in files if not path.name.startswith(".")}


def _given(given: str) -> Path:
    """The path of a file that can be read twice, which a workload is."""
    shown = printable(given, 80)
    if given == "-":
        raise InputError("a workload is read twice, standard input only once: save it to a file")
    path = Path(given)
    try:
        exists, is_dir, is_file = path.exists(), path.is_dir(), path.is_file()
    except (OSError, ValueError) as error:  # a name too long, or a NUL in it
        raise InputError(f"{shown} is not a path of this system") from error
    if is_dir and given:
        raise InputError(f"{shown} is a directory: name a file in it")
    if not exists or not given:
        raise InputError(f'no workload "{shown}": {_suggestion(given)}')
    if not is_file:
        raise InputError(f"{shown} is not a regular file: a workload is read twice, save it to one")
    return path


def _suggestion(given: str) -> str:
    names = bundled_names()
    close = difflib.get_close_matches(Path(given).name.partition(".")[0], names, n=1)
    meant = f"did you mean {close[0]}? " if close else ""
    return f"{meant}want a path or one of {', '.join(names) or 'no bundled names'}"


def _check_text(shown: str, beginning: bytes) -> None:
    """Refuse what no reader could read.

    Raises:
        InputError: it is not text in UTF-8.
    """
    if beginning.startswith(_UTF_16):
        raise InputError(f"{shown} is text in UTF-16: save it as UTF-8")
    if b"\0" in beginning:
        raise InputError(f"{shown} is not text: it begins with {_quoted(beginning)}")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)  # may end within a character
    except UnicodeDecodeError as error:
        line = beginning.count(b"\n", 0, error.start) + 1
        raise InputError(f"{shown} line {line} is not UTF-8: save it as UTF-8") from error


def _recognises(name: str, reader: Format, beginning: bytes, broken: list[str]) -> bool:
    try:
        return reader.recognises(beginning)
    except Exception as error:  # a plugin's fault must not keep the other readers from the file
        broken.append(f"{name} ({type(error).__name__})")
        return False


def _read(name: str, reader: Format, path: Path) -> Workload:
    """Let the reader that knows the file read it.

    Raises:
        InputError: what the reader says against the file.
        PluginError: the reader has a fault of its own; of that only the type is told, since the
            message may hold a prompt.
    """
    where = f"the reader {name!r} of {name_of(path)}"
    try:
        workload: object = reader.read(path)
    except (BatchtuiError, MemoryError, OSError):
        raise
    except Exception as error:
        raise PluginError(f"{where} failed with {type(error).__name__}: mend it") from None
    if not isinstance(workload, Workload):
        raise PluginError(f"{where} returned {type(workload).__name__}: want a Workload")
    return workload


def _unknown(shown: str, beginning: bytes, names: list[str], broken: list[str]) -> str:
    failed = f" (broken: {', '.join(broken)})" if broken else ""
    kinds = f"{', '.join(names)}{failed}"
    return f"{shown} is none of {kinds}: it begins with {_quoted(beginning)}"


def _quoted(beginning: bytes) -> str:
    """The beginning, escaped and cut."""
    return printable(beginning.strip()[:200].decode("utf-8", "backslashreplace"))


def _readers() -> tuple[list[tuple[str, Format]], list[str]]:
    """The readers that load, each with its name, and the names of those that do not."""
    readers: list[tuple[str, Format]] = []
    broken = []
    for plugin in load_all(FORMATS):
        if plugin.error is not None:
            broken.append(f"{plugin.name} ({plugin.error.partition(':')[0]})")
            continue
        try:
            readers.append((plugin.name, cast("Callable[[], Format]", plugin.loaded)()))
        except Exception as error:  # whatever a plugin's own code raises
            broken.append(f"{plugin.name} ({type(error).__name__})")
    return readers, broken
