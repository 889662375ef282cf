"""The bar: on a terminal only, not at once, and gone when the run ends."""

from __future__ import annotations

import io
import sys

import pytest

from batchtui.tui.cli import progress as module
from batchtui.tui.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, *, patience_s: float = -1) -> Terminal:
    stream = Terminal()
    monkeypatch.setattr(module, "PATIENCE_S", patience_s)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_whoever_waits_is_shown_how_many_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with progress(40) as tick:
        tick(7)
        assert "7/40" in terminal.getvalue()
    assert terminal.getvalue().rfind("\x1b[?25h") > terminal.getvalue().rfind("\x1b[?25l")


def test_a_short_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch, patience_s=3600)
    with progress(40) as tick:
        tick(7)
    assert terminal.getvalue() == ""


def test_a_terminal_that_cannot_go_back_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    with progress(40) as tick:
        tick(7)
    assert terminal.getvalue() == ""


def test_a_pipe_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", -1)
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    with progress(40) as tick:
        tick(7)
    assert stream.getvalue() == ""
