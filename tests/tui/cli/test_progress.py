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


def test_bytes_are_shown_as_such_with_what_is_being_done(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with progress(92_871_040, "downloading") as tick:
        tick(1_500_000)
    assert "downloading" in terminal.getvalue()
    assert "1.5/92.9 MB" in terminal.getvalue()
    assert "requests" not in terminal.getvalue()


def test_where_no_total_is_known_none_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with progress(0, "waiting") as tick:
        tick(0)
    assert "waiting" in terminal.getvalue()
    assert "bytes" not in terminal.getvalue()


def test_what_is_counted_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with progress(40, unit="steps") as tick:
        tick(7)
    assert "7/40" in terminal.getvalue()
    assert "steps" in terminal.getvalue()


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
