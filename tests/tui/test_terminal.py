"""The terminal is given back however the process ends: real processes on a pseudo-terminal."""

from __future__ import annotations

import signal
import sys
import termios
from pathlib import Path

import pytest
from tests.tui.pseudoterminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")

SIGNALS = [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]

LOUD_MODEL = """
import os

def next_tokens(prefixes):
    os.write(1, b"LOUD")
    os.write(2, b"LOUDER")
    return [[97] for _ in prefixes]
"""

INTERRUPTIBLE_MODEL = """
import threading
from batchtui.plugins.models.function import FunctionModel

class Patient(FunctionModel):
    def __init__(self):
        super().__init__(self.next_tokens)
        self.interrupted = threading.Event()

    @classmethod
    def from_options(cls, options):
        return cls()

    def next_tokens(self, prefixes):
        note("called")
        self.interrupted.wait()
        note("out")
        raise InterruptedError

    def interrupt(self):
        self.interrupted.set()

    def close(self):
        note("closed")

def note(word):
    with open("story", "a") as story:
        story.write(word + " ")
"""


def install(folder: Path, name: str, value: str, source: str) -> None:
    """A distribution with one module and one model, for a process that starts in the folder."""
    about = folder / "acme-1.0.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    about.joinpath("entry_points.txt").write_text(f"[batchtui.models]\n{name} = {value}\n")
    folder.joinpath(f"{value.partition(':')[0]}.py").write_text(source)


@pytest.fixture
def demo_terminal(tmp_path: Path, terminals: list[Terminal]) -> Terminal:
    terminal = Terminal(tmp_path, "demo")
    terminals.append(terminal)
    terminal.wait_for(b"STREAMS")
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
    demo_terminal.stop_and_go_on()
    demo_terminal.type(b"q")
    assert demo_terminal.end() == 0
    assert demo_terminal.is_given_back()


def test_going_on_without_having_been_stopped_changes_nothing(demo_terminal: Terminal) -> None:
    demo_terminal.process.send_signal(signal.SIGCONT)
    demo_terminal.wait_for(b"STREAMS")
    demo_terminal.type(b"q")
    assert demo_terminal.end() == 0
    assert demo_terminal.is_given_back()


def test_bytes_that_are_no_text_do_not_end_it(demo_terminal: Terminal) -> None:
    demo_terminal.type(b"\xff\xfe\xe9")
    demo_terminal.wait_for(b"[DELIVER]", typing=b"n")
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
    terminal.wait_for(b"STREAMS")
    terminal.type(b"n")
    terminal.wait_for(b"[DELIVER]")
    terminal.type(b"q")
    assert terminal.end() == 0
    assert b"LOUD" not in terminal.seen


def test_a_terminal_that_can_write_only_ascii_is_drawn_on_in_ascii(
    tmp_path: Path, terminals: list[Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    terminal = Terminal(tmp_path, "demo")
    terminals.append(terminal)
    terminal.wait_for(b"STREAMS")
    terminal.type(b"q")
    assert terminal.end() == 0
    assert terminal.seen.isascii()
    assert b"\\u25" not in terminal.seen


@pytest.mark.parametrize(
    ("leave", "status"),
    [("q", 0), ("\x11", 0), (signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)],
)
def test_whoever_leaves_during_a_call_ends_it_and_closes_the_model(
    tmp_path: Path, terminals: list[Terminal], leave: str | signal.Signals, status: int
) -> None:
    install(tmp_path, "patient", "patience:Patient", INTERRUPTIBLE_MODEL)
    (tmp_path / "w.jsonl").write_text('{"request_id": "r1", "prompt": "p"}\n')
    terminal = Terminal(tmp_path, "w.jsonl", "--backend", "patient")
    terminals.append(terminal)
    terminal.wait_for(b"STREAMS")
    terminal.type(b"c")
    terminal.wait_for(b"first time")
    if isinstance(leave, str):
        terminal.type(leave.encode())
    else:
        terminal.process.send_signal(leave)
    assert terminal.end() == status
    assert terminal.is_given_back()
    story = (tmp_path / "story").read_text().split()
    assert story[:2] == ["called", "out"]
    assert story.index("closed") == len(story) - 1
    assert b"batchtui" not in terminal.seen
