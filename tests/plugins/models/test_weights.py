"""Where weights are, and what is said where they are not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.plugins.models.tiny import DATA, KNOWN, TINY

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.models import weights
from batchtui.plugins.models.weights import remove, state_of, weights_folder, weights_path


def fault(name_or_path: str, folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        weights_path(name_or_path, known=KNOWN, folder=folder)
    assert str(caught.value).isprintable()
    return str(caught.value)


def stored(folder: Path, data: bytes = DATA) -> Path:
    path = folder / "Tiny.gguf"
    path.write_bytes(data)
    return path


def test_a_known_name_is_the_path_of_its_file(tmp_path: Path) -> None:
    path = stored(tmp_path)
    assert weights_path("tiny", known=KNOWN, folder=tmp_path) == path


def test_weights_that_are_not_here_are_to_be_fetched(tmp_path: Path) -> None:
    assert fault("tiny", tmp_path) == (
        f"the weights of tiny are not here ({tmp_path / 'Tiny.gguf'}): "
        "run `batchtui models fetch tiny`"
    )


def test_weights_of_another_size_are_to_be_fetched_again(tmp_path: Path) -> None:
    stored(tmp_path, DATA[:-1])
    seen = fault("tiny", tmp_path)
    assert "are damaged" in seen
    assert seen.endswith("has 10,243 bytes, not 10,244): run `batchtui models fetch tiny`")


def test_opening_looks_at_the_size_alone(tmp_path: Path) -> None:
    path = stored(tmp_path, bytes(len(DATA)))
    assert weights_path("tiny", known=KNOWN, folder=tmp_path) == path


@pytest.mark.parametrize("given", ["./tiny", "sub/any", "any.gguf", "ANY.GGUF"])
def test_what_looks_like_a_path_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path(given).write_bytes(b"")
    assert weights_path(given, known=KNOWN, folder=tmp_path) == Path(given)


def test_a_path_may_begin_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = stored(tmp_path)
    assert weights_path("~/Tiny.gguf", known=KNOWN, folder=tmp_path) == path


@pytest.mark.parametrize("given", ["no/such", "no.gguf", "/", "a\0b.gguf", "a\nb/c", "x" * 9999])
def test_a_path_without_a_file_is_refused(tmp_path: Path, given: str) -> None:
    given = given if "/" in given else f"{given}/"
    assert fault(given, tmp_path).endswith("is no file: name a .gguf file")


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("tinny", 'no weights are called "tinny": did you mean tiny? known: tiny'),
        ("", 'no weights are called "": known: tiny'),
        ("a\x1b[31m", 'no weights are called "a\\x1b[31m": known: tiny'),
    ],
)
def test_any_other_name_is_told_the_known_ones(tmp_path: Path, given: str, seen: str) -> None:
    assert fault(given, tmp_path) == seen


@pytest.mark.parametrize(
    ("data", "state"), [(None, "not fetched"), (DATA, "fetched"), (DATA[1:], "damaged")]
)
def test_the_state_is_told_by_the_size(tmp_path: Path, data: bytes | None, state: str) -> None:
    path = tmp_path / "Tiny.gguf" if data is None else stored(tmp_path, data)
    assert state_of(TINY, path) == state


def test_removing_says_what_it_freed(tmp_path: Path) -> None:
    path = stored(tmp_path)
    assert remove(path) == len(DATA)
    assert not path.exists()


def test_there_may_be_nothing_to_remove(tmp_path: Path) -> None:
    tmp_path.joinpath("file").touch()
    assert remove(tmp_path / "Tiny.gguf") == 0
    assert remove(tmp_path / "file" / "Tiny.gguf") == 0


def test_what_the_system_does_not_let_go_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "Tiny.gguf"
    folder.mkdir()
    with pytest.raises(WorkError, match=r"Tiny.gguf cannot be removed: "):
        remove(folder)


def test_what_may_not_be_looked_at_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)
    assert fault("tiny", tmp_path).endswith("Tiny.gguf cannot be read: permission denied")


@pytest.mark.skipif(sys.platform != "linux", reason="where Linux has the user's data")
def test_they_are_kept_with_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert weights_folder() == Path("/data/batchtui/models")


@pytest.mark.parametrize("name", weights.KNOWN)
def test_known_weights_are_known_by_their_name_and_pinned(name: str) -> None:
    known = weights.KNOWN[name]
    assert known.name == name
    assert "==" in known.requirement
    assert known.file_name.endswith(".gguf")
    assert len(bytes.fromhex(known.sha256)) == 32
    assert os.sep not in known.file_name
