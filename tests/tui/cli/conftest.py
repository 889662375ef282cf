"""A command line inside the test's own process, and small files for it to read."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tui.cli.ran import Backend, Cli, Install, Ran, Write

from batchtui.tui.cli import status_of


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes]) -> Cli:
    """Run a command; what it wrote is read as UTF-8."""

    def run(*arguments: str) -> Ran:
        status = status_of(arguments)
        out, err = capsysbinary.readouterr()
        return Ran(status, out.decode(), err.decode())

    return run


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file of requests, or of bytes, into the working directory; returns its name."""
    monkeypatch.chdir(tmp_path)

    def written(*requests: dict[str, Any], name: str = "w.jsonl", data: bytes | None = None) -> str:
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        tmp_path.joinpath(name).write_bytes(lines.encode() if data is None else data)
        return name

    return written


@pytest.fixture
def backend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Backend]:
    """Write a module with ``next_tokens``; returns the ``--backend`` that names it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"backend_{abs(hash(request.node.nodeid))}"

    def written(source: str) -> str:
        tmp_path.joinpath(f"{name}.py").write_text(source, encoding="utf-8")
        return f"function:{name}:next_tokens"

    yield written
    sys.modules.pop(name, None)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a distribution ``acme`` with one module ``acme_plugin`` and these entry points."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "acme_plugin", raising=False)

    def installed(entry_points: str, source: str) -> None:
        about = tmp_path / "acme-1.0.dist-info"
        about.mkdir()
        about.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
        about.joinpath("entry_points.txt").write_text(entry_points)
        tmp_path.joinpath("acme_plugin.py").write_text(source)

    return installed
