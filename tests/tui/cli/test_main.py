"""The command line as a process: its status, its streams, broken pipes and ctrl+c."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "batchtui"]

# Says that it has been called, then waits for ever.
WAITING = """
import sys, threading
def next_tokens(prefixes):
    if len(prefixes) == 1:
        print("waiting", flush=True)
        threading.Event().wait()
    return [[65] for _ in prefixes]
"""
REQUESTS = [{"request_id": "a", "max_tokens": 1}, {"request_id": "b", "max_tokens": 2}]


def test_its_status_is_that_of_the_command(tmp_path: Path) -> None:
    ran = subprocess.run(
        [*COMMAND, "run", "nowhere"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith('batchtui: no workload "nowhere"')


def test_version_and_help_go_to_stdout() -> None:
    version = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.count(".") == 2
    text = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, check=True)
    assert text.stdout.startswith("Usage: batchtui [OPTIONS]")
    assert text.stderr == version.stderr == ""


@pytest.mark.parametrize("arguments", [["run", "burst", "--json"], ["run", "burst"], ["--help"]])
def test_a_reader_who_has_gone_is_no_traceback(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        ran = subprocess.run(
            [*COMMAND, *arguments], stdout=write, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(write)
    assert (ran.returncode, ran.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_one_line_and_1() -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [*COMMAND, "run", "demo", "--json"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ran.returncode == 1
    assert ran.stderr == (b"batchtui: standard output cannot be written: no space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="closes a stream with the shell")
@pytest.mark.parametrize(("closed", "status"), [(">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 0)])
def test_a_stream_that_is_closed_is_no_traceback(closed: str, status: int) -> None:
    script = f'"{sys.executable}" -m batchtui run demo --json {closed}'
    ran = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (status, "")
    assert ran.stdout.startswith("{") == (closed == "2>&-")


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_ends_a_run_with_130_and_a_whole_document(tmp_path: Path) -> None:
    tmp_path.joinpath("waiting.py").write_text(WAITING)
    tmp_path.joinpath("w.jsonl").write_text("\n".join(map(json.dumps, REQUESTS)))
    spec = ["--backend", "function:waiting:next_tokens"]
    with subprocess.Popen(
        [*COMMAND, "run", "w.jsonl", "--json", *spec],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "batchtui: interrupted\n"
    document = json.loads(out)
    assert [row["request_id"] for row in document["requests"]] == ["a"]
    assert document["error"] == {"code": "interrupted", "message": "interrupted"}
