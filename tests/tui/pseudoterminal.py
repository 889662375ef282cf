"""The dashboard as a process on a pseudo-terminal, read and typed at by a test."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

MODES = [b"?1049", b"?1000", b"?1003", b"?1006", b"?2004", b"?1004"]
PATIENCE_S = 20


class Terminal:
    """The dashboard on a terminal of its own, 80 by 24; ``seen`` is all that was written to it."""

    def __init__(self, folder: Path, *arguments: str, verb: str = "open") -> None:
        self.seen = b""
        self._near, self.far = pty.openpty()
        termios.tcsetwinsize(self.far, (24, 80))
        self.before = termios.tcgetattr(self.far)
        environment = {**os.environ, "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "batchtui", verb, *arguments],
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

    def wait_until_stopped(self) -> None:
        """Read until a signal has stopped the process."""
        end = time.monotonic() + PATIENCE_S
        while not os.waitpid(self.process.pid, os.WUNTRACED | os.WNOHANG)[0]:
            assert time.monotonic() < end
            self._read(0.05)

    def stop_and_go_on(self) -> None:
        """Press ctrl+z; when the terminal is given back, wake the process and see it paint."""
        self.type(b"\x1a")
        self.wait_for(b"?1049l")
        self.wait_until_stopped()
        assert self.is_given_back()
        self.process.send_signal(signal.SIGCONT)
        self.wait_for(b"STREAMS")

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
