"""Wheels, downloaded through pip and never installed: nothing of them is built or run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from batchtui.engine.errors import WorkError
from batchtui.plugins.formats.lines import printable

PIP = (sys.executable, "-P", "-m", "pip")
"""The pip beside this Python; -P, for a module of the working directory may be called anything."""

PERIOD_S = 0.1
_GRACE_S = 5.0

_DOWNLOAD = (
    *("download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"),
    *("--no-input", "--disable-pip-version-check", "--progress-bar=off"),
)
_NO_PIP = "No module named pip"
_STYLING = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_CREDENTIALS = re.compile(r"://\S*@")

Tick = Callable[[int], None]
Watch = Callable[[str, int], AbstractContextManager[Tick]]
"""Is told what is being done and how many bytes that takes (0: who knows); gives a function that is
told how many are done."""


def download(
    requirement: str, total_bytes: int, folder: Path, watch: Watch, pip: Sequence[str]
) -> Path:
    """Have pip put the wheel of a requirement into a folder, where its temporary files go too.

    Raises:
        WorkError: there is no pip, it fails, or it brings nothing.
    """
    command = [*pip, *_DOWNLOAD, "--dest", str(folder), requirement]
    with watch("downloading", total_bytes) as tick:
        status, told = _run(command, folder, tick)
    if told.endswith(_NO_PIP):
        raise WorkError(_instead(f"this Python has no pip to download {requirement} with"))
    if status:
        raise WorkError(_instead(f"pip cannot download {requirement} ({_why(told, status)})"))
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None:
        raise WorkError(_instead(f"pip brought no wheel of {requirement}"))
    return wheel


def _run(command: list[str], folder: Path, tick: Tick) -> tuple[int, str]:
    """Run pip to its end, or end it with us; its status and what it said on stderr."""
    nowhere, pipe = subprocess.DEVNULL, subprocess.PIPE
    surroundings = {**os.environ, "TMPDIR": str(folder)}
    try:
        process = subprocess.Popen(
            command, env=surroundings, stdin=nowhere, stdout=nowhere, stderr=pipe
        )
    except (FileNotFoundError, PermissionError):  # this Python is embedded, or was deleted
        return 1, _NO_PIP
    with process:
        try:
            said = _wait(process, folder, tick)
        finally:
            _end(process)
    return process.returncode, said.decode("utf-8", "replace").rstrip()


def _wait(process: subprocess.Popen[bytes], folder: Path, tick: Tick) -> bytes:
    # A pip of 2023 has no progress for programs, but its files grow.
    while True:
        try:
            _, said = process.communicate(timeout=PERIOD_S)
            return said
        except subprocess.TimeoutExpired:
            tick(_largest(folder))


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()


def _largest(folder: Path) -> int:
    """The size of the largest file, which is the wheel; pip copies it when it has it whole."""
    sizes = [0]
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # gone meanwhile
                sizes.append(os.stat(os.path.join(parent, name)).st_size)
    return max(sizes)


def _why(told: str, status: int) -> str:
    """What pip said last against it, fit to be shown."""
    lines = _CREDENTIALS.sub("://", _STYLING.sub("", told)).splitlines()
    errors = [line[6:].strip() for line in lines if line.startswith("ERROR:")]
    if not errors:
        return f"it ended with status {status}"
    return printable(lines[-1] if errors[-1] == "Exception:" else errors[-1], 300)


def _instead(problem: str) -> str:
    return f"{problem}: have its wheel from elsewhere and say --from FILE"
