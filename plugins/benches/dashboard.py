"""``batchtui bench dashboard``: what the dashboard costs, in a terminal of 160 by 50 cells.

The program is run as anybody runs it, at the other end of a pseudoterminal, and is measured from
there: it is not told.

    first_frame_s    from the start of the process to a whole first screen
    idle_percent     of a core, while it stands at a step
    idle_bytes       written to the terminal meanwhile
    key_to_paint_ms  p95 from a step's key to the last byte of its frame
    frame_ms         of CPU for a frame of a free run, the step of the engine included
    memory_mb        resident, above an empty Textual app
    search_frame_ms  of CPU for a frame of a search of 4,096 nodes on its own screen, likewise
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.benches.figures import Figure

WIDTH, HEIGHT = 160, 50
IDLE_S, RUN_S = 3.0, 6.0
NUM_KEYS = 60
PATIENCE_S = 30.0
QUIET_S = 0.03
"""After so long without a byte a frame is over."""

_BEGIN_FRAME = b"\x1b[?2026h"
_ASKS_FOR_FRAMES = b"\x1b[?2026$p"
_HAS_FRAMES = b"\x1b[?2026;2$y"
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")

_SEARCH = ("-m", "batchtui", "nodes", "--nodes", "4096", "--bad", "0-40", "--watch")
_EMPTY = "from textual.app import App\nApp().run()"


class Screen:
    """A program at the other end of a pseudoterminal."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.began = time.perf_counter()
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=env,
            start_new_session=True,
        )
        os.close(slave)

    def read(self, seconds: float) -> bytes:
        """What is written within a time; answers the question for synchronized output."""
        data, until = b"", time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if not select.select([self.master], [], [], left)[0]:
                break
            try:
                data += os.read(self.master, 1 << 16)
            except OSError as error:
                raise WorkError("the dashboard has ended while it was measured") from error
            if _ASKS_FOR_FRAMES in data[-(1 << 16) :]:
                self.press(_HAS_FRAMES)
                data = data.replace(_ASKS_FOR_FRAMES, b"")
        return data

    def press(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.master, keys)

    def painted(self) -> float:
        """When the last byte of the frame came that is being painted."""
        until, last = time.perf_counter() + PATIENCE_S, 0.0
        while time.perf_counter() < until:
            if self.read(QUIET_S):
                last = time.perf_counter()
            elif last:
                return last
        raise WorkError(f"the dashboard has painted nothing for {PATIENCE_S:.0f} s")

    @property
    def cpu_s(self) -> float:
        """The CPU time that it has used."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * _TICK_S

    @property
    def memory_mb(self) -> float:
        """What it holds in memory."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@contextmanager
def _screen(*arguments: str) -> Iterator[Screen]:
    screen = Screen(arguments)
    try:
        yield screen
    finally:
        screen.close()


def run(file: str | None, repeat: int | None) -> list[Figure]:
    """Measure the dashboard on a workload, the bundled burst unless another is named."""
    if sys.platform != "linux":
        raise InputError("bench dashboard reads /proc: it runs on Linux")
    with _screen("-c", _EMPTY) as empty:
        empty.painted()
        empty_mb = empty.memory_mb
    firsts = [_first_frame_s(file) for _ in range(repeat or 3)]
    with _screen(*_opened(file)) as screen:
        screen.painted()
        idle_percent, idle_bytes = _idle(screen)
        paints = sorted(_key_s(screen) for _ in range(NUM_KEYS))
        memory_mb = screen.memory_mb - empty_mb
        frame_s = _frame_s(screen)
    with _screen(*_SEARCH) as screen:
        screen.painted()
        search_s = _frame_s(screen)
    return [
        Figure("first_frame_s", statistics.median(firsts), "s", 1.0),
        Figure("idle_percent", idle_percent, "% of a core", 0.5),
        Figure("idle_bytes", idle_bytes, "bytes", 0),
        Figure("key_to_paint_ms", paints[int(0.95 * NUM_KEYS)] * 1e3, "ms, p95", 50),
        Figure("frame_ms", frame_s * 1e3, "ms of CPU", 15),
        Figure("memory_mb", memory_mb, "MB above an empty app", 20),
        Figure("search_frame_ms", search_s * 1e3, "ms of CPU", None),
    ]


def _opened(file: str | None) -> list[str]:
    batch = ["open", file or "burst", "--slots", "16", "--kv-blocks", "160", "--nodes", "gpus"]
    return ["-m", "batchtui", *batch]


def _first_frame_s(file: str | None) -> float:
    with _screen(*_opened(file)) as screen:
        return screen.painted() - screen.began


def _idle(screen: Screen) -> tuple[float, int]:
    screen.press(b"nnn")
    screen.painted()
    screen.read(1.0)  # what was put off until nothing else is to be done
    before, began = screen.cpu_s, time.perf_counter()
    num_bytes = 0
    while (left := IDLE_S - (time.perf_counter() - began)) > 0:
        num_bytes += len(screen.read(left))
    return 100 * (screen.cpu_s - before) / IDLE_S, num_bytes


def _key_s(screen: Screen) -> float:
    began = time.perf_counter()
    screen.press(b"n")
    return screen.painted() - began


def _frame_s(screen: Screen) -> float:
    """CPU seconds a frame, at ten steps a second."""
    screen.press(b"+ ")
    before, began, frames = screen.cpu_s, time.perf_counter(), 0
    while (left := RUN_S - (time.perf_counter() - began)) > 0:
        frames += screen.read(left).count(_BEGIN_FRAME)
    return (screen.cpu_s - before) / max(1, frames)
