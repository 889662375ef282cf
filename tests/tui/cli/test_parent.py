"""The parent of the dashboard, with crashes of its child: real processes on a pseudo-terminal."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.pseudoterminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no parent")

CRASHING = """
import os, signal

def abort(prefixes):
    os.abort()

def fault(prefixes):
    os.kill(os.getpid(), signal.SIGSEGV)

def killed(prefixes):
    os.kill(os.getpid(), signal.SIGKILL)
"""
CRASHING_AT_ONCE = "import os; os.abort()"
QUIET = """
import os

assert os.environ["GGML_NO_BACKTRACE"] == "1"

def next_tokens(prefixes):
    return [[97] for _ in prefixes]
"""
SLOW_TO_LOAD = """
import os, time

os.write(2, b"LOADING")
time.sleep(60)
"""

Opened = Callable[[str, str], Terminal]


@pytest.fixture
def opened(tmp_path: Path, terminals: list[Terminal]) -> Opened:
    """Open the dashboard on a function of a module."""

    def open(source: str, function: str) -> Terminal:
        (tmp_path / "foreign.py").write_text(source)
        (tmp_path / "w.jsonl").write_text('{"request_id": "r1", "prompt": "p"}\n')
        terminals.append(Terminal(tmp_path, "w.jsonl", "--backend", f"function:foreign:{function}"))
        return terminals[-1]

    return open


@pytest.fixture
def quiet(opened: Opened) -> Terminal:
    terminal = opened(QUIET, "next_tokens")
    terminal.wait_for(b"STREAMS")
    return terminal


def last_lines(terminal: Terminal) -> list[bytes]:
    """What was written since the screen was left, without the rest of its modes."""
    _, _, written = terminal.seen.rpartition(b"?1004l")
    return written.splitlines()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("abort", b"SIGABRT, perhaps in the model's native code"),
        ("fault", b"SIGSEGV, perhaps in the model's native code"),
        ("killed", b"SIGKILL, perhaps by the system, for want of memory"),
    ],
)
def test_a_crash_in_a_call_gives_the_terminal_back_and_is_told_in_one_line(
    opened: Opened, function: str, words: bytes
) -> None:
    terminal = opened(CRASHING, function)
    terminal.wait_for(b"STREAMS")
    assert not terminal.is_given_back()
    terminal.type(b"n")
    assert terminal.end() == 1
    assert terminal.is_given_back()
    assert last_lines(terminal) == [
        b"batchtui: the process of the dashboard was ended by "
        + words
        + b"; the terminal is restored"
    ]


def test_a_crash_before_there_was_a_screen_leaves_none(opened: Opened) -> None:
    terminal = opened(CRASHING_AT_ONCE, "f")
    assert terminal.end() == 1
    assert terminal.seen.startswith(b"batchtui: the process of the dashboard was ended by SIGABRT")
    assert b"\x1b" not in terminal.seen


def test_what_is_wrong_with_the_model_is_told_once(opened: Opened) -> None:
    terminal = opened("", "f")
    assert terminal.end() == 2
    assert terminal.seen.startswith(b"batchtui: module 'foreign' ")
    assert terminal.seen.count(b"\r\n") == 1


def test_q_leaves_with_success_and_without_a_word(quiet: Terminal) -> None:
    quiet.type(b"nq")
    assert quiet.end() == 0
    assert quiet.is_given_back()
    assert b"batchtui" not in quiet.seen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_to_the_parent_ends_both_as_it_would_have(
    quiet: Terminal, number: signal.Signals
) -> None:
    quiet.process.send_signal(number)
    assert quiet.end() == -number
    assert quiet.is_given_back()
    assert b"batchtui" not in quiet.seen


def test_an_interrupt_while_the_model_loads_is_told_once(opened: Opened) -> None:
    terminal = opened(SLOW_TO_LOAD, "f")
    terminal.wait_for(b"LOADING")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130
    assert terminal.seen == b"LOADINGbatchtui: interrupted\r\n"


def test_ctrl_z_stops_both_and_going_on_wakes_both(quiet: Terminal) -> None:
    for _ in range(2):
        quiet.stop_and_go_on()
    quiet.type(b"q")
    assert quiet.end() == 0
    assert quiet.is_given_back()


def test_the_child_does_not_outlive_the_parent(quiet: Terminal) -> None:
    quiet.process.kill()
    quiet.wait_for(b"?1004l")
    assert quiet.end() == -signal.SIGKILL
    assert quiet.is_given_back()
