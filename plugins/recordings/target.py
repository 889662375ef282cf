"""A new file that a recording is written to: claimed at once, so that nothing is ever overwritten.

One whose name ends in ``.gz`` is written plain beside it, with ``.part`` at its end, and packed at
the close: so what a process that was killed had recorded is there, and not half a gzip.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.formats.lines import name_of

COPY_BYTES = 1 << 20


def part_of(path: Path) -> Path:
    """Where what will be packed is written meanwhile."""
    return path.with_name(f"{path.name}.part")


class Target:
    """A claimed name and the file that is written for it."""

    def __init__(self, path: Path, file: io.FileIO, part: Path | None) -> None:
        self.path = path
        self.file = file
        self._part = part

    @classmethod
    def claim(cls, path: Path) -> Target:
        """Make a file that only its owner may read.

        Raises:
            InputError: it exists and is not empty, or it cannot be made there.
        """
        file = _made(path)
        if path.suffix != ".gz":
            return cls(path, file, None)
        part = part_of(path)
        try:
            return cls(path, _made(part), part)
        except InputError:
            path.unlink()
            raise
        finally:
            file.close()

    def write(self, data: bytes, at: int) -> None:
        """Write bytes at a place.

        Raises:
            WorkError: the system refuses.
        """
        try:
            self.file.seek(at)
            rest = memoryview(data)
            while rest:
                rest = rest[self.file.write(rest) :]
        except OSError as error:
            raise self._cannot(error) from error

    def close(self) -> None:
        """Be done; pack what is to be packed.

        Raises:
            WorkError: the system refuses; what was written plain is left where it is.
        """
        self.file.close()
        if self._part is None:
            return
        packed = self.path.with_name(f"{self.path.name}.packing")
        try:
            _pack(self._part, packed)
            packed.replace(self.path)
            self._part.unlink()
        except OSError as error:
            with suppress(OSError):
                packed.unlink()
            raise self._cannot(error) from error

    def _cannot(self, error: OSError) -> WorkError:
        left = f"; what there is stands in {name_of(self._part)}" if self._part else ""
        return WorkError(f"{name_of(self.path)} cannot be written: {refused(error)}{left}")

    def __enter__(self) -> Target:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.file.close()


def refused(error: OSError) -> str:
    """What the system says."""
    return (error.strerror or type(error).__name__).lower()


def _made(path: Path) -> io.FileIO:
    shown = name_of(path)
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{shown} is not a regular file: a recording wants a name of its own")
        if path.exists() and path.stat().st_size:
            raise InputError(f"{shown} exists: choose another name, nothing is overwritten")
        return io.FileIO(path, "w+", opener=_opened)
    except OSError as error:
        raise InputError(f"{shown} cannot be written: {refused(error)}") from error
    except ValueError as error:  # a NUL in it
        raise InputError(f"{shown} is not a path of this system") from error


def _opened(path: str, flags: int) -> int:
    descriptor = os.open(path, flags & ~os.O_TRUNC, 0o600)
    with suppress(OSError):
        os.chmod(path, 0o600)  # it may have been there, empty
    return descriptor


def _pack(source: Path, target: Path) -> None:
    with (
        source.open("rb") as plain,
        io.FileIO(target, "w", opener=_opened) as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=6) as packed,
    ):
        shutil.copyfileobj(plain, packed, COPY_BYTES)
