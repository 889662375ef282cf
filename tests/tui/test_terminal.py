"""The terminal is given back however the process ends: real processes on a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")

SIGNALS = [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
MODES = [b"?1049", b"?1000", b"?1003", b"?1006", b"?2004", b"?1004"]
PATIENCE_S = 20

LOUD_MODEL = """
import os

def next_tokens(prefixes):
    os.write(1, b"LOUD")
    os.write(2, b"LOUDER")
    return [[97] for _ in prefixes]
"""


class Terminal:
    """The dashboard on a terminal of its own, 80 by 24; ``seen`` is all that was written to it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.seen = b""
        self._near, self.far = pty.openpty()
        termios.tcsetwinsize(self.far, (24, 80))
        self.before = termios.tcgetattr(self.far)
        environment = {**os.environ, "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "batchtui", "open", *arguments],
            stdin=self.far,
            stdout=self.far,
            stderr=self.far,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )

    def wait_for(self, words: bytes, *, typing: bytes = b"") -> None:
        """Read until ``words`` have been written anew; type something again and again."""
        start, end = len(self.seen), time.monotonic() + PATIENCE_S
        while words not in self.seen[start:]:
            assert time.monotonic() < end, self.seen[-2000:]
            self.type(typing)
            self._read(0.1)

    def type(self, keys: bytes) -> None:
        os.write(self._near, keys)

    def end(self) -> int:
        """Read until the process has ended."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < end
            self._read(0.05)
        while self._read(0.0):
            pass
        return self.process.returncode

    def is_given_back(self) -> bool:
        off = all(self.seen.rfind(mode + b"l") > self.seen.rfind(mode + b"h") for mode in MODES)
        cursor = self.seen.rfind(b"?25h") > self.seen.rfind(b"?25l")
        return off and cursor and termios.tcgetattr(self.far) == self.before

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._near)
        os.close(self.far)

    def _read(self, seconds: float) -> bytes:
        ready, _, _ = select.select([self._near], [], [], seconds)
        read = os.read(self._near, 65536) if ready else b""
        self.seen += read
        return read


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


@pytest.fixture
def demo_terminal(tmp_path: Path, terminals: list[Terminal]) -> Terminal:
    terminal = Terminal(tmp_path, "demo")
    terminals.append(terminal)
    terminal.wait_for(b"CHANGED")
    return terminal


def test_q_gives_it_back(demo_terminal: Terminal) -> None:
    assert not demo_terminal.is_given_back()
    demo_terminal.type(b"q")
    assert demo_terminal.end() == 0
    assert demo_terminal.is_given_back()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_gives_it_back_and_ends_the_process(
    demo_terminal: Terminal, number: signal.Signals
) -> None:
    demo_terminal.process.send_signal(number)
    assert demo_terminal.end() == -number
    assert demo_terminal.is_given_back()


def test_ctrl_z_gives_it_back_and_going_on_paints_it_anew(demo_terminal: Terminal) -> None:
    demo_terminal.type(b"\x1a")
    demo_terminal.wait_for(b"?1049l")
    _, status = os.waitpid(demo_terminal.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert demo_terminal.is_given_back()
    demo_terminal.process.send_signal(signal.SIGCONT)
    demo_terminal.wait_for(b"CHANGED")
    demo_terminal.type(b"q")
    assert demo_terminal.end() == 0
    assert demo_terminal.is_given_back()


def test_going_on_without_having_been_stopped_changes_nothing(demo_terminal: Terminal) -> None:
    demo_terminal.process.send_signal(signal.SIGCONT)
    demo_terminal.wait_for(b"CHANGED")
    demo_terminal.type(b"q")
    assert demo_terminal.end() == 0
    assert demo_terminal.is_given_back()


def test_bytes_that_are_no_text_do_not_end_it(demo_terminal: Terminal) -> None:
    demo_terminal.type(b"\xff\xfe\xe9")
    demo_terminal.wait_for(b" in step", typing=b"n")
    demo_terminal.type(b"q")
    assert demo_terminal.end() == 0


def test_a_resize_is_seen(demo_terminal: Terminal) -> None:
    termios.tcsetwinsize(demo_terminal.far, (30, 100))
    demo_terminal.process.send_signal(signal.SIGWINCH)
    demo_terminal.wait_for(b"\x1b[30;1H")


def test_what_a_model_writes_does_not_reach_the_screen(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    (tmp_path / "loud.py").write_text(LOUD_MODEL)
    (tmp_path / "w.jsonl").write_text('{"request_id": "r1", "prompt": "p"}\n')
    terminal = Terminal(tmp_path, "w.jsonl", "--backend", "function:loud:next_tokens")
    terminals.append(terminal)
    terminal.wait_for(b"CHANGED")
    terminal.type(b"n")
    terminal.wait_for(b" in step 0")
    terminal.type(b"q")
    assert terminal.end() == 0
    assert b"LOUD" not in terminal.seen


def test_a_terminal_that_can_write_only_ascii_is_drawn_on_in_ascii(
    tmp_path: Path, terminals: list[Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    terminal = Terminal(tmp_path, "demo")
    terminals.append(terminal)
    terminal.wait_for(b"CHANGED")
    terminal.type(b"q")
    assert terminal.end() == 0
    assert terminal.seen.isascii()
    assert b"\\u25" not in terminal.seen
